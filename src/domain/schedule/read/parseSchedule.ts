import { searchYearsMax } from '../calendar.ts';
import type { FoldRule, GapRule } from '../clockChangeRule.ts';
import { CombinedInstants, nothingExcluded } from '../combinedInstants.ts';
import {
  type Dialect,
  isScheduleFault,
  type Plan,
  type Schedule,
  type ScheduleFault,
} from '../schedule.ts';
import { lastTickAtOrBefore, nextTick } from '../ticks.ts';
import { instantOfWall, zoneOf } from '../zone.ts';
import { neverFault, readCron } from './readCron.ts';
import { type AtTime, canonicalAt, readDescriptor } from './readDescriptor.ts';
import type { FieldContext } from './readField.ts';
import { isSameTimezone, readPrefixTimezone, readTimezone } from './readTimezone.ts';

export interface ScheduleOptions {
  /** The job's own zone. A `CRON_TZ=` in the text must then name the same one. */
  readonly timezone?: string | undefined;
  /** The zone when neither job nor text names one; `UTC` without it. */
  readonly defaultTimezone?: string | undefined;
  readonly dialect?: Dialect | undefined;
  /** What `H` is hashed from. */
  readonly jobName?: string | undefined;
  /** Overrides the rule for wall times that do not exist. */
  readonly gap?: GapRule | undefined;
  /** Overrides the rule for wall times that come twice. */
  readonly fold?: FoldRule | undefined;
  /**
   * The present, given when a job is saved: "nothing within 50 years" then counts from here, and a
   * schedule whose time is past is accepted with a warning. Without it only what can never be is
   * refused.
   */
  readonly nowMs?: number | undefined;
}

const textMax = 512;

/**
 * Reads a schedule: 5, 6 or 7 cron fields, `@daily` and its like, `@every`, `@at`, `@manual`, with
 * an optional `CRON_TZ=` or `TZ=` before. Never throws on any text; answers well within 20 ms.
 *
 * The daylight-saving rules, unless overridden: a fixed time in a gap runs once, at the first
 * instant after it (`shift`) and in an overlap on the first pass; an interval (minute or hour
 * starts with a star or covers every value) skips the gap and runs in both passes.
 */
export function parseSchedule(
  text: string,
  options: ScheduleOptions = {},
): Schedule | ScheduleFault {
  const characters = charactersFault(text);
  if (characters !== null) return characters;
  const prefix = /^(?:CRON_TZ|TZ)=([^ \t]*) +([^ \t].*)$/.exec(text);
  const zone = chooseTimezone(prefix?.[1] ?? null, options);
  if (isScheduleFault(zone)) return zone;
  const body = (prefix?.[2] ?? text).replace(/^[ \t]+|[ \t]+$/g, '');
  if (!body.startsWith('@')) {
    const context = { dialect: options.dialect ?? 'unix', jobName: options.jobName } as const;
    return cronSchedule(text, body, context, zone, options);
  }
  const descriptor = readDescriptor(body);
  if (isScheduleFault(descriptor)) return descriptor;
  if ('fields' in descriptor) {
    return cronSchedule(text, descriptor.fields, { dialect: 'unix' }, zone, options);
  }
  if ('plan' in descriptor) {
    const { plan, canonical } = descriptor;
    return checkedDescriptor(schedule(text, canonical, zone, plan, options, []), options);
  }
  return atSchedule(text, descriptor.times, zone, options);
}

interface ZoneChoice {
  readonly timezone: string;
  readonly warning?: string;
}

