import type { ReapRequest, Verdict } from '../../domain/commit/batch.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import type { SlotState } from '../../domain/run/arrows.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { notifyEnds } from '../notifications/notifyLaunches.ts';
import { partition } from '../rows/partition.ts';
import { instantMs, nullable, rowOf, text, wordOf } from '../rows/row.ts';
import { endingColumns, selectEnding } from '../slots/endingSlot.ts';
import { idsOf, putBackSlots, recordUnfinished, releaseSlots } from '../slots/releaseSlots.ts';
import { countEnded, decideAttempts, requestAttempts } from './endAttempts.ts';
import type { SlotContext } from './slotContext.ts';

/**
 * Frees what an ended session held on the stripes that this transaction holds. Every stripe is
 * visited, those without a row to be seen too: a transaction of the dead session that is still in
 * the server may hold one and commit a claim, and only its stripe's lock shows that it is over.
 * Prepared: the same tick is next. Executing: the run is `lost`, and the next tick is next, unless
 * the job wants a new attempt of what was lost.
 */
export async function reapSlots(
  connection: ChannelConnection,
  { notifications, revisions }: Pick<SlotContext, 'notifications' | 'revisions'>,
  request: ReapRequest,
  held: ReadonlySet<number>,
): Promise<Verdict> {
  const stripes = request.stripes.filter((stripe) => held.has(stripe));
  const [session] = await connection.rows(reapedSession, readSessionState, [request.sessionId]);
  if (session === undefined || session.state === 'live') {
    return { verdict: 'refused', reason: 'the session is live' };
  }
  if (stripes.length === 0) return { verdict: 'reaped', stripes, slots: 0 };
  const slots = await connection.rows(ownedSlot, readOwned, [request.sessionId, stripes]);
  const reason = reasons.lost(session.endedWhy);
  const facts = { node: session.nodeName, reason };
  const lost = slots
    .filter(({ state }) => state === 'executing')
    .map((slot) => ({ slot, result: 'lost' as const, facts }));
  const ended = await decideAttempts(connection, revisions, lost);
  const [final, again] = partition(ended, ({ next }) => next === null);
  await notifyEnds(connection, notifications, ended);
  const finalIds = idsOf(final.map(({ slot }) => slot));
  const againIds = idsOf(again.map(({ slot }) => slot));
  await recordUnfinished(connection, finalIds, { result: 'lost', isFinal: true, reason });
  await recordUnfinished(connection, againIds, { result: 'lost', isFinal: false, reason });
  await requestAttempts(connection, again);
  // Nothing of the session lived longer than its TTL; ticks after that are missed, not skipped.
  await releaseSlots(connection, [...finalIds, ...againIds], session.livedUntilMs);
  await putBackSlots(connection, idsOf(slots.filter(({ state }) => state === 'prepare')));
  await countEnded(connection, ended);
  return { verdict: 'reaped', stripes, slots: slots.length };
}

const reapedSession = rowOf({
  state: wordOf<'live' | 'ended'>(),
  nodeName: text,
  endedWhy: nullable(text),
  livedUntilMs: instantMs,
});
const readSessionState = `/* reapSlots session */ SELECT state, node_name, ended_why,
    LEAST(NOW(3), renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND) AS lived_until
  FROM session WHERE session_id = ?`;
const ownedSlot = rowOf({ ...endingColumns, state: wordOf<SlotState>() });
const readOwned = `/* reapSlots read */ SELECT ${selectEnding}, slot.state
  FROM slot JOIN job ON job.job_id = slot.job_id
  WHERE slot.session_id = ? AND slot.stripe IN (?) AND slot.state <> 'idle'`;
