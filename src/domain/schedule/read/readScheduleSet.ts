import type { DayRange } from '../calendar.ts';
import { isWholeDay, timesOfEvery } from '../dayTimes.ts';
import { parseInstantIn } from '../parseInstantIn.ts';
import type {
  Schedule,
  ScheduleFault,
  ScheduleFields,
  ScheduleSet,
  ScheduleSetFault,
} from '../schedule.ts';
import { secondKinds } from '../uniteTimes.ts';
import type { DayTerm, Excluded } from '../wallSet.ts';
import { parseSchedule, type ScheduleOptions } from './parseSchedule.ts';
import { readExclusion } from './readExclusion.ts';

/** Fields of which the zone may be missing: it is then the one that the text names, else UTC. */
type FieldsToRead = Omit<ScheduleFields, 'timezone'> & { readonly timezone: string | undefined };

/** Bounds of a set, so that each query of it takes well under 20 ms. */
const setBounds = { schedulesMax: 20, exclusionsMax: 100, intricacyMax: 1_000 } as const;

/**
 * Reads all that decides when a job is due. Never throws, whatever the fields hold: definitions
 * come from other versions, too.
 */
export function readScheduleSet(
  fields: FieldsToRead,
  { nowMs, defaultTimezone }: Pick<ScheduleOptions, 'nowMs' | 'defaultTimezone'> = {},
): ScheduleSet | ScheduleSetFault {
  const kindFault = faultOfKinds(fields);
  if (kindFault !== null) return kindFault;
  const { name: jobName, dialect, gap, fold } = fields;
  const options = { jobName, dialect, gap, fold, defaultTimezone, nowMs };
  const schedules = readSchedules(fields, options);
  if ('error' in schedules) return schedules;
  const timezone = (schedules[0] as Schedule).timezone;
  // Exclusions that name nothing any more do no harm: so they are read without the present.
  const excluded = readExclusions(fields, { ...options, timezone, nowMs: undefined });
  if ('error' in excluded) return excluded;
  const window = readWindow(fields, timezone);
  if ('error' in window) return window;
  const warnings = schedules.flatMap((schedule) =>
    schedule.warnings.map((each) => (schedules.length > 1 ? `${schedule.text}: ${each}` : each)),
  );
  return faultOfSize(schedules, excluded) ?? { timezone, schedules, excluded, ...window, warnings };
}

function faultOfKinds(fields: FieldsToRead): ScheduleSetFault | null {
  const { name, schedule, timezone = '', dialect, gap, fold } = fields;
  for (const [field, value] of Object.entries({ name, schedule, timezone })) {
    if (typeof value === 'string') continue;
    const error = `${field}: allowed: a text, not ${shown(value)}`;
    return { error, field: field as keyof ScheduleFields };
  }
  if (dialect !== undefined && dialect !== 'quartz') {
    const error = `${shown(dialect)} is no dialect; allowed: quartz, or none for unix`;
    return { error, field: 'dialect' };
  }
  if (gap !== undefined && gap !== 'skip' && gap !== 'shift') {
    return { error: `${shown(gap)} is none of skip, shift`, field: 'gap' };
  }
  if (fold !== undefined && fold !== 'first' && fold !== 'second' && fold !== 'both') {
    return { error: `${shown(fold)} is none of first, second, both`, field: 'fold' };
  }
  return null;
}

function readSchedules(
  { schedule: first, moreSchedules = [], timezone }: FieldsToRead,
  options: ScheduleOptions,
): readonly Schedule[] | ScheduleSetFault {
  if (!isTexts(moreSchedules) || moreSchedules.length >= setBounds.schedulesMax) {
    const error = `allowed: texts, at most ${setBounds.schedulesMax} schedules together`;
    return { error, field: 'moreSchedules' };
  }
  const schedules: Schedule[] = [];
  for (const text of [first, ...moreSchedules]) {
    const schedule = parseSchedule(text, {
      ...options,
      timezone: schedules[0]?.timezone ?? timezone,
    });
    const isMore = schedules.length > 0;
    if ('error' in schedule) return faultOf(schedule, isMore ? `${shown(text)}: ` : '');
    if (schedule.kind === 'manual' && moreSchedules.length > 0) {
      return { error: '@manual stands alone, without other schedules', field: 'moreSchedules' };
    }
    schedules.push(schedule);
  }
  return schedules;
}

function faultOf({ error, field }: ScheduleFault, place: string): ScheduleSetFault {
  if (place !== '') return { error: `${place}${error}`, field: 'moreSchedules' };
  return { error, field: field === 'timezone' ? 'timezone' : 'schedule' };
}

function readExclusions(
  { exclude = [] }: FieldsToRead,
  options: ScheduleOptions,
): Excluded | ScheduleSetFault {
  const fault = (error: string): ScheduleSetFault => ({ error, field: 'exclude' });
  if (!isTexts(exclude) || exclude.length > setBounds.exclusionsMax) {
    return fault(`allowed: texts, at most ${setBounds.exclusionsMax} of them`);
  }
  const days: DayRange[] = [];
  const terms: DayTerm[] = [];
  for (const text of exclude) {
    const exclusion = readExclusion(text, options);
    if ('error' in exclusion) return fault(exclusion.error);
    if ('days' in exclusion) days.push(exclusion.days);
    else terms.push(exclusion.term);
  }
  return { days, terms };
}

function readWindow(
  { notBefore, notAfter }: FieldsToRead,
  timezone: string,
): Pick<ScheduleSet, 'notBeforeMs' | 'notAfterMs'> | ScheduleSetFault {
  const read = (text: unknown) =>
    typeof text === 'string' ? parseInstantIn(text, timezone) : null;
  const notBeforeMs = notBefore === undefined ? Number.NEGATIVE_INFINITY : read(notBefore);
  const notAfterMs = notAfter === undefined ? Number.POSITIVE_INFINITY : read(notAfter);
  if (notBeforeMs === null) return { error: noInstant(notBefore), field: 'notBefore' };
  if (notAfterMs === null) return { error: noInstant(notAfter), field: 'notAfter' };
  if (notBeforeMs <= notAfterMs) return { notBeforeMs, notAfterMs };
  return { error: `${shown(notAfter)} is before ${shown(notBefore)}`, field: 'notAfter' };
}

/**
 * Refuses sets whose tables of a day would be large: exclusions that name many kinds of seconds.
 * Those of five fields, which leave out whole minutes, are one kind, however many they are.
 */
function faultOfSize(schedules: readonly Schedule[], { terms }: Excluded): ScheduleSetFault | null {
  const named = schedules.flatMap(({ plan }) => {
    if (plan.kind === 'cron') return [plan.term];
    return plan.kind === 'every' ? (timesOfEvery(plan.everySeconds, 0) ?? []) : [];
  });
  const excluded = terms.filter((term) => !isWholeDay(term));
  if (excluded.length === 0 && named.length < 2) return null;
  const kinds = secondKinds(named, excluded).length;
  const termsMax = Math.floor(setBounds.intricacyMax / Math.max(1, kinds));
  if (named.length + excluded.length <= termsMax) return null;
  const many = `${named.length + excluded.length} expressions that tell ${kinds} kinds of seconds`;
  const error = `${many} apart; allowed: ${termsMax} such, more that name whole minutes`;
  return { error, field: excluded.length > named.length ? 'exclude' : 'moreSchedules' };
}

function noInstant(text: unknown): string {
  const allowed = '2030-01-31T09:30:00Z, or in the zone of the job 2030-01-31T09:30 or 2030-01-31';
  return `${shown(text)} is no instant; allowed: ${allowed}`;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 60);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
