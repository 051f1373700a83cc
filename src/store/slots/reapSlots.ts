import type { ReapRequest, Verdict } from '../../domain/batch.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { putBackSlots, recordUnfinished, releaseSlots } from './releaseSlots.ts';

/**
 * Frees what an ended session held on the stripes that this transaction holds. Every stripe is
 * visited, those without a row to be seen too: a transaction of the dead session that is still in
 * the server may hold one and commit a claim, and only its stripe's lock tells that it is over.
 * Prepared: the same tick is next. Executing: the run is `lost`, and the next tick is next.
 */
export async function reapSlots(
  connection: ChannelConnection,
  request: ReapRequest,
  held: ReadonlySet<number>,
): Promise<Verdict> {
  const stripes = request.stripes.filter((stripe) => held.has(stripe));
  const [session] = await connection.query<Row[]>(readSessionState, [request.sessionId]);
  if (session === undefined || session.state === 'live') {
    return { verdict: 'refused', reason: 'the session is live' };
  }
  if (stripes.length === 0) return { verdict: 'reaped', stripes, slots: 0 };
  const rows = await connection.query<Row[]>(readOwned, [request.sessionId, stripes]);
  const idsIn = (state: string) =>
    rows.filter((row) => row.state === state).map((row) => row.slot_id as number);
  const executing = idsIn('executing');
  await recordUnfinished(connection, executing, {
    result: 'lost',
    isFinal: true,
    reason: 'its node was lost while it ran',
  });
  // Nothing of the session lived longer than its TTL; ticks after that are missed, not skipped.
  await releaseSlots(connection, executing, session.lived_until as Date);
  await putBackSlots(connection, idsIn('prepare'));
  return { verdict: 'reaped', stripes, slots: rows.length };
}

const readSessionState = `/* reapSlots session */ SELECT state,
    LEAST(NOW(3), renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND) AS lived_until
  FROM session WHERE session_id = ?`;
const readOwned = `/* reapSlots read */ SELECT slot_id, state FROM slot
  WHERE session_id = ? AND stripe IN (?) AND state <> 'idle'`;
