import {
  done,
  early,
  refusedAs,
  type StartRequest,
  type Verdict,
} from '../../domain/commit/batch.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import type { SlotState } from '../../domain/run/arrows.ts';
import type { Launch } from '../../domain/run/launch.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { notifyStarts } from '../notifications/notifyLaunches.ts';
import { notifyTooLate } from '../notifications/notifyMissed.ts';
import { partition } from '../rows/partition.ts';
import { instantMs, integer, rowOf, text, wordOf } from '../rows/row.ts';
import { idsOf, recordUnfinished, releaseSlots } from '../slots/releaseSlots.ts';
import type { SlotContext } from './slotContext.ts';

/**
 * prepare → executing, for launches whose tick has come. The stripes are held and the session was
 * read as live. The row's own state and launch id are the whole guard: a pause, an edit or a
 * removal has taken every prepared launch back in its own transaction (changeSlots.ts).
 */
export async function startSlots(
  connection: ChannelConnection,
  context: Pick<SlotContext, 'notifications' | 'nodeName' | 'sessionId'>,
  requests: readonly StartRequest[],
): Promise<Verdict[]> {
  if (requests.length === 0) return [];
  const { nodeName, notifications, sessionId } = context;
  await waitForTick(connection, requests);
  const late = await endLate(connection, sessionId, requests);
  const inTime = requests.filter(({ launchId }) => !late.has(launchId));
  const [delayed, punctual] = partition(inTime, ({ isDelayed }) => isDelayed === true);
  const start = async (statement: string, chosen: readonly StartRequest[]) => {
    if (chosen.length === 0) return 0;
    const deadlines = deadlinesOf(chosen);
    const parameters = [...addressesOf(chosen), sessionId];
    if (deadlines.size === 0) return connection.change(statement, parameters);
    const untils = [...deadlines.values()].map((ms) => new Date(ms));
    return connection.change(statement + inTimeOnly, [
      ...parameters,
      [...deadlines.keys()],
      untils,
    ]);
  };
  const affected = (await start(startStatement, punctual)) + (await start(startDelayed, delayed));
  if (affected > inTime.length) throw new Error('startSlots changed more rows than were requested');

  const isAll = affected === inTime.length;
  const rows = isAll ? [] : await connection.rows(launchState, selectStates, addressesOf(inTime));
  const states = new Map(rows.map(({ launchId, state }) => [launchId, state]));
  const stateOf = ({ launchId }: StartRequest) => (isAll ? 'executing' : states.get(launchId));
  const started = inTime.filter((request) => stateOf(request) === 'executing');
  await notifyStarts(connection, notifications, launchesOf(started), nodeName);
  const tooLate = requests.filter(({ launchId }) => late.has(launchId));
  await notifyTooLate(connection, notifications, launchesOf(tooLate));
  return requests.map((request) => {
    if (late.has(request.launchId)) return refusedAs(reasons.tooLate);
    const state = stateOf(request);
    if (state === 'executing') return done;
    return state === 'prepare' ? early : refusedAs('the launch was taken back');
  });
}

function launchesOf(requests: readonly StartRequest[]): Launch[] {
  return requests.flatMap(({ launch }) => (launch === undefined ? [] : [launch]));
}

/** Ends the launches that came too late to be worth it, with their history rows. */
async function endLate(
  connection: ChannelConnection,
  sessionId: string,
  requests: readonly StartRequest[],
): Promise<ReadonlySet<string>> {
  const deadlines = deadlinesOf(requests);
  if (deadlines.size === 0) return new Set();
  const parameters = [[...deadlines.keys()], sessionId];
  const slots = await connection.rows(preparedSlot, selectPrepared, parameters);
  const late = slots.filter(({ launchId, nowMs }) => nowMs > (deadlines.get(launchId) ?? Infinity));
  const ending = { result: 'missed', isFinal: true, reason: reasons.tooLate } as const;
  await recordUnfinished(connection, idsOf(late), ending);
  await releaseSlots(connection, idsOf(late));
  return new Set(late.map(({ launchId }) => launchId));
}

/** The start deadlines of the launches that have one, milliseconds since 1970, by launch id. */
function deadlinesOf(requests: readonly StartRequest[]): ReadonlyMap<string, number> {
  return new Map(
    requests.flatMap(({ launchId, startBeforeMs }) =>
      startBeforeMs === undefined ? [] : [[launchId, startBeforeMs]],
    ),
  );
}

function addressesOf(requests: readonly StartRequest[]): [number[], string[]] {
  return [requests.map(({ slotId }) => slotId), requests.map(({ launchId }) => launchId)];
}

/**
 * Starts are requested a few milliseconds ahead, so that the locks are had when the tick comes: the
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
const startStatement = `/* startSlots */ UPDATE slot FORCE INDEX (PRIMARY)
  SET state = 'executing', started_at = NOW(3)
  WHERE slot_id IN (?) AND launch_id IN (?) AND state = 'prepare' AND session_id = ?
    AND scheduled_for <= NOW(3)`;
const startDelayed = `${startStatement} AND next_run_at <= NOW(3)`;
/** Time passes between `selectPrepared` and the start: a deadline that is over by then counts. */
const inTimeOnly = `
    AND NOW(3) <= COALESCE(CAST(ELT(FIELD(launch_id, ?), ?) AS DATETIME(3)), NOW(3))`;
const preparedSlot = rowOf({ slotId: integer, launchId: text, nowMs: instantMs });
const selectPrepared = `/* startSlots late */ SELECT slot_id, launch_id, NOW(3) AS now FROM slot
  WHERE launch_id IN (?) AND session_id = ? AND state = 'prepare'`;
const launchState = rowOf({ launchId: text, state: wordOf<SlotState>() });
const selectStates = `/* startSlots states */ SELECT launch_id, state FROM slot
  WHERE slot_id IN (?) AND launch_id IN (?)`;
