import type { DayForm } from '../calendar.ts';
import { isScheduleFault, type ScheduleFault } from '../schedule.ts';
import { allowedIn, type FieldSpec } from './fieldSpecs.ts';
import { readItem } from './readItem.ts';
import { type FieldContext, type ItemReading, range } from './readValue.ts';

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
 * Reads a field: items between commas, which may overlap and repeat. cron-parser is not asked to:
 * it refuses overlaps, adds Sunday to `1/2` and takes the items of a peer's dialect for its own.
 */
export function readField(
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): FieldReading | ScheduleFault {
  const items: ItemReading[] = [];
  const texts = text.toUpperCase().split(',');
  for (const itemText of texts) {
    const item = readItem(itemText, spec, context);
    if (isScheduleFault(item)) return located(item, text, spec, context);
    if (item.alone === true && texts.length > 1) {
      const error = `"${itemText}" must be the only item`;
      return located({ error, item: itemText }, text, spec, context);
    }
    items.push(item);
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

function located(
  fault: ScheduleFault,
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): ScheduleFault {
  const allowed = allowedIn(spec, context.dialect);
  const where = text === fault.item ? spec.name : `${spec.name} "${text.slice(0, 40)}"`;
  return {
    ...fault,
    error: `${where}: ${fault.error}; allowed: ${allowed}`,
    field: spec.name,
    allowed,
  };
}
