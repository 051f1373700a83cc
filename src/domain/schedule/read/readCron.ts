import { type Calendar, dayShapes, searchYearsMax } from '../calendar.ts';
import { dayTimes } from '../dayTimes.ts';
import type { ScheduleFault } from '../schedule.ts';
import type { DayTerm } from '../wallSet.ts';
import { type FieldName, fieldSpecs } from './fieldSpecs.ts';
import { type FieldContext, type FieldReading, readCronField } from './readCronField.ts';

/** Cron fields that were read. */
interface CronReading {
  readonly term: DayTerm;
  readonly canonical: string;
  readonly warnings: readonly string[];
  /** Runs by the interval, not at a set time: the daylight-saving rules differ. */
  readonly interval: boolean;
}

type FieldReadings = Readonly<Record<FieldName, FieldReading>>;

/** Reads 5, 6 (seconds first) or 7 (seconds first, year last) fields. */
export function readCron(text: string, context: FieldContext): CronReading | ScheduleFault {
  const texts = text.split(/[ \t]+/);
  const fault = fieldCountFault(texts);
  if (fault !== null) return fault;
  const given = texts.length === 5 ? ['0', ...texts] : texts;
  const readings: [FieldName, FieldReading][] = [];
  const faults: ScheduleFault[] = [];
  for (const [place, spec] of fieldSpecs.entries()) {
    const reading = readCronField(given[place] ?? '*', spec, context);
    if ('error' in reading) faults.push(reading);
    else readings.push([spec.name, reading]);
  }
  // All that are wrong, so that nobody mends one after the other.
  const [first] = faults;
  if (first !== undefined) return { ...first, error: faults.map(({ error }) => error).join('; ') };
  const fields = Object.fromEntries(readings) as unknown as FieldReadings;
  const canonical = readings.map(([, reading]) => reading.canonical).join(' ');
  return {
    term: {
      ...dayTimes(fields.hour.values, fields.minute.values, fields.second.values),
      calendar: calendarOf(fields),
    },
    canonical: fields.year.star ? canonical.slice(0, -2) : canonical,
    warnings: dayWarnings(fields),
    interval: goesOn(fields.minute, 60) || goesOn(fields.hour, 24),
  };
}

function fieldCountFault(texts: readonly string[]): ScheduleFault | null {
  const allowed = '5 fields, 6 with seconds first, 7 with seconds first and the year last';
  if (texts.some((text) => /^(?:CRON_)?TZ=/.test(text))) {
    const where = 'CRON_TZ= or TZ= stands once, at the very start, with a blank after the zone';
    return { error: `TZ=: ${where}`, field: 'prefix' };
  }
  if (texts.length === 6 && /^\d{4}/.test(texts[5] ?? '')) {
    const spelled = `0 ${texts.join(' ')}`.slice(0, 80);
    const item = texts[5] ?? '';
    const instead = `6 fields are seconds first; with a year write 7, e.g. "${spelled}"`;
    const error = `day of week: "${item.slice(0, 20)}" looks like a year; ${instead}`;
    return { error, field: 'day of week', item, allowed };
  }
  if (texts.length >= 5 && texts.length <= 7) return null;
  const meant = everyOf(texts);
  const instead = meant === null ? '' : `; for this write ${meant}`;
  const error = `fields: ${texts.length} given; allowed: ${allowed}${instead}`;
  return { error, field: 'fields', allowed };
}

/** "every 5 minutes" as it is written here; null: it is no such words. */
function everyOf(texts: readonly string[]): string | null {
  const words = /^every (?:(\d{1,6}) )?(second|minute|hour)s?$/i.exec(texts.join(' '));
  return words === null ? null : `@every ${words[1] ?? 1}${words[2]?.[0]?.toLowerCase()}`;
}

/** "Interval": the minute or the hour starts with a star, or names every value. */
function goesOn(field: FieldReading, size: number): boolean {
  return field.canonical.startsWith('*') || field.values.length === size;
}

function calendarOf(fields: FieldReadings): Calendar {
  const monthDays = fields['day of month'];
  const weekdays = fields['day of week'];
  let months = 0;
  for (const month of fields.month.values) months |= 1 << month;
  return {
    months,
    years: fields.year.star ? null : fields.year.values,
    days: monthDays.star && weekdays.star ? null : dayShapes(dayRuleOf(monthDays, weekdays)),
  };
}

/** What matches a day: a number of either field (cron-parser's OR), or one of the forms. */
function dayRuleOf(monthDays: FieldReading, weekdays: FieldReading) {
  const [days, ofWeek] = [numbersOf(monthDays), numbersOf(weekdays)];
  const expression = days === '*' && ofWeek === '*' ? null : `0 0 0 ${days} * ${ofWeek}`;
  return { expression, forms: [...monthDays.forms, ...weekdays.forms] };
}

function numbersOf({ star, values }: FieldReading): string {
  return star || values.length === 0 ? '*' : values.join(',');
}

function dayWarnings(fields: FieldReadings): string[] {
  const monthDays = fields['day of month'];
  const weekdays = fields['day of week'];
  if (monthDays.star || weekdays.star) return [];
  if (monthDays.canonical.startsWith('*/') || weekdays.canonical.startsWith('*/')) {
    return [
      `day of month "${monthDays.canonical}" or day of week "${weekdays.canonical}": ` +
        'either one is enough; cron on Linux requires both when one starts with *',
    ];
  }
  if (monthDays.values.length === 31 || weekdays.values.length === 7) {
    return ['one of the two day fields names every day, so this runs every day; write * there'];
  }
  return [];
}

/** What a refusal of fields that never meet says; `text` is the schedule as it was typed. */
export function neverFault(text: string): ScheduleFault {
  const hint = 'is there such a day in these months and years?';
  const error = `fields: "${text}" names no time within ${searchYearsMax} years (${hint})`;
  return { error, field: 'fields', item: text };
}
