import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { read, ticks } from './read.ts';

/** A day item and who belongs to it, said about a date without any table. */
interface Item {
  readonly text: string;
  readonly holds: (date: Date) => boolean;
}

const daysLeft = (date: Date): number =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate() -
  date.getUTCDate();
const shifted = (date: Date, days: number): Date => new Date(date.getTime() + days * 86_400_000);
const isWorkday = (date: Date): boolean => date.getUTCDay() % 6 !== 0;

/** Whether `date` is the workday nearest to a target of its own month. */
function isNearest(date: Date, isTarget: (day: Date) => boolean): boolean {
  if (!isWorkday(date)) return false;
  const sameMonth = (day: Date) => day.getUTCMonth() === date.getUTCMonth();
  const targets = [0, -1, 1, -2, 2].filter((days) => {
    const target = shifted(date, days);
    if (!sameMonth(target) || !isTarget(target)) return false;
    if (days === 0) return true;
    if (isWorkday(target)) return false;
    const preferred = shifted(target, target.getUTCDay() === 6 ? -1 : 1);
    const other = shifted(target, target.getUTCDay() === 6 ? 2 : -2);
    return (sameMonth(preferred) ? preferred : other).getTime() === date.getTime();
  });
  return targets.length > 0;
}

const monthDay: fc.Arbitrary<Item> = fc.oneof(
  fc.integer({ min: 1, max: 31 }).map((day) => ({
    text: `${day}`,
    holds: (date: Date) => date.getUTCDate() === day,
  })),
  fc.constant({ text: 'L', holds: (date: Date) => daysLeft(date) === 0 }),
  fc.constant({ text: 'LW', holds: (date: Date) => isNearest(date, (d) => daysLeft(d) === 0) }),
  fc.integer({ min: 0, max: 30 }).map((before) => ({
    text: `L-${before}`,
    holds: (date: Date) => daysLeft(date) === before,
  })),
  fc.integer({ min: 1, max: 31 }).map((day) => ({
    text: `${day}W`,
    holds: (date: Date) => isNearest(date, (d) => d.getUTCDate() === day),
  })),
);
const weekday: fc.Arbitrary<Item> = fc.integer({ min: 0, max: 7 }).chain((number) => {
  const isIt = (date: Date) => date.getUTCDay() === number % 7;
  return fc.oneof(
    fc.constant({ text: `${number}`, holds: isIt }),
    fc.constant({ text: `${number}L`, holds: (date: Date) => isIt(date) && daysLeft(date) < 7 }),
    fc.integer({ min: 1, max: 5 }).map((nth) => ({
      text: `${number}#${nth}`,
      holds: (date: Date) => isIt(date) && Math.ceil(date.getUTCDate() / 7) === nth,
    })),
  );
});
const star: Item[] = [];
const items = (item: fc.Arbitrary<Item>) =>
  fc.oneof(fc.constant(star), fc.array(item, { minLength: 1, maxLength: 3 }));

test('the days are those that every item and the OR of the two fields say', () => {
  const year = fc.integer({ min: 2000, max: 2060 });
  fc.assert(
    fc.property(items(monthDay), items(weekday), year, (monthDays, weekdays, from) => {
      const text = (field: Item[]) => field.map((item) => item.text).join(',') || '*';
      const expected: string[] = [];
      for (let date = new Date(Date.UTC(from, 0, 1)); date.getUTCFullYear() === from; ) {
        const isDay =
          monthDays.length + weekdays.length === 0 ||
          [...monthDays, ...weekdays].some((item) => item.holds(date));
        if (isDay) expected.push(`${date.toISOString().slice(0, 10)}T00:00:00Z`);
        date = shifted(date, 1);
      }
      const schedule = read(`0 0 ${text(monthDays)} * ${text(weekdays)}`);
      const asked = `${from - 1}-12-31T00:00:00Z`;
      assert.deepEqual(ticks(schedule, asked, expected.length), expected, schedule.text);
    }),
    { numRuns: 400 },
  );
});
