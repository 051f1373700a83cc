import { fieldStoredAs } from '../../job/fields.ts';
import { CombinedInstants } from '../combinedInstants.ts';
import type { ScheduleFields, ScheduleSet, ScheduleSetFault } from '../schedule.ts';
import { namedTerms, ticksOfSet } from '../setTicks.ts';
import { zoneOf } from '../zone.ts';
import { readScheduleSet } from './readScheduleSet.ts';
import { scheduleFaults } from './scheduleFaults.ts';

/** A request for the next ticks, by flags or by a line of JSON. */
export interface NextRequest extends Omit<ScheduleFields, 'name' | 'timezone'> {
  /** A zone in the text wins: the one given is where the text would stand without it. */
  readonly timezone: string | undefined;
  readonly jobName: string | undefined;
  readonly fromMs: number;
  readonly count: number;
}

/**
 * What the zone's clock does at a tick. `shifted`: it stands at the end of a gap, for wall times
 * that do not exist; `first pass`, `second pass`: what the clock shows comes twice.
 */
type TickMark = 'shifted' | 'first pass' | 'second pass';

/** The next ticks as ISO instants. */
interface NextTicks {
  readonly next: readonly string[];
  /** Of those ticks where a zone's clock changes, by instant; absent: there are none. */
  readonly marks?: Readonly<Record<string, TickMark>>;
}

export type NextAnswer = NextTicks | { readonly error: string };

/** The next ticks of a request, strictly after its instant, or what is wrong with it. */
export function answerNext(request: NextRequest): NextAnswer {
  const set = setOfRequest(request);
  if (!('error' in set)) return nextOfSet(set, request);
  const { error, field } = set;
  // A message about the schedule itself begins with the field within it.
  return {
    error: field === 'schedule' ? error : `${fieldStoredAs(field)?.flag ?? field}: ${error}`,
  };
}

/** The schedules of a request, or what is wrong with them. */
export function setOfRequest(request: NextRequest): ScheduleSet | ScheduleSetFault {
  return readScheduleSet(...readingOf(request));
}

/** All that is wrong with the schedules of a request. */
export function faultsOfRequest(request: NextRequest): ScheduleSetFault[] {
  return scheduleFaults(...readingOf(request));
}

function readingOf(request: NextRequest) {
  const { timezone: defaultTimezone, jobName = '', fromMs: _, count: __, ...fields } = request;
  return [{ ...fields, name: jobName, timezone: undefined }, { defaultTimezone }] as const;
}

/** The next ticks of a set, strictly after an instant. */
export function nextOfSet(
  set: ScheduleSet,
  { fromMs, count }: Pick<NextRequest, 'fromMs' | 'count'>,
): NextTicks {
  const ticks = ticksOfSet(set, fromMs);
  const markOf = tickMarker(set);
  const next: string[] = [];
  const marks: [string, TickMark][] = [];
  for (let afterMs = fromMs; next.length < count; ) {
    const tickMs = ticks.next(afterMs);
    if (tickMs === null) break;
    const instant = new Date(tickMs).toISOString();
    const mark = markOf(tickMs);
    next.push(instant);
    if (mark !== null) marks.push([instant, mark]);
    afterMs = tickMs;
  }
  return marks.length === 0 ? { next } : { next, marks: Object.fromEntries(marks) };
}

/**
 * Returns the marks of a set's ticks, in epoch milliseconds; null for most. Those of `@every` have
 * none: they do not follow the clock.
 */
function tickMarker(set: ScheduleSet): (tickMs: number) => TickMark | null {
  const { excluded, schedules, timezone } = set;
  const zone = zoneOf(timezone);
  const clock = new CombinedInstants({ zone, named: namedTerms(schedules), excluded });
  const ats = schedules.flatMap(({ plan }) => (plan.kind === 'at' ? [plan] : []));
  return (tickMs) => {
    const at = tickMs / 1000;
    if (clock.isShifted(at)) return 'shifted';
    const isNamed = clock.has(at);
    if (!isNamed && ats.some(({ shiftedSeconds }) => shiftedSeconds.includes(at))) return 'shifted';
    if (!isNamed && !ats.some(({ atSeconds }) => atSeconds.includes(at))) return null;
    const { start, end, offset, offsetBefore, offsetAfter } = zone.spanAt(at);
    if (at + offset < start + offsetBefore) return 'second pass';
    return at + offset >= end + offsetAfter ? 'first pass' : null;
  };
}
