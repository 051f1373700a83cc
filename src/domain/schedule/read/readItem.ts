import { isScheduleFault, type ScheduleFault } from '../schedule.ts';
import type { FieldSpec } from './fieldSpecs.ts';
import { hashValue } from './hashValue.ts';
import { readDayItem } from './readDayItem.ts';
import { type FieldContext, type ItemReading, range, readValue } from './readValue.ts';

/** Reads one item, in upper case. A fault names the item; the field adds itself. */
export function readItem(
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): ItemReading | ScheduleFault {
  if (text === '') return { error: 'a list has an empty item', item: text };
  const day = readDayItem(text, spec, context);
  if (day !== null) return day;
  const [base = '', stepText, ...rest] = text.split('/');
  if (rest.length > 0) return { error: `"${text}" has two steps`, item: text };
  const step = stepText === undefined ? null : readStep(stepText, text, spec);
  if (step !== null && typeof step !== 'number') return step;
  if (base === '*' || base === '?') {
    if (step === null || step === 1) return { canonical: '*', values: [] };
    return { canonical: `*/${step}`, values: range(spec.min, spec.max, step) };
  }
  if (base.startsWith('H')) {
    const hashed = readHash(base, step, text, spec, context);
    if (hashed !== null) return hashed;
  }
  return readRange(base, step, text, spec, context);
}

function readStep(text: string, item: string, spec: FieldSpec): number | ScheduleFault {
  const step = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (step >= 1 && step <= spec.stepMax) return step;
  const max = spec.name === 'day of month' ? spec.max : spec.stepMax;
  return { error: `the step of "${item}" must be 1 to ${max}`, item };
}

function readRange(
  base: string,
  step: number | null,
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): ItemReading | ScheduleFault {
  const [lowText = '', highText, ...rest] = base.split('-');
  if (rest.length > 0) return { error: `"${base}" is not a range a-b`, item: text };
  if (lowText === '' || highText === '') {
    return { error: `"${text}" is not a value or a range a-b`, item: text };
  }
  const low = readValue(lowText, spec, context);
  if (typeof low !== 'number') return { ...low, item: text };
  const isWeekday = spec.name === 'day of week';
  const suffix = step === null ? '' : `/${step}`;
  if (highText === undefined) {
    const only = isWeekday ? low % 7 : low;
    const values = step === null ? [only] : range(only, spec.max, step);
    return { canonical: `${only}${suffix}`, values };
  }
  let high = readValue(highText, spec, context);
  if (typeof high !== 'number') return { ...high, item: text };
  // A range may end in Sunday, whichever number that has: FRI-SUN, 5-0 and 5-7 are one.
  if (isWeekday && high === 0 && low > 0) high = 7;
  if (high < low) return { error: `the range "${base}" is reversed`, item: text };
  const values = range(low, high, step ?? 1);
  return {
    canonical: `${low}-${high}${suffix}`,
    values: isWeekday ? values.map((value) => value % 7) : values,
  };
}

/** `H`, `H(a-b)`, each with a step; null when it is something else that begins with an H. */
function readHash(
  base: string,
  step: number | null,
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): ItemReading | ScheduleFault | null {
  const match = /^H(?:\(([^()-]+)-([^()-]+)\))?$/.exec(base);
  if (match === null || spec.hashMax === 0) return null;
  if (context.jobName === undefined || context.jobName === '') {
    return { error: `"${text}" is hashed from the job's name, and there is none here`, item: text };
  }
  let [low, high] = [spec.min, step === null ? spec.hashMax : spec.max];
  if (match[1] !== undefined && match[2] !== undefined) {
    const from = readValue(match[1], spec, context);
    if (isFault(from)) return { ...from, item: text };
    const to = readValue(match[2], spec, context);
    if (isFault(to)) return { ...to, item: text };
    [low, high] = [from, to];
    if (high > spec.max) return { error: `"${text}" must end before Sunday's 7`, item: text };
    if (high < low) return { error: `the range of "${text}" is reversed`, item: text };
  }
  const span = Math.min(high - low + 1, step ?? high - low + 1);
  const start = low + hashValue(context.jobName, spec.name, span);
  return step === null
    ? { canonical: `${start}`, values: [start] }
    : { canonical: `${start}-${high}/${step}`, values: range(start, high, step) };
}

function isFault(reading: number | ScheduleFault): reading is ScheduleFault {
  return typeof reading !== 'number' && isScheduleFault(reading);
}
