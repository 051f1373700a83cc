import cronstrue from 'cronstrue';
import type { Schedule, ScheduleSet } from './schedule.ts';

/**
 * Says in a sentence when a set of schedules is due, for example `At 09:00, Monday through Friday
 * (Europe/Berlin)`. Null where no sentence is known to be true: the ticks beside it always are.
 * What is excluded, and the window, are not in it.
 */
export function describeSchedules({ schedules, timezone }: ScheduleSet): string | null {
  const sentences = schedules.map(describeSchedule);
  if (sentences.includes(null)) return null;
  const sentence = sentences.join('; and: ');
  return schedules.some(({ kind }) => kind === 'cron') ? `${sentence} (${timezone})` : sentence;
}

function describeSchedule({ kind, canonical }: Schedule): string | null {
  if (kind === 'manual') return 'Only when a run is requested';
  if (kind === 'every') return `Every ${canonical.slice('@every '.length)}`;
  if (kind === 'at') return describeTimes(canonical.slice('@at '.length).split(','));
  return describeCron(canonical);
}

function describeTimes(times: readonly string[]): string {
  const [first = '', ...others] = times;
  return others.length === 0 ? `Once, at ${first}` : `At ${first} and ${others.length} more times`;
}

/** The fields of a cron expression as `canonical` has them, in their order. */
const fields = [
  { least: 0, most: 59, isOfDay: true },
  { least: 0, most: 59, isOfDay: true },
  { least: 0, most: 23, isOfDay: true },
  { least: 1, most: 31, isOfDay: false },
  { least: 1, most: 12, isOfDay: false },
  { least: 0, most: 6, isOfDay: false },
  { least: 1970, most: 2199, isOfDay: false },
] as const;
type Field = (typeof fields)[number];

/** Longer lists are no sentence. */
const namedMax = 12;

function describeCron(canonical: string): string | null {
  const plain: string[] = [];
  for (const [place, text] of canonical.split(' ').entries()) {
    const field = fields[place];
    const named = field === undefined ? null : withoutUnevenSteps(text, field);
    if (named === null) return null;
    plain.push(named);
  }
  // With fewer than seven fields cronstrue guesses which of them are missing.
  const text = [...plain, '*'].slice(0, 7).join(' ');
  const [, minutes = '', hours = '', monthDays, , weekdays] = plain;
  // cronstrue would say of every minute of some hours that it is at those hours.
  if (hours.includes(',') && !/^[\d,]+$/.test(minutes)) return null;
  const sentence = cronstrue.toString(text, style);
  if (monthDays === '*' || weekdays === '*') return sentence;
  // Either of the two is enough.
  return sentence.includes(', and on ') ? sentence.replace(', and on ', ', or on ') : null;
}

const style = { use24HourTimeFormat: true, dayOfWeekStartIndexZero: true };

/**
 * Names the values of steps that begin anew in each hour, day, month or week: a step of 40 minutes
 * is at 0 and 40, not every 40 minutes. Null: there are too many to name, or it mixes forms.
 */
function withoutUnevenSteps(text: string, field: Field): string | null {
  if (/[L#W]/.test(text)) return oneForm.test(text) ? text : null;
  const items = text.split(',').map((item) => evenItem(item, field));
  if (items.includes(null)) return null;
  const all = items.join(',');
  return all.split(',').length > namedMax ? null : all;
}

/** A day counted from the end, the weekday nearest a day, or the nth weekday of a month. */
const oneForm = /^(?:L|LW|L-\d+|\d+W|\dL|\d#\d)$/;

function evenItem(item: string, { least, most, isOfDay }: Field): string | null {
  const [, range = '', stepText] = /^([^/]+)(?:\/(\d+))?$/.exec(item) ?? [];
  if (stepText === undefined) return item;
  const step = Number(stepText);
  const [from = '', to] = range === '*' ? [`${least}`] : range.split('-');
  const size = most - least + 1;
  const isEven = isOfDay && to === undefined && size % step === 0 && Number(from) < step;
  if (isEven) return step === 1 ? '*' : item;
  const values: number[] = [];
  for (let value = Number(from); value <= Number(to ?? most); value += step) values.push(value);
  return values.length > namedMax ? null : values.join(',');
}
