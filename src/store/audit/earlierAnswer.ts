import type { ChannelConnection, Row } from '../channel.ts';

/**
 * What the same request was answered, when an earlier try of it, with the same idempotency key, has
 * committed this very change and only its answer was lost. For changes that are not safe to ask for
 * twice. Null: there was none. The caller holds the locks of the change.
 */
export async function earlierAnswer<T>(
  connection: ChannelConnection,
  action: string,
  target: string,
): Promise<T | null> {
  const keyClaim = connection.by?.keyClaim;
  if (keyClaim === undefined) return null;
  const [row] = await connection.query<Row[]>(selectAnswer, [keyClaim.keyHash, action, target]);
  return row === undefined ? null : (JSON.parse(row.answer as string) as T);
}

const selectAnswer = `/* earlierAnswer */ SELECT answer FROM audit_log
  WHERE key_hash = ? AND action = ? AND target = ? AND answer IS NOT NULL LIMIT 1`;
