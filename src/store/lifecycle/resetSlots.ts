import { done, type ResetRequest, refusedAs, type Verdict } from '../../domain/commit/batch.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import type { SlotState } from '../../domain/run/arrows.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { partition } from '../rows/partition.ts';
import { each, flag, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';
import { idsOf, putBackSlots, recordUnfinished, releaseSlots } from '../slots/releaseSlots.ts';

/**
 * prepare or executing → idle for launches that nobody carries on: own rows that no slot actor of
 * this process knows (their claim or start had an unknown outcome), prepared rows given back by a
 * node that drains, and rows that another live node let pass by ten seconds (prepare only).
 * A launch in executing was never spawned, since spawning needs an acknowledged start: its row says
 * `not_started` and the same tick is next, unless the job was edited meanwhile, which the row ends.
 */
export async function resetSlots(
  connection: ChannelConnection,
  sessionId: string,
  requests: readonly ResetRequest[],
): Promise<Verdict[]> {
  if (requests.length === 0) return [];
  const slotIds = requests.map((request) => request.slotId);
  const slots = await connection.rows(heldSlot, readHeld, [slotIds]);
  const slotByLaunch = new Map(slots.map((slot) => [slot.launchId, slot]));
  const allowed = requests.flatMap((request) => {
    const slot = slotByLaunch.get(request.launchId);
    return slot !== undefined && mayReset(slot, request, sessionId) ? [slot] : [];
  });
  // While a stripe is busy the same reset is requested again and comes into the same batch.
  const held = [...new Set(allowed)];

  const prepared = held.filter(({ state }) => state === 'prepare');
  const unspawned = held.filter(({ state }) => state === 'executing');
  const [kept, edited] = partition(unspawned, (slot) => slot.revision === slot.jobRevision);
  const ending = { result: 'not_started', reason: reasons.notStarted } as const;
  await recordUnfinished(connection, idsOf(kept), { ...ending, isFinal: false });
  await recordUnfinished(connection, idsOf(edited), { ...ending, isFinal: true });
  await putBackSlots(connection, idsOf([...prepared, ...kept]));
  await releaseSlots(connection, idsOf(edited));

  const reset = new Set(held.map(({ launchId }) => launchId));
  return requests.map(({ launchId }) =>
    reset.has(launchId) ? done : refusedAs('the slot does not hold the launch any more'),
  );
}

function mayReset(
  slot: ReturnType<typeof heldSlot>,
  { why }: ResetRequest,
  sessionId: string,
): boolean {
  if (why === 'overdue') return slot.state === 'prepare' && slot.isOverdue === true;
  if (why === 'draining') return slot.state === 'prepare' && slot.sessionId === sessionId;
  return slot.sessionId === sessionId;
}

const heldSlot = rowOf({
  ...each(integer, 'slotId', 'jobRevision'),
  ...each(nullable(text), 'launchId', 'sessionId'),
  state: wordOf<SlotState>(),
  revision: nullable(integer),
  isOverdue: nullable(flag),
});
const readHeld = `/* resetSlots read */ SELECT slot.slot_id, slot.launch_id, slot.state,
    slot.session_id, slot.revision, job.revision AS job_revision,
    slot.next_run_at < NOW(3) - INTERVAL 10 SECOND AS is_overdue
  FROM slot JOIN job ON job.job_id = slot.job_id
  WHERE slot.slot_id IN (?) AND slot.state <> 'idle'`;