function charactersFault(text: string): ScheduleFault | null {
  if (text.length > textMax) {
    const error = `text: ${text.length} characters; allowed: at most ${textMax}`;
    return { error, field: 'text', allowed: `at most ${textMax} characters` };
  }
  const odd = /[^\t -~]/u.exec(text);
  if (odd !== null) {
    const code = (odd[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const allowed = 'ASCII, blanks, tabs';
    const error = `text: character U+${code} at position ${odd.index + 1}; allowed: ${allowed}`;
    return { error, field: 'text', item: odd[0], allowed };
  }
  if (/^[ \t]*$/.test(text)) {
    return { error: 'text: empty; allowed: 5, 6 or 7 fields or a descriptor', field: 'text' };
  }
  return null;
}

function chooseTimezone(
  prefix: string | null,
  options: ScheduleOptions,
): ZoneChoice | ScheduleFault {
  const own = options.timezone === undefined ? null : readTimezone(options.timezone);
  if (own !== null && isScheduleFault(own)) return own;
  if (prefix === null) return own ?? readTimezone(options.defaultTimezone ?? 'UTC');
  const written = readPrefixTimezone(prefix);
  if (isScheduleFault(written)) return written;
  if (own !== null && !isSameTimezone(own.timezone, written.timezone)) {
    const allowed = 'one of them, or both equal';
    const both = `the text says ${prefix}, the job says ${own.timezone}`;
    const error = `timezone: ${both}; allowed: ${allowed}`;
    return { error, field: 'timezone', item: prefix, allowed };
  }
  return written;
}

function cronSchedule(
  text: string,
  body: string,
  context: FieldContext,
  zone: ZoneChoice,
  options: ScheduleOptions,
): Schedule | ScheduleFault {
  const reading = readCron(body, context);
  if (isScheduleFault(reading)) return reading;
  const { term, canonical, interval } = reading;
  const defaults = interval
    ? ({ gap: 'skip', fold: 'both' } as const)
    : ({ gap: 'shift', fold: 'first' } as const);
  const rule = { gap: options.gap ?? defaults.gap, fold: options.fold ?? defaults.fold };
  const instants = new CombinedInstants({
    zone: zoneOf(zone.timezone),
    named: [{ term, ...rule }],
    everySeconds: [],
    anchor: Number.NEGATIVE_INFINITY,
    excluded: nothingExcluded,
  });
  const plan = { kind: 'cron', term, instants } as const;
  const made = schedule(text, canonical, zone, plan, rule, reading.warnings);
  return checkedForNever(made, term.calendar.years, options.nowMs);
}

function atSchedule(
  text: string,
  times: readonly AtTime[],
  zone: ZoneChoice,
  options: ScheduleOptions,
): Schedule | ScheduleFault {
  const rule = { gap: options.gap ?? 'shift', fold: options.fold ?? 'first' };
  const clock = zoneOf(zone.timezone);
  const placed = new Set<number>();
  const shifted = new Set<number>();
  for (const { seconds, isLocal } of times) {
    const at = isLocal ? instantOfWall(clock, seconds, rule) : seconds;
    if (at === null) {
      const wall = new Date(seconds * 1000).toISOString().slice(0, 19);
      return { error: `@at: ${wall} does not exist in ${zone.timezone}`, field: 'descriptor' };
    }
    placed.add(at);
    if (isLocal && at + clock.spanAt(at).offset !== seconds) shifted.add(at);
  }
  const atSeconds = [...placed].sort((one, other) => one - other);
  const plan: Plan = { kind: 'at', atSeconds, shiftedSeconds: [...shifted] };
  const made = schedule(text, canonicalAt(atSeconds), zone, plan, rule, []);
  return checkedDescriptor(made, options);
}

/** `@every` and `@manual` always have a future; `@at` is checked when there is a present. */
function checkedDescriptor(made: Schedule, options: ScheduleOptions): Schedule | ScheduleFault {
  if (made.kind !== 'at' || options.nowMs === undefined) return made;
  return checkedForNever(made, null, options.nowMs);
}

/** Refuses what never comes. What is only past is finished: old jobs can still be shown. */
function checkedForNever(
  made: Schedule,
  years: readonly number[] | null,
  nowMs: number | undefined,
): Schedule | ScheduleFault {
  if (nowMs === undefined) {
    const start = years === null ? someYear : Date.UTC(years[0] ?? 1970, 0, 1) - 2 * 86_400_000;
    return nextTick(made, start) === null ? neverFault(made.canonical) : made;
  }
  const first = nextTick(made, nowMs);
  if (first !== null && first - nowMs <= searchMsMax) return made;
  const last = years === null && made.kind !== 'at' ? null : lastTickAtOrBefore(made, nowMs);
  if (first !== null || last === null) return neverFault(made.canonical);
  return { ...made, warnings: [...made.warnings, finishedWarning] };
}

/** The warning of a schedule that names only times of the past. */
export const finishedWarning = 'its last time is past: it is finished';

const someYear = Date.UTC(2020, 0, 1);
const searchMsMax = searchYearsMax * 366 * 86_400_000;

function schedule(
  text: string,
  canonical: string,
  zone: ZoneChoice,
  plan: Plan,
  rule: { readonly gap?: GapRule | undefined; readonly fold?: FoldRule | undefined },
  warnings: readonly string[],
): Schedule {
  return {
    text,
    canonical,
    timezone: zone.timezone,
    kind: plan.kind,
    warnings: zone.warning === undefined ? warnings : [...warnings, zone.warning],
    gap: rule.gap ?? 'shift',
    fold: rule.fold ?? 'first',
    plan,
  };
}
