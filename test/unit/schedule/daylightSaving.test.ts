import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  countTicks,
  lastTickAtOrBefore,
  nextTick,
  nextTicks,
} from '../../../src/domain/schedule/ticks.ts';
import { changes, clockWindow, ticksByWatching } from './clockWindow.ts';
import { type Field, field } from './fieldArbitrary.ts';
import { read, ticks } from './read.ts';

const windows = changes.map(([zone, day]) => clockWindow(zone, day));

const question = fc.record({
  window: fc.constantFrom(...windows),
  minute: field(0, 59),
  hour: field(0, 23),
  weekday: fc.oneof(field(0, 6), fc.constant<Field>({ text: '*', values: [0, 1, 2, 3, 4, 5, 6] })),
  gap: fc.constantFrom(undefined, 'skip' as const, 'shift' as const),
  fold: fc.constantFrom(undefined, 'first' as const, 'second' as const, 'both' as const),
  picks: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
});

test('ticks are what a person sees who watches the clock, asked from anywhere', () => {
  fc.assert(
    fc.property(question, ({ window, minute, hour, weekday, gap, fold, picks }) => {
      const text = `${minute.text} ${hour.text} * * ${weekday.text}`;
      const schedule = read(text, { timezone: window.zone, gap, fold });
      const isInterval =
        minute.text.startsWith('*') ||
        hour.text.startsWith('*') ||
        minute.values.length === 60 ||
        hour.values.length === 24;
      const rule = {
        gap: gap ?? (isInterval ? ('skip' as const) : ('shift' as const)),
        fold: fold ?? (isInterval ? ('both' as const) : ('first' as const)),
      };
      const matches = (wall: number): boolean => {
        const date = new Date(wall * 1000);
        return (
          minute.values.includes(date.getUTCMinutes()) &&
          hour.values.includes(date.getUTCHours()) &&
          weekday.values.includes(date.getUTCDay())
        );
      };
      // The ends are cut: a wall time there may have its other pass outside of the window.
      const from = (window.instants[0] ?? 0) * 1000 + 86_400_000;
      const until = (window.instants.at(-1) ?? 0) * 1000 - 86_400_000;
      const expected = ticksByWatching(window, matches, rule).filter(
        (tick) => tick > from && tick <= until,
      );
      const got = nextTicks(schedule, from, expected.length);
      assert.deepEqual(got, expected, `${text} ${window.zone}`);
      const counted = countTicks(schedule, from + 1, until, 1e9);
      assert.deepEqual(counted, { count: expected.length, exact: true });
      for (const pick of picks) {
        const at = from + (pick % (until - from));
        const before = expected.findLast((tick) => tick <= at);
        const after = expected.find((tick) => tick > at);
        if (after !== undefined) assert.equal(nextTick(schedule, at), after);
        if (before !== undefined) assert.equal(lastTickAtOrBefore(schedule, at), before);
      }
    }),
    { numRuns: 400 },
  );
});

test('several matches in a gap are one run, at the first instant after it', () => {
  const options = { timezone: 'America/New_York' };
  assert.deepEqual(ticks(read('0,20,40 2,3 * * *', options), '2026-03-08T05:00:00Z', 3), [
    '2026-03-08T07:00:00Z',
    '2026-03-08T07:20:00Z',
    '2026-03-08T07:40:00Z',
  ]);
  const skipping = read('30 2 * * *', { ...options, gap: 'skip' });
  assert.deepEqual(ticks(skipping, '2026-03-07T12:00:00Z', 1), ['2026-03-09T06:30:00Z']);
});

test('a fixed time runs in one pass of an overlap, an interval in both', () => {
  const options = { timezone: 'America/New_York' };
  const hours = (text: string, more = {}) =>
    ticks(read(text, { ...options, ...more }), '2026-11-01T05:15:00Z', 2).map((t) =>
      t.slice(8, 16),
    );
  assert.deepEqual(hours('30 1 * * *'), ['01T05:30', '02T06:30']);
  assert.deepEqual(hours('30 1 * * *', { fold: 'second' }), ['01T06:30', '02T06:30']);
  assert.deepEqual(hours('30 1 * * *', { fold: 'both' }), ['01T05:30', '01T06:30']);
  assert.deepEqual(hours('30 * * * *'), ['01T05:30', '01T06:30']);
});

test('the other pass is found when the nearest other match is a year away, or none is left', () => {
  const options = { timezone: 'Europe/London', fold: 'both' } as const;
  const yearly = read('45 1 25 10 *', options);
  const passes = ['2026-10-25T00:45:00Z', '2026-10-25T01:45:00Z'];
  assert.deepEqual(ticks(yearly, '2026-10-25T00:00:00Z', 2), passes);
  assert.deepEqual(ticks(yearly, '2026-10-25T00:50:00Z', 1), passes.slice(1));
  const asked = Date.parse('2026-10-25T01:10:00Z');
  assert.equal(lastTickAtOrBefore(yearly, asked), Date.parse('2026-10-25T00:45:00Z'));
  const once = read('0 45 1 25 10 ? 2026', options);
  assert.deepEqual(ticks(once, '2026-10-25T00:50:00Z', 2), passes.slice(1));
  assert.equal(lastTickAtOrBefore(once, asked), Date.parse('2026-10-25T00:45:00Z'));
});

test('a clock whose offset is not of whole minutes is followed to the second', () => {
  // Liberia was 44:30 behind until 1972-01-07.
  const schedule = read('0 0 * * *', { timezone: 'Africa/Monrovia' });
  assert.deepEqual(ticks(schedule, '1972-01-05T12:00:00Z', 3), [
    '1972-01-06T00:44:30Z',
    '1972-01-07T00:44:30Z',
    '1972-01-08T00:00:00Z',
  ]);
});
