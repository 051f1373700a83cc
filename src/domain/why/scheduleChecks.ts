import { reasons } from '../reasons/reasons.ts';
import { noTicks, type TickSource } from '../run/tickSource.ts';
import { nothingExcluded } from '../schedule/combinedInstants.ts';
import { readScheduleSet } from '../schedule/read/readScheduleSet.ts';
import type { ScheduleSet } from '../schedule/schedule.ts';
import { isAnyExcluded, ticksOfSet } from '../schedule/setTicks.ts';
import { shellWord } from '../text/quoteForShell.ts';
import { type Check, failed, iso, passed, unknown } from './check.ts';
import type { Forecast } from './forecastClaims.ts';
import { jobLink } from './jobChecks.ts';
import type { JobFacts, WhyFacts } from './whyFacts.ts';

/** The job's schedules as they are read; null: they cannot be read here. */
export interface ReadSchedule {
  readonly set: ScheduleSet | null;
  readonly fault: string | null;
  readonly ticks: TickSource;
}

export function readSchedule({ definition, inForceFromMs }: JobFacts): ReadSchedule {
  const set = readScheduleSet(definition);
  if ('error' in set) return { set: null, fault: set.error, ticks: noTicks };
  return { set, fault: null, ticks: ticksOfSet(set, inForceFromMs) };
}

/** Which times its schedule names. */
export function scheduleChecks(
  facts: WhyFacts,
  schedule: ReadSchedule,
  forecasts: readonly Forecast[],
): Check[] {
  return [
    windowCheck(facts, schedule),
    exclusionsCheck(facts, schedule),
    scheduleCheck(facts, schedule, forecasts),
    skippedCheck(facts, schedule, forecasts),
  ];
}

function windowCheck({ nowMs }: WhyFacts, { set }: ReadSchedule): Check {
  if (set === null) return unknown('window', 'Its schedule cannot be read here.');
  const { notAfterMs, notBeforeMs } = set;
  if (notBeforeMs > nowMs) {
    return failed('window', `It has no tick before ${iso(notBeforeMs)} (not-before).`);
  }
  if (notAfterMs < nowMs) {
    return failed('window', `It has no tick after ${iso(notAfterMs)} (not-after).`);
  }
  const isOpen = !Number.isFinite(notBeforeMs) && !Number.isFinite(notAfterMs);
  return passed('window', isOpen ? 'It has no window of time.' : 'Now is in its window of time.');
}

function exclusionsCheck({ job, nowMs }: WhyFacts, { set, ticks }: ReadSchedule): Check {
  if (set === null) return unknown('exclusions', 'Its schedule cannot be read here.');
  if (!isAnyExcluded(set.excluded)) return passed('exclusions', 'No time is excluded.');
  const named = ticksOfSet({ ...set, excluded: nothingExcluded }, job.inForceFromMs);
  const lastMs = named.lastAtOrBefore(nowMs);
  const nextMs = named.next(nowMs);
  const wasExcluded = lastMs !== null && lastMs !== ticks.lastAtOrBefore(nowMs);
  const isExcluded = nextMs !== null && nextMs !== ticks.next(nowMs);
  if (!wasExcluded && !isExcluded) {
    return passed('exclusions', 'Neither its last tick nor its next one is excluded.');
  }
  const last = wasExcluded ? `${iso(lastMs)} was excluded` : null;
  const next = isExcluded ? `${iso(nextMs)} is excluded` : null;
  const text = [last, next].filter((each) => each !== null).join(', and ');
  return failed('exclusions', `${text} (exclude).`);
}

function scheduleCheck(
  { job, nowMs }: WhyFacts,
  { fault, set, ticks }: ReadSchedule,
  forecasts: readonly Forecast[],
): Check {
  const { after = [], timezone } = job.definition;
  if (set === null) return failed('schedule', `Its schedule cannot be read here: ${fault}.`);
  if (set.schedules.every(({ kind }) => kind === 'manual')) {
    const chain = after.length === 0 ? '' : ', or after other jobs';
    return passed('schedule', `It has no schedule: it runs when it is requested${chain}.`, {
      hint: after.length === 0 ? `statecron job run ${shellWord(job.name)}` : null,
    });
  }
  const link = `${jobLink(job.name)}/next`;
  const nextMs = ticks.next(nowMs);
  const isLeft = forecasts.some(({ cursorMs }) => cursorMs !== null);
  if (nextMs === null && !isLeft) {
    const lastMs = ticks.lastAtOrBefore(nowMs);
    const last = lastMs === null ? '' : `; the last was ${iso(lastMs)}`;
    return failed('schedule', `Its schedule names no tick any more${last}.`, { link });
  }
  const text =
    nextMs === null
      ? 'Its schedule names no tick after those that are left.'
      : `Its schedule names ${iso(nextMs)} next (${timezone}).`;
  return passed('schedule', text, { link });
}

/** Of ticks that are to come, those that the cursor has passed without a launch of theirs. */
function skippedCheck(
  { job, nowMs, pending, slots }: WhyFacts,
  { ticks }: ReadSchedule,
  forecasts: readonly Forecast[],
): Check {
  const cursors = forecasts.map(({ cursorMs }) => cursorMs ?? Number.POSITIVE_INFINITY);
  const none = passed('skipped', 'No coming tick is skipped.');
  if (job.isPaused || job.removedMs !== null || cursors.length === 0) return none;
  const launched = new Set(
    [...slots, ...pending].flatMap(({ scheduledForMs }) => scheduledForMs ?? []),
  );
  let tickMs = ticks.next(nowMs);
  for (let walked = 0; tickMs !== null && launched.has(tickMs); walked += 1) {
    if (walked === walkedMax) return none;
    tickMs = ticks.next(tickMs);
  }
  if (tickMs === null || tickMs >= Math.min(...cursors)) return none;
  return failed('skipped', `An operator had the tick of ${iso(tickMs)} skipped.`, {
    ...{ reason: reasons.skipped, link: `/api/v1/runs?job=${encodeURIComponent(job.name)}` },
  });
}

/** A job has at most so many ticks prepared ahead that are looked at. */
const walkedMax = 10;
