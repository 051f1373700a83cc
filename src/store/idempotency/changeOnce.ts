import { auditIdOf } from '../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { integer, jsonOf, only, rowOf } from '../rows/row.ts';
import { settleOutcome } from '../transaction/settleOutcome.ts';
import { takeStripes } from '../transaction/takeStripes.ts';
import { type Decision, transact } from '../transaction/transact.ts';

/** An operator's change, in one transaction that writes one row of the audit log. */
interface OperatorChange<T, Locked = void> {
  /** Names the statements of its transaction. */
  readonly name: string;
  /**
   * Taken first: stripes, or rows by a statement of its own. The result of an earlier try is known
   * only when nothing of it can be committed any more. Absent: the change takes its own lock.
   */
  readonly lock?: readonly number[] | ((connection: ChannelConnection) => Promise<Locked>);
  /** Is given what a lock by a statement of its own has read. */
  readonly work: (connection: ChannelConnection, locked: Locked) => Promise<Decision<T>>;
  /** False: it may not be tried again while the outcome of a try is unknown. */
  readonly isIdempotent?: boolean;
  /** The command that shows whether it was done. */
  readonly look: string;
  /** The error of a refusal, by its reason; absent: none is expected. */
  readonly refused?: (reason: string) => Error;
  /**
   * Of the audit row that keeps the answer for a repeat with the same idempotency key; `kept`
   * leaves secrets out. Absent: no answer is kept.
   */
  readonly answers?: AnsweredChange & { readonly kept?: (answer: T) => T };
}

interface AnsweredChange {
  readonly action: string;
  readonly target: string;
}

/**
 * Makes a change, and again while its outcome is unknown. A try whose COMMIT was done although the
 * reply was lost has left its row in the audit log: the next try finds it under the lock, changes
 * nothing and returns the answer of that one. The node's own changes have no such row: they are
 * decided anew.
 * @throws what `settleOutcome` throws, and what `refused` makes of a refusal.
 */
export async function changeOnce<T, Locked = void>(
  channel: Channel,
  { answers, isIdempotent = true, lock, look, name, refused, work }: OperatorChange<T, Locked>,
): Promise<T> {
  const tries: Try<T>[] = [];
  const attempt = () =>
    transact<T>(channel, name, async (connection) => {
      let locked: Locked | undefined;
      if (typeof lock === 'function') locked = await lock(connection);
      else if (lock !== undefined) await takeStripes(connection, lock);
      const done = await findDone(connection, tries);
      if (done !== undefined) return { commit: done.answer };
      const earlier = answers && (await earlierAnswer<T>(connection, answers));
      if (earlier) return { commit: earlier.answer };
      const decision = await work(connection, locked as Locked);
      const auditId = auditIdOf(connection);
      if (auditId === undefined || !('commit' in decision)) return decision;
      tries.unshift({ auditId, answer: decision.commit });
      if (answers !== undefined && connection.by?.keyClaim !== undefined) {
        const answer = answers.kept?.(decision.commit) ?? decision.commit;
        await connection.change(keepAnswer, [JSON.stringify(answer), auditId]);
      }
      return decision;
    });
  const outcome = await settleOutcome(attempt, { isIdempotent, look });
  if (outcome.outcome === 'committed') return outcome.value;
  throw refused?.(outcome.reason) ?? new Error(`${name}: ${outcome.reason}`);
}

/** What a try has written and decided, which counts if its row is in the audit log. */
interface Try<T> {
  readonly auditId: number;
  readonly answer: T;
}

/** A number that a server gives twice, after a crash, is that of the later try. */
async function findDone<T>(connection: ChannelConnection, tries: readonly Try<T>[]) {
  const { by } = connection;
  if (tries.length === 0 || by === null) return undefined;
  const ids = tries.map(({ auditId }) => auditId);
  const done = await connection.rows(only(integer), selectDone, [ids, by.requestId]);
  return tries.find(({ auditId }) => done.includes(auditId));
}

/**
 * The answer of an earlier holder of the request's idempotency key that has committed this very
 * change. Null for the first holder; the audit log may know its key from before, since it is kept
 * for much longer. No lock is needed: an earlier holder can commit nothing any more (`writeAudit`).
 */
async function earlierAnswer<T>(
  connection: ChannelConnection,
  { action, target }: AnsweredChange,
): Promise<{ readonly answer: T } | null> {
  const keyClaim = connection.by?.keyClaim;
  if (keyClaim === undefined || keyClaim.takenNo === 1) return null;
  const decode = rowOf({ answer: jsonOf<T>() });
  const keys = [keyClaim.keyHash, action, target];
  return (await connection.rows(decode, selectAnswer, keys))[0] ?? null;
}

const selectDone = `/* changeOnce done */ SELECT audit_id FROM audit_log
  WHERE audit_id IN (?) AND request_id = ?`;
const selectAnswer = `/* earlierAnswer */ SELECT answer FROM audit_log
  WHERE key_hash = ? AND action = ? AND target = ? AND answer IS NOT NULL LIMIT 1`;
const keepAnswer = '/* keepAuditAnswer */ UPDATE audit_log SET answer = ? WHERE audit_id = ?';
