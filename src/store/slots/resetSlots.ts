import { done, type ResetRequest, refusedAs, type Verdict } from '../../domain/batch.ts';
import { reasons } from '../../domain/policies/reasons.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { putBackSlots, recordUnfinished, releaseSlots } from './releaseSlots.ts';

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
  const rows = await connection.query<Row[]>(readHeld, [slotIds]);
  const rowByLaunch = new Map(rows.map((row) => [row.launch_id as string, row]));
  const allowed = requests.flatMap((request) => {
    const row = rowByLaunch.get(request.launchId);
    return row !== undefined && mayReset(row, request, sessionId) ? [row] : [];
  });
  // While a stripe is busy the same reset is asked for again and comes into the same batch.
  const held = [...new Set(allowed)];

  const prepared = held.filter((row) => row.state === 'prepare');
  const unspawned = held.filter((row) => row.state === 'executing');
  const [kept, edited] = partition(unspawned, (row) => row.revision === row.job_revision);
  const reason = reasons.notStarted;
  await recordUnfinished(connection, idsOf(kept), {
    result: 'not_started',
    isFinal: false,
    reason,
  });
  await recordUnfinished(connection, idsOf(edited), {
    result: 'not_started',
    isFinal: true,
    reason,
  });
  await putBackSlots(connection, idsOf([...prepared, ...kept]));
  await releaseSlots(connection, idsOf(edited));

  const reset = new Set(held.map((row) => row.launch_id as string));
  return requests.map(({ launchId }) =>
    reset.has(launchId) ? done : refusedAs('the slot does not hold the launch any more'),
  );
}

function mayReset(row: Row, request: ResetRequest, sessionId: string): boolean {
  if (request.why === 'overdue') return row.state === 'prepare' && row.is_overdue === 1;
  if (request.why === 'draining') return row.state === 'prepare' && row.session_id === sessionId;
  return row.session_id === sessionId;
}

function idsOf(rows: readonly Row[]): number[] {
  return rows.map((row) => row.slot_id as number);
}

function partition(rows: readonly Row[], test: (row: Row) => boolean): [Row[], Row[]] {
  return [rows.filter(test), rows.filter((row) => !test(row))];
}

const readHeld = `/* resetSlots read */ SELECT slot.slot_id, slot.launch_id, slot.state,
    slot.session_id, slot.revision, job.revision AS job_revision,
    slot.next_run_at < NOW(3) - INTERVAL 10 SECOND AS is_overdue
  FROM slot JOIN job ON job.job_id = slot.job_id
  WHERE slot.slot_id IN (?) AND slot.state <> 'idle'`;
