/**
 * What an error from the driver means for the statement that met it.
 * `retry`: rolled back by the server for certain, the whole transaction may run again.
 * `contact`: this member cannot write or is not ready; counts as out of contact, try the next host.
 * `crowded`: no connection to be had; back off and keep the old ones.
 * `full`: the server has no room; a known failure, back off.
 * `schema`: the schema is not this code's.
 * `denied`: the account lacks a right.
 * `unknown`: nobody can say whether it was done. Everything that is not listed here.
 */
export type ErrorKind = 'retry' | 'contact' | 'crowded' | 'full' | 'schema' | 'denied' | 'unknown';

/**
 * Server error numbers, each seen on a real server around a COMMIT (MariaDB, MySQL, their
 * clusters).
 */
const kindByNumber: ReadonlyMap<number, ErrorKind> = new Map([
  [1205, 'retry'], // lock wait timeout: only the statement is rolled back, so ROLLBACK follows
  [1213, 'retry'], // deadlock; on Galera also certification, at COMMIT
  [3101, 'retry'], // Group Replication: rolled back during commit
  [1047, 'contact'], // Galera: not ready
  [1129, 'contact'], // this host has failed to connect too often, and is blocked for a while
  [1290, 'contact'], // read-only member
  [1792, 'contact'], // read-only transaction
  [1836, 'contact'], // read-only mode
  [3032, 'contact'], // MySQL: offline mode, which a member that was expelled goes into
  [3100, 'contact'], // Group Replication: this member cannot commit now
  [3796, 'contact'], // Group Replication: the member is not in a state to be read consistently
  [3797, 'contact'], // Group Replication: it could not wait for the earlier transactions
  [1040, 'crowded'], // too many connections
  [1203, 'crowded'], // too many connections of this user
  [1021, 'full'],
  [1030, 'full'],
  [1114, 'full'],
  [1054, 'schema'], // unknown column
  [1146, 'schema'], // no such table
  [1044, 'denied'],
  [1045, 'denied'],
  [1130, 'denied'], // this host is not let in
  [1142, 'denied'],
  [1698, 'denied'], // MariaDB: no password, where the account is known by its user of the system
]);

/** The kind of an error that the driver threw. */
export function classifyError(error: unknown): ErrorKind {
  const { errno, message } = (error ?? {}) as { errno?: unknown; message?: unknown };
  if (errno === errorDuringCommit) return deadlock.test(String(message)) ? 'retry' : 'unknown';
  return (typeof errno === 'number' && kindByNumber.get(errno)) || 'unknown';
}

/**
 * 1180 names the storage engine's error in its text. 149: rolled back in favour of another member's
 * transaction (Group Replication). Anything else is unknown: a Galera member that is parted from
 * the others during a COMMIT says 1180 too, and they may have got the transaction before.
 */
const errorDuringCommit = 1180;
const deadlock = /\b149\b/;
