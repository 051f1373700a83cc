import { OperatorError } from '../../domain/errors/errors.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { atNow } from '../connection/queryable.ts';

/** What was changed. */
export interface AuditEntry {
  /** Noun and verb, e.g. `job.add`. */
  readonly action: string;
  /** The name or id of what was changed. */
  readonly target: string;
  /** The group of the job, `default` for one without; absent or null: it is no job's. */
  readonly group?: string | null;
  /** Both groups of a job that goes from one to another; absent: `group` alone. */
  readonly groups?: readonly string[];
  /** Plain JSON; absent or null: there was nothing, or what it was does not matter. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Of a value with longer JSON only the length is kept: definitions may have megabytes. */
const valueCharactersMax = 256 * 1024;

/** Records a change in the transaction that makes it: `writeAudits`. */
export function writeAudit(connection: ChannelConnection, entry: AuditEntry): Promise<void> {
  return writeAudits(connection, [entry]);
}

/**
 * Records changes in the transaction that makes them, so that there is no change without its row
 * and no row without its change. Does nothing when the node acts of its own.
 *
 * Where the request holds an idempotency key, this is also its fence: it writes the key's row,
 * naming its own number, so that of two requests that both believe to hold it only one commits.
 * It is the last word on groups, too: whatever was looked up before, the job may have gone to
 * another group since. What it throws rolls the caller's transaction back.
 * @throws OperatorError `group_forbidden`, `idempotency_taken_over`.
 */
export async function writeAudits(
  connection: ChannelConnection,
  entries: readonly AuditEntry[],
): Promise<void> {
  const { by } = connection;
  if (by === null) return;
  const { groups, keyClaim } = by;
  const isForbidden =
    groups &&
    entries.some(({ group = null, groups: both = [group] }) => {
      return both.some((each) => each === null || !groups.includes(each));
    });
  if (isForbidden) throw forbidden();
  if (keyClaim !== undefined) {
    const key = [keyClaim.keyHash, keyClaim.takenNo];
    const affected = await connection.change(holdKey, [entries.length, ...key]);
    if (affected !== 1) throw takenOver();
  }
  const who = [atNow, by.actor, by.via, by.requestId, by.address];
  const rows = entries.map(({ action, target, group = null, before, after }) => {
    const values = [valueText(before), valueText(after), keyClaim?.keyHash ?? null];
    return [...who, action, target, group, ...values];
  });
  const { firstId } = await connection.insert(insertAudits, rows);
  written.set(connection, firstId);
}

/** The number of a row that the transaction under way has written; undefined: none. */
export function auditIdOf(connection: ChannelConnection): number | undefined {
  return written.get(connection);
}

/** A transaction has its connection for itself, under an object that no other one is given. */
const written = new WeakMap<ChannelConnection, number>();

function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length <= valueCharactersMax ? text : JSON.stringify({ leftOut: text.length });
}

function forbidden(): OperatorError {
  const message = 'This is of a group of jobs that is none of yours.';
  const hint = 'See yours: GET /api/v1/caller';
  return new OperatorError({ code: 'group_forbidden', message, hint });
}

function takenOver(): OperatorError {
  const message = 'A repeat of this request, with the same Idempotency-Key, has taken its place.';
  const hint = 'Nothing was changed by this one; the answer is that of the repeat.';
  return new OperatorError({ code: 'idempotency_taken_over', message, hint });
}

const holdKey = `/* writeAudit key */ UPDATE idempotency_key SET changes = changes + ?
  WHERE key_hash = ? AND taken_no = ?`;
const insertAudits = `/* writeAudit */ INSERT INTO audit_log (happened_at, actor, via, request_id,
    address, action, target, job_group, before_value, after_value, key_hash)
  VALUES ?`;
