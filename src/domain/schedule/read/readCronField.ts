import type { DayForm } from '../calendar.ts';
import type { Dialect, ScheduleFault } from '../schedule.ts';
import { allowedIn, type FieldSpec } from './fieldSpecs.ts';
import { hashValue } from './hashValue.ts';

/** What a field is read with. */
export interface FieldContext {
  readonly dialect: Dialect;
  /** What `H` is hashed from. */
  readonly jobName?: string | undefined;
}

/** A field that was read. */
export interface FieldReading {
  /** The field in the one spelling; `*` when any of its items is a star. */
  readonly canonical: string;
  readonly star: boolean;
  /** Every plain number that it names, rising, each once. Empty when it names forms only. */
  readonly values: readonly number[];
  readonly forms: readonly DayForm[];
}

/**
 * Reads a field: items between commas, which may overlap and repeat. cron-parser does not read it:
 * it refuses overlaps, adds Sunday to `1/2` and takes the items of a peer's dialect for its own.
 */
export function readCronField(
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): FieldReading | ScheduleFault {
  const items: ItemReading[] = [];
  const texts = text.split(',');
  for (const item of texts) {
    const read = readItem({ text: item.toUpperCase(), spec, ...context });
    const isAmongOthers = !('error' in read) && read.alone === true && texts.length > 1;
    if (!('error' in read) && !isAmongOthers) {
      items.push(read);
      continue;
    }
    const allowed = allowedIn(spec, context.dialect);
    const where = text === item ? spec.name : `${spec.name} "${text.slice(0, 40)}"`;
    const wrong = 'error' in read ? asTyped(read.error, item) : `"${item}" must be the only item`;
    return { error: `${where}: ${wrong}; allowed: ${allowed}`, field: spec.name, item, allowed };
  }
  const star = items.some((item) => item.canonical === '*');
  const values = [...new Set(items.flatMap((item) => item.values))].sort((a, b) => a - b);
  return {
    canonical: star ? '*' : items.map((item) => item.canonical).join(','),
    star,
    values: star ? range(spec.min, spec.max) : values,
    forms: star ? [] : items.flatMap((item) => item.form ?? []),
  };
}

/** The same message, with the parts of the item that it quotes in the case that was typed. */
function asTyped(error: string, item: string): string {
  return error.replace(/(?<=")[^"]+(?=")/g, (quoted) => {
    const at = item.toUpperCase().indexOf(quoted);
    return at === -1 ? quoted : item.slice(at, at + quoted.length);
  });
}

/** One item of a list: numbers, or a day form. `canonical` is `*` only for a full star. */
interface ItemReading {
  readonly canonical: string;
  readonly values: readonly number[];
  readonly form?: DayForm;
  /** May not stand in a list. */
  readonly alone?: boolean;
}

/** An item of a field, in upper case. To its faults the field adds itself and what it takes. */
interface Item extends FieldContext {
  readonly text: string;
  readonly spec: FieldSpec;
}

type Reading = ItemReading | ScheduleFault;

function readItem(item: Item): Reading {
  const { text, spec } = item;
  if (text === '') return { error: 'a list has an empty item' };
  const day = readDay(item);
  if (day !== null) return day;
  const [base = '', stepText, ...rest] = text.split('/');
  if (rest.length > 0) return { error: `"${text}" has two steps` };
  const step = stepText === undefined ? null : readStep(stepText, item);
  if (step !== null && typeof step !== 'number') return step;
  if (base === '*' || base === '?') {
    if (step === null || step === 1) return { canonical: '*', values: [] };
    return { canonical: `*/${step}`, values: range(spec.min, spec.max, step) };
  }
  return readHash(base, step, item) ?? readRange(base, step, item);
}

/** The items that only the day fields have: `L`, `L-3`, `LW`, `L-3W`, `15W`; `5L`, `5#3`. */
function readDay(item: Item): Reading | null {
  if (item.spec.name === 'day of month') return readMonthDay(item);
  if (item.spec.name === 'day of week') return readWeekday(item);
  const isDay = /^L(-|W|$)|^\d+W$|^\d+L$|#/.test(item.text);
  return isDay ? { error: `"${item.text}" belongs to the day fields` } : null;
}

function readMonthDay({ text }: Item): Reading | null {
  const last = /^L(?:-(\d{1,2}))?(W)?$/.exec(text);
  if (last !== null) {
    const before = Number(last[1] ?? '0');
    if (before > 30) return { error: `"${text}" must be L-0 to L-30` };
    const workday = last[2] !== undefined;
    const canonical = `L${before > 0 ? `-${before}` : ''}${workday ? 'W' : ''}`;
    return { canonical, values: [], form: { kind: 'last', before, workday } };
  }
  const nearest = /^(\d{1,2})W$/.exec(text);
  if (nearest === null) return null;
  const day = Number(nearest[1]);
  if (day < 1 || day > 31) return { error: `"${text}" must be 1W to 31W` };
  return { canonical: `${day}W`, values: [], form: { kind: 'nearest', day } };
}

