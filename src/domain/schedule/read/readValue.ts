import type { DayForm } from '../calendar.ts';
import type { Dialect, ScheduleFault } from '../schedule.ts';
import { type FieldSpec, valueOfWord } from './fieldSpecs.ts';

/** A value of the field, words included; weekdays as Sunday 0 (7 too, for ranges to end in). */
export function readValue(
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): number | ScheduleFault {
  const word = valueOfWord(spec, text);
  if (word !== null) return word;
  const isWeekday = spec.name === 'day of week';
  const quartz = isWeekday && context.dialect === 'quartz';
  const min = quartz ? 1 : spec.min;
  const max = isWeekday ? 7 : spec.max;
  if (!/^\d+$/.test(text)) return { error: `"${text}" is not a value`, item: text };
  if (spec.name === 'year' ? text.length !== 4 : text.length > 2) {
    const digits = spec.name === 'year' ? 'four digits' : 'one or two digits';
    return { error: `"${text}" must have ${digits}`, item: text };
  }
  const value = Number(text);
  if (value < min || value > max) {
    return { error: `"${text}" is out of range ${min}-${max}`, item: text };
  }
  return quartz ? value - 1 : value;
}

/** What a field is read with. */
export interface FieldContext {
  readonly dialect: Dialect;
  /** What `H` is hashed from. */
  readonly jobName?: string | undefined;
}

/** One item of a list: numbers, or a day form. `canonical` is `*` only for a full star. */
export interface ItemReading {
  readonly canonical: string;
  readonly values: readonly number[];
  readonly form?: DayForm;
  /** May not stand in a list. */
  readonly alone?: boolean;
}

/** Whole numbers from `low` to `high`, every `step`. */
export function range(low: number, high: number, step = 1): number[] {
  const values: number[] = [];
  for (let value = low; value <= high; value += step) values.push(value);
  return values;
}
