import type { ReapRequest, Verdict } from '../../domain/batch.ts';
import { reasons } from '../../domain/policies/reasons.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { tellEnds } from '../notices/tellLaunches.ts';
import { askAttempts, countEnded, decideAttempts } from './endAttempts.ts';
import { putBackSlots, recordUnfinished, releaseSlots } from './releaseSlots.ts';
import type { SlotContext } from './slotContext.ts';

/**
 * Frees what an ended session held on the stripes that this transaction holds. Every stripe is
 * visited, those without a row to be seen too: a transaction of the dead session that is still in
 * the server may hold one and commit a claim, and only its stripe's lock tells that it is over.
 * Prepared: the same tick is next. Executing: the run is `lost`, and the next tick is next, unless
 * the job wants a new attempt of what was lost.
 */
export async function reapSlots(
  connection: ChannelConnection,
  { notices, revisions }: Pick<SlotContext, 'notices' | 'revisions'>,
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
  const lost = rows
    .filter((row) => row.state === 'executing')
    .map((row) => ({ row, result: 'lost' as const }));
  const ended = await decideAttempts(connection, revisions, lost);
  const final = ended.filter(({ next }) => next === null);
  const again = ended.filter(({ next }) => next !== null);
  const { lost: reason } = reasons;
  const facts = { node: session.node_name as string, reason };
  await tellEnds(
    connection,
    notices,
    ended.map((each) => ({ ...each, facts })),
  );
  const finalIds = idsOf(final.map(({ row }) => row));
  const againIds = idsOf(again.map(({ row }) => row));
  await recordUnfinished(connection, finalIds, { result: 'lost', isFinal: true, reason });
  await recordUnfinished(connection, againIds, { result: 'lost', isFinal: false, reason });
  await askAttempts(connection, again);
  // Nothing of the session lived longer than its TTL; ticks after that are missed, not skipped.
  const livedUntil = session.lived_until as Date;
  await releaseSlots(connection, [...finalIds, ...againIds], livedUntil);
  await putBackSlots(connection, idsOf(rows.filter((row) => row.state === 'prepare')));
  await countEnded(connection, ended);
  return { verdict: 'reaped', stripes, slots: rows.length };
}

function idsOf(rows: readonly Row[]): number[] {
  return rows.map((row) => row.slot_id as number);
}

const readSessionState = `/* reapSlots session */ SELECT state, node_name,
    LEAST(NOW(3), renewed_at + INTERVAL ttl_ms * 1000 MICROSECOND) AS lived_until
  FROM session WHERE session_id = ?`;
const readOwned = `/* reapSlots read */ SELECT slot.slot_id, slot.state, slot.job_id,
    slot.node_name, slot.launch_id, slot.scheduled_for, slot.started_at, NOW(3) AS now_at,
    slot.triggered_by, slot.request_id, slot.attempt, job.revision AS job_revision,
    job.paused AS job_paused
  FROM slot JOIN job ON job.job_id = slot.job_id
  WHERE slot.session_id = ? AND slot.stripe IN (?) AND slot.state <> 'idle'`;