function readWeekday(item: Item): Reading | null {
  const { text, dialect } = item;
  if (text === 'L') {
    // Quartz: the last day of the week, Saturday; beside other days it refuses it, and so do we.
    return dialect === 'quartz'
      ? { canonical: '6', values: [6], alone: true }
      : { error: '"L" needs its weekday, e.g. 5L for the last Friday' };
  }
  const form = /^([^#/-]+)(?:L|#(.*))$/.exec(text);
  if (form === null) return null;
  const value = readValue(form[1] ?? '', item);
  if (typeof value !== 'number') return value;
  const weekday = value % 7;
  if (form[2] === undefined) {
    return { canonical: `${weekday}L`, values: [], form: { kind: 'lastWeekday', weekday } };
  }
  if (!/^[1-5]$/.test(form[2])) {
    return { error: `"${text}" must name the 1st to the 5th, e.g. 5#3` };
  }
  const nth = Number(form[2]);
  return { canonical: `${weekday}#${nth}`, values: [], form: { kind: 'nth', weekday, nth } };
}

function readStep(stepText: string, { text, spec }: Item): number | ScheduleFault {
  const { name, max, stepMax } = spec;
  const step = /^\d{1,2}$/.test(stepText) ? Number(stepText) : 0;
  if (step >= 1 && step <= stepMax) return step;
  const most = name === 'day of month' ? max : stepMax;
  return { error: `the step of "${text}" must be 1 to ${most}` };
}

function readRange(base: string, step: number | null, item: Item): Reading {
  const isWeekday = item.spec.name === 'day of week';
  const [lowText = '', highText, ...rest] = base.split('-');
  if (rest.length > 0) return { error: `"${base}" is not a range a-b` };
  if (lowText === '' || highText === '') {
    return { error: `"${item.text}" is not a value or a range a-b` };
  }
  const low = readValue(lowText, item);
  if (typeof low !== 'number') return low;
  const suffix = step === null ? '' : `/${step}`;
  if (highText === undefined) {
    const only = isWeekday ? low % 7 : low;
    const values = step === null ? [only] : range(only, item.spec.max, step);
    return { canonical: `${only}${suffix}`, values };
  }
  let high = readValue(highText, item);
  if (typeof high !== 'number') return high;
  // A range may end in Sunday, whichever number that has: FRI-SUN, 5-0 and 5-7 are one.
  if (isWeekday && high === 0 && low > 0) high = 7;
  if (high < low) return { error: `the range "${base}" is reversed` };
  const values = range(low, high, step ?? 1);
  return {
    canonical: `${low}-${high}${suffix}`,
    values: isWeekday ? values.map((value) => value % 7) : values,
  };
}

/** `H`, `H(a-b)`, each with a step; null when it is something else that begins with an H. */
function readHash(base: string, step: number | null, item: Item): Reading | null {
  const { text, jobName = '' } = item;
  const { name, min, max, hashMax } = item.spec;
  const match = /^H(?:\(([^()-]+)-([^()-]+)\))?$/.exec(base);
  if (match === null || hashMax === 0) return null;
  if (jobName === '') {
    return { error: `"${text}" is hashed from the job's name, and there is none here` };
  }
  let [low, high] = [min, step === null ? hashMax : max];
  if (match[1] !== undefined && match[2] !== undefined) {
    const from = readValue(match[1], item);
    if (typeof from !== 'number') return from;
    const to = readValue(match[2], item);
    if (typeof to !== 'number') return to;
    [low, high] = [from, to];
    if (high > max) return { error: `"${text}" must end before Sunday's 7` };
    if (high < low) return { error: `the range of "${text}" is reversed` };
  }
  const span = Math.min(high - low + 1, step ?? high - low + 1);
  const start = low + hashValue(jobName, name, span);
  return step === null
    ? { canonical: `${start}`, values: [start] }
    : { canonical: `${start}-${high}/${step}`, values: range(start, high, step) };
}

/** A number or a name of the field; weekdays as Sunday 0 (7 too, for ranges to end in). */
function readValue(text: string, { spec, dialect }: Item): number | ScheduleFault {
  const { name, min, max, valueNames } = spec;
  const place = valueNames.findIndex((each) => each === text || each.slice(0, 3) === text);
  if (place >= 0) return min + place;
  if (!/^\d+$/.test(text)) return { error: `"${text}" is not a value` };
  const isYear = name === 'year';
  if (isYear ? text.length !== 4 : text.length > 2) {
    return { error: `"${text}" must have ${isYear ? 'four digits' : 'one or two digits'}` };
  }
  const isWeekday = name === 'day of week';
  const isQuartz = isWeekday && dialect === 'quartz';
  const [least, most] = [isQuartz ? 1 : min, isWeekday ? 7 : max];
  const value = Number(text);
  if (value < least || value > most) {
    return { error: `"${text}" is out of range ${least}-${most}` };
  }
  return isQuartz ? value - 1 : value;
}

/** Whole numbers from `low` to `high`, every `step`. */
function range(low: number, high: number, step = 1): number[] {
  const values: number[] = [];
  for (let value = low; value <= high; value += step) values.push(value);
  return values;
}
