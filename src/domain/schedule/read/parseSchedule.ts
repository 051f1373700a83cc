import { searchYearsMax } from '../calendar.ts';
import { CombinedInstants, nothingExcluded } from '../combinedInstants.ts';
import type { Dialect, Plan, Schedule, ScheduleFault } from '../schedule.ts';
import { lastTickAtOrBefore, nextTick } from '../ticks.ts';
import { type ClockChangeRule, instantOfWall, zoneOf } from '../zone.ts';
import { neverFault, readCron } from './readCron.ts';
import type { FieldContext } from './readCronField.ts';
import { type AtTime, canonicalAt, readDescriptor } from './readDescriptor.ts';
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
  readonly gap?: ClockChangeRule['gap'] | undefined;
  /** Overrides the rule for wall times that come twice. */
  readonly fold?: ClockChangeRule['fold'] | undefined;
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
 * an optional `CRON_TZ=` or `TZ=` before. Never throws on any text; takes well under 20 ms.
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
  if ('error' in zone) return zone;
  const { timezone, warning } = zone;
  const body = (prefix?.[2] ?? text).replace(/^[ \t]+|[ \t]+$/g, '');
  const reading = readBody(body, timezone, options);
  if ('error' in reading) return reading;
  const { plan, canonical, rule = ruleOf(options), warnings = [] } = reading;
  const all = warning === undefined ? warnings : [...warnings, warning];
  const { gap, fold } = rule;
  const made = { text, canonical, timezone, kind: plan.kind, warnings: all, gap, fold, plan };
  return checkedForNever(made, options.nowMs);
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
): { readonly timezone: string; readonly warning?: string } | ScheduleFault {
  const own = options.timezone === undefined ? null : readTimezone(options.timezone);
  if (own !== null && 'error' in own) return own;
  if (prefix === null) return own ?? readTimezone(options.defaultTimezone ?? 'UTC');
  const written = readPrefixTimezone(prefix);
  // It stands in the text: the job's own zone is not to blame for it.
  if ('error' in written) return { ...written, error: `TZ=: ${written.error}`, field: 'prefix' };
  if (own !== null && !isSameTimezone(own.timezone, written.timezone)) {
    const allowed = 'one of them, or both equal';
    const both = `the schedule says TZ=${prefix}, the job's own zone is ${own.timezone}`;
    const error = `${both}; allowed: ${allowed}`;
    return { error, field: 'timezone', item: prefix, allowed };
  }
  return written;
}

/** What a text says besides its zone. */
interface Body {
  readonly plan: Plan;
  readonly canonical: string;
  readonly rule?: ClockChangeRule;
  readonly warnings?: readonly string[];
}

function readBody(text: string, timezone: string, options: ScheduleOptions): Body | ScheduleFault {
  const { dialect = 'unix', jobName } = options;
  if (!text.startsWith('@')) return cronBody(text, { dialect, jobName }, timezone, options);
  const descriptor = readDescriptor(text);
  if ('times' in descriptor) return atBody(descriptor.times, timezone, options);
  if (!('fields' in descriptor)) return descriptor;
  return cronBody(descriptor.fields, { dialect: 'unix' }, timezone, options);
}

function cronBody(
  text: string,
  context: FieldContext,
  timezone: string,
  options: ScheduleOptions,
): Body | ScheduleFault {
  const reading = readCron(text, context);
  if ('error' in reading) return reading;
  const { term, canonical, interval, warnings } = reading;
  const rule = ruleOf(options, interval ? { gap: 'skip', fold: 'both' } : undefined);
  const named = [{ term, gap: rule.gap, fold: rule.fold }];
  const zone = zoneOf(timezone);
  const instants = new CombinedInstants({ zone, named, excluded: nothingExcluded });
  return { plan: { kind: 'cron', term, instants }, canonical, rule, warnings };
}

function atBody(
  times: readonly AtTime[],
  timezone: string,
  options: ScheduleOptions,
): Body | ScheduleFault {
  const clock = zoneOf(timezone);
  const placed = new Set<number>();
  const shifted = new Set<number>();
  for (const { seconds, isLocal } of times) {
    const at = isLocal ? instantOfWall(clock, seconds, ruleOf(options)) : seconds;
    if (at === null) {
      const wall = new Date(seconds * 1000).toISOString().slice(0, 19);
      return { error: `@at: ${wall} does not exist in ${timezone}`, field: 'descriptor' };
    }
    placed.add(at);
    if (isLocal && at + clock.spanAt(at).offset !== seconds) shifted.add(at);
  }
  const atSeconds = [...placed].sort((one, other) => one - other);
  const plan: Plan = { kind: 'at', atSeconds, shiftedSeconds: [...shifted] };
  return { plan, canonical: canonicalAt(atSeconds) };
}

function ruleOf(
  { gap, fold }: ScheduleOptions,
  defaults: ClockChangeRule = { gap: 'shift', fold: 'first' },
): ClockChangeRule {
  return { gap: gap ?? defaults.gap, fold: fold ?? defaults.fold };
}

/**
 * Refuses what never comes. What is only past is finished: old jobs can still be shown. `@every`
 * and `@manual` always have a future, and `@at` is checked when there is a present.
 */
function checkedForNever(made: Schedule, nowMs: number | undefined): Schedule | ScheduleFault {
  const { plan, text, warnings } = made;
  if (plan.kind !== 'cron' && (plan.kind !== 'at' || nowMs === undefined)) return made;
  const years = plan.kind === 'cron' ? plan.term.calendar.years : null;
  if (nowMs === undefined) {
    const start = years === null ? someYear : Date.UTC(years[0] ?? 1970, 0, 1) - 2 * 86_400_000;
    return nextTick(made, start) === null ? neverFault(text) : made;
  }
  const first = nextTick(made, nowMs);
  if (first !== null && first - nowMs <= searchMsMax) return made;
  const mayBeOver = first === null && (years !== null || plan.kind === 'at');
  if (!mayBeOver || lastTickAtOrBefore(made, nowMs) === null) return neverFault(text);
  return { ...made, warnings: [...warnings, finishedWarning] };
}

/** The warning of a schedule that names only times of the past. */
export const finishedWarning = 'its last time is past: it is finished';

const someYear = Date.UTC(2020, 0, 1);
const searchMsMax = searchYearsMax * 366 * 86_400_000;
