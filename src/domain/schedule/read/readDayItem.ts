import type { ScheduleFault } from '../schedule.ts';
import type { FieldSpec } from './fieldSpecs.ts';
import { type FieldContext, type ItemReading, readValue } from './readValue.ts';

/**
 * Reads the items that only the day fields have: `L`, `L-3`, `LW`, `L-3W`, `15W`; `5L`, `5#3`.
 * @returns null when the item is none of these.
 */
export function readDayItem(
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): ItemReading | ScheduleFault | null {
  if (spec.name === 'day of month') return readMonthDay(text);
  if (spec.name === 'day of week') return readWeekday(text, spec, context);
  if (/^L(-|W|$)|^\d+W$|^\d+L$|#/.test(text)) {
    return { error: `"${text}" belongs to the day fields`, item: text };
  }
  return null;
}

function readMonthDay(text: string): ItemReading | ScheduleFault | null {
  const last = /^L(?:-(\d{1,2}))?(W)?$/.exec(text);
  if (last !== null) {
    const before = Number(last[1] ?? '0');
    if (before > 30) return { error: `"${text}" must be L-0 to L-30`, item: text };
    const workday = last[2] !== undefined;
    const canonical = `L${before > 0 ? `-${before}` : ''}${workday ? 'W' : ''}`;
    return { canonical, values: [], form: { kind: 'last', before, workday } };
  }
  const nearest = /^(\d{1,2})W$/.exec(text);
  if (nearest === null) return null;
  const day = Number(nearest[1]);
  if (day < 1 || day > 31) return { error: `"${text}" must be 1W to 31W`, item: text };
  return { canonical: `${day}W`, values: [], form: { kind: 'nearest', day } };
}

function readWeekday(
  text: string,
  spec: FieldSpec,
  context: FieldContext,
): ItemReading | ScheduleFault | null {
  if (text === 'L') {
    // Quartz: the last day of the week, Saturday; beside other days it refuses it, and so do we.
    if (context.dialect === 'quartz') return { canonical: '6', values: [6], alone: true };
    return { error: '"L" needs its weekday, e.g. 5L for the last Friday', item: text };
  }
  const form = /^([^#/-]+)(?:L|#(.*))$/.exec(text);
  if (form === null) return null;
  const value = readValue(form[1] ?? '', spec, context);
  if (typeof value !== 'number') return { ...value, item: text };
  const weekday = value % 7;
  if (form[2] === undefined) {
    return { canonical: `${weekday}L`, values: [], form: { kind: 'lastWeekday', weekday } };
  }
  if (!/^[1-5]$/.test(form[2])) {
    return { error: `"${text}" must name the 1st to the 5th, e.g. 5#3`, item: text };
  }
  const nth = Number(form[2]);
  return { canonical: `${weekday}#${nth}`, values: [], form: { kind: 'nth', weekday, nth } };
}
