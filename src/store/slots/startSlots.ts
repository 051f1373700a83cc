import { done, early, refusedAs, type StartRequest, type Verdict } from '../../domain/batch.ts';
import type { ChannelConnection, Row } from '../channel.ts';

/**
 * prepare → executing, for launches whose tick has come. The stripes are held and the session was
 * read as live. The row's own state and launch id are the whole guard: a pause, an edit or a
 * removal has taken every prepared launch back in its own transaction (see withdrawSlots).
 */
export async function startSlots(
  connection: ChannelConnection,
  sessionId: string,
  requests: readonly StartRequest[],
): Promise<Verdict[]> {
  if (requests.length === 0) return [];
  const slotIds = requests.map((request) => request.slotId);
  const launchIds = requests.map((request) => request.launchId);
  await waitForTick(connection, requests);
  const affected = await connection.change(startStatement, [slotIds, launchIds, sessionId]);
  if (affected === requests.length) return requests.map(() => done);
  if (affected > requests.length) throw new Error('startSlots changed more rows than it was asked');

  const rows = await connection.query<Row[]>(readStates, [slotIds, launchIds]);
  const stateByLaunch = new Map(rows.map((row) => [row.launch_id as string, row.state as string]));
  return requests.map(({ launchId }) => {
    const state = stateByLaunch.get(launchId);
    if (state === 'executing') return done;
    return state === 'prepare' ? early : refusedAs('the launch was taken back');
  });
}

/**
 * Starts are asked for a few milliseconds ahead, so that the locks are had when the tick comes: the
 * rest of the way to the tick is waited for here, by the database's own clock.
 */
async function waitForTick(
  connection: ChannelConnection,
  requests: readonly StartRequest[],
): Promise<void> {
  const untilMs = Math.max(...requests.map(({ waitUntilMs }) => waitUntilMs ?? 0));
  if (untilMs > 0) await connection.query(waitStatement, [waitSecondsMax, new Date(untilMs)]);
}

const waitSecondsMax = 0.02;

const waitStatement = `/* startSlots wait */ DO SLEEP(LEAST(?,
  GREATEST(0, TIMESTAMPDIFF(MICROSECOND, NOW(6), ?) / 1000000)))`;
const startStatement = `/* startSlots */ UPDATE slot
  SET state = 'executing', started_at = NOW(3)
  WHERE slot_id IN (?) AND launch_id IN (?) AND state = 'prepare' AND session_id = ?
    AND scheduled_for <= NOW(3)`;
const readStates = `/* startSlots states */ SELECT launch_id, state FROM slot
  WHERE slot_id IN (?) AND launch_id IN (?)`;
