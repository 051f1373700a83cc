import { randomBytes } from 'node:crypto';

/** Who may enter the servers of an engine. */
export interface Accounts {
  readonly password: string;
  /** Statements that make them, for the server's first start. */
  readonly statements: readonly string[];
}

export const administrator = 'fault_admin';
export const ordinaryUser = 'fault_user';
/** All databases of the engine begin so; the ordinary user has rights on them alone. */
export const databasePrefix = 'fault_';
/** Holds a row for each member, to try whether it can be written. */
export const probeTable = `${databasePrefix}engine.probe`;

/**
 * An administrator and an ordinary user, both from anywhere. The latter has every right on the
 * engine's databases and none beside: SUPER would lift it over read_only and max_connections.
 */
export function makeAccounts(memberNames: readonly string[]): Accounts {
  const password = randomBytes(12).toString('hex');
  const rows = memberNames.map((name) => `('${name}', 0)`).join(', ');
  return {
    password,
    statements: [
      ...[administrator, ordinaryUser].map(
        (user) => `CREATE USER ${user}@'%' IDENTIFIED BY '${password}'`,
      ),
      `GRANT ALL PRIVILEGES ON *.* TO ${administrator}@'%' WITH GRANT OPTION`,
      `GRANT ALL PRIVILEGES ON \`${databasePrefix.replace('_', '\\_')}%\`.* TO ${ordinaryUser}@'%'`,
      `CREATE DATABASE ${databasePrefix}engine`,
      `CREATE TABLE ${probeTable} (member_name VARCHAR(20) NOT NULL PRIMARY KEY,
        beats BIGINT NOT NULL) ENGINE = InnoDB`,
      `INSERT INTO ${probeTable} VALUES ${rows}`,
    ],
  };
}
