import type { ChannelConnection } from '../connection/channel.ts';
import { jsonOf, rowOf } from '../rows/row.ts';

/**
 * What the same request was answered, when an earlier holder of its idempotency key has committed
 * this very change and only its answer was lost. Null: there was none, as for who holds the key
 * first; the audit log may know that key from before, since it is kept for much longer. Whoever
 * held the key before can commit nothing any more (`writeAudit`), so that no lock is needed.
 */
export async function earlierAnswer<T>(
  connection: ChannelConnection,
  { action, target }: { readonly action: string; readonly target: string },
): Promise<{ readonly answer: T } | null> {
  const keyClaim = connection.by?.keyClaim;
  if (keyClaim === undefined || keyClaim.takenNo === 1) return null;
  const decode = rowOf({ answer: jsonOf<T>() });
  const keys = [keyClaim.keyHash, action, target];
  return (await connection.rows(decode, selectAnswer, keys))[0] ?? null;
}

/** Keeps an answer for that, beside the audit row of its change and in the same transaction. */
export async function keepAuditAnswer(
  connection: ChannelConnection,
  auditId: number,
  answer: unknown,
): Promise<void> {
  if (connection.by?.keyClaim === undefined) return;
  await connection.change(writeAnswer, [JSON.stringify(answer), auditId]);
}

const selectAnswer = `/* earlierAnswer */ SELECT answer FROM audit_log
  WHERE key_hash = ? AND action = ? AND target = ? AND answer IS NOT NULL LIMIT 1`;
const writeAnswer = '/* keepAuditAnswer */ UPDATE audit_log SET answer = ? WHERE audit_id = ?';
