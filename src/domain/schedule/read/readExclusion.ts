import { parseDay } from '../../time/parseInstant.ts';
import type { DayRange } from '../calendar.ts';
import { allSixty } from '../dayTimes.ts';
import type { DayTerm } from '../wallSet.ts';
import { parseSchedule, type ScheduleOptions } from './parseSchedule.ts';

/** What one exclusion leaves out: days, or the times that a cron expression names. */
type Exclusion = { readonly days: DayRange } | { readonly term: DayTerm };

/**
 * Reads an exclusion: a date `2026-12-25`, a range of dates `2026-12-24..2026-12-31` (its last day
 * included), weekdays by name `SAT,SUN`, or a cron expression. Five fields, and the descriptors
 * of fields, leave out whole minutes with all of their seconds. All by the clock of the job's zone.
 */
export function readExclusion(
  text: string,
  options: ScheduleOptions,
): Exclusion | { readonly error: string } {
  const shown = `"${text.slice(0, 40)}"`;
  const trimmed = text.replace(/^[ \t]+|[ \t]+$/g, '');
  if (/^\d{4}-/.test(trimmed)) return readDays(trimmed, shown);
  const isWeekdays = /^[A-Za-z,-]+$/.test(trimmed);
  const schedule = parseSchedule(isWeekdays ? `* * * * * ${trimmed}` : trimmed, options);
  if ('error' in schedule) return { error: `${shown}: ${schedule.error}` };
  const { plan } = schedule;
  if (plan.kind !== 'cron') {
    return { error: `${shown} is no calendar; allowed: ${exclusionsAllowed}` };
  }
  // What six or seven fields say of seconds is meant; five say nothing of them.
  const fields = trimmed.replace(/^(?:CRON_TZ|TZ)=[^ \t]* +/, '').split(/[ \t]+/).length;
  const saysSeconds = isWeekdays || fields > 5;
  return { term: saysSeconds ? plan.term : { ...plan.term, seconds: allSixty } };
}

/** What an exclusion may be, as a message says it. */
const exclusionsAllowed =
  'a date 2026-12-25, a range 2026-12-24..2026-12-31, weekdays SAT,SUN, or a cron expression';

function readDays(text: string, shown: string): Exclusion | { readonly error: string } {
  const [fromText = '', untilText = fromText, ...rest] = text.split('..');
  const from = parseDay(fromText);
  const until = parseDay(untilText);
  if (from === null || until === null || rest.length > 0) {
    return { error: `${shown} is no date; allowed: ${exclusionsAllowed}` };
  }
  if (until < from) return { error: `the range ${shown} is reversed; allowed: FROM..UNTIL` };
  return { days: { from, until } };
}
