import { CronExpressionParser } from 'cron-parser';
import { type DayForm, dayOfForm } from './dayForms.ts';

/**
 * What the two day fields come to. `expression` is for cron-parser, null when nothing of it is in
 * its language; `forms` are the items that it does not know (`W`, `L-n`, `#` inside a list).
 */
interface DayRule {
  readonly expression: string | null;
  readonly forms: readonly DayForm[];
}

/** Days of a month as bits, day 1 in bit 0; by the shape of the month, -1 where not yet asked. */
export type DayShapes = (year: number, month: number) => number;

const shapesByRule = new Map<string, DayShapes>();

/** Rules kept; the day fields of real crontabs are few (`* *`, `* 1-5`, `1 *` …). */
const rulesMax = 1024;

/**
 * Answers which days of a month match. **cron-parser decides**: it is asked about each day, in UTC,
 * and knows lists, `L`, `5L`, `5#3` and that two restricted day fields are an OR.
 *
 * It is asked for a *shape* (28–31 days × 7 first weekdays, so 28 at most in a schedule's life) and
 * not walked with `next()`, because that is where its cost and its hazards are: a `next()` took
 * 6–12 µs for minute stars, 23 µs for `0 9 * * 1-5`, 90 µs for `5L`, 324 µs for `0 0 29 2 *` and
 * 3.4 ms (40 ms cold) for `0 0 * 2 1#5`, and it throws after 10,000 steps. The answers for one
 * shape take about 26 µs, once; a tick then costs 0.1–1 µs (3 µs for `1#5` in February).
 */
export function dayShapes(rule: DayRule): DayShapes {
  const key = JSON.stringify(rule);
  const known = shapesByRule.get(key);
  if (known !== undefined) return known;
  const masks = new Int32Array(28).fill(-1);
  const expression =
    rule.expression === null
      ? null
      : CronExpressionParser.parse(rule.expression, { tz: 'UTC', currentDate: new Date(0) });
  const shapes: DayShapes = (year, month) => {
    const firstMs = Date.UTC(year, month - 1, 1);
    const length = (Date.UTC(year, month, 1) - firstMs) / 86_400_000;
    const firstWeekday = new Date(firstMs).getUTCDay();
    const shape = (length - 28) * 7 + firstWeekday;
    const ready = masks[shape] as number;
    if (ready !== -1) return ready;
    let mask = 0;
    for (let day = 1; expression !== null && day <= length; day += 1) {
      if (expression.includesDate(new Date(firstMs + (day - 1) * 86_400_000)))
        mask |= 1 << (day - 1);
    }
    for (const form of rule.forms) {
      const day = dayOfForm(form, length, firstWeekday);
      if (day > 0) mask |= 1 << (day - 1);
    }
    masks[shape] = mask;
    return mask;
  };
  if (shapesByRule.size >= rulesMax) {
    shapesByRule.delete(shapesByRule.keys().next().value as string);
  }
  shapesByRule.set(key, shapes);
  return shapes;
}
