import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSchedule } from '../../../src/domain/schedule/read/parseSchedule.ts';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';
import type { Schedule } from '../../../src/domain/schedule/schedule.ts';
import {
  countTicks,
  lastTickAtOrBefore,
  nextTick,
  nextTicks,
} from '../../../src/domain/schedule/ticks.ts';
import { isQuick } from '../../support/isQuick.ts';
import { read, ticks } from './read.ts';

const expression = fc.constantFrom(
  '* * * * * *',
  '*/7 * * * *',
  '*/20 30 1 * * *',
  '5,10 1-3 * * *',
  '0 0 * * *',
  '30 2 * * *',
  '0 9 * * 1-5',
  '0 0 1,15 * MON',
  '0 0 L * *',
  '0 0 LW,15W * *',
  '0 12 * 2 1#5',
  '0 0 29 2 *',
  '0 30 1 ? * 0L 2024-2030/2',
  '59 59 23 31 12 ? 2026,2090',
  '@weekly',
);
const zone = fc.constantFrom(
  'UTC',
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Africa/Casablanca',
);
/** Texts, read inside of the properties, so that a counterexample prints as one line. */
const texts = fc.tuple(expression, zone);
const scheduleOf = ([text, timezone]: [string, string]): Schedule => read(text, { timezone });
const instant = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2060, 0, 1) });

test('the next tick is later, a whole second, and the same asked from anywhere before it', () => {
  fc.assert(
    fc.property(texts, instant, fc.nat(), (text, at, pick) => {
      const schedule = scheduleOf(text);
      const next = nextTick(schedule, at);
      if (next === null) return;
      assert.ok(next > at && next % 1000 === 0);
      assert.equal(nextTick(schedule, at + (pick % (next - at))), next);
      assert.equal(nextTick(schedule, next - 1), next);
      const following = nextTick(schedule, next);
      assert.ok(following === null || following > next);
    }),
    { numRuns: 2000 },
  );
});

test('the last tick is the one whose next one is later', () => {
  fc.assert(
    fc.property(texts, instant, (text, at) => {
      const schedule = scheduleOf(text);
      const last = lastTickAtOrBefore(schedule, at);
      const next = nextTick(schedule, at);
      if (last !== null) {
        assert.ok(last <= at);
        assert.equal(nextTick(schedule, last - 1), last);
        assert.equal(nextTick(schedule, last), next);
      }
      if (next !== null) {
        assert.equal(lastTickAtOrBefore(schedule, next - 1), last);
        assert.equal(lastTickAtOrBefore(schedule, next), next);
      }
    }),
    { numRuns: 2000 },
  );
});

test('a count is what walking finds, and a bounded one says so', () => {
  fc.assert(
    fc.property(texts, instant, fc.integer({ min: 0, max: 300 }), (text, at, many) => {
      const schedule = scheduleOf(text);
      const farthest = at + 49 * 366 * 86_400_000;
      const walked = nextTicks(schedule, at - 1, many).filter((tick) => tick < farthest);
      const until = walked.at(-1) ?? at - 1;
      assert.deepEqual(countTicks(schedule, at, until, 1e6), { count: walked.length, exact: true });
      if (walked.length > 1) {
        const max = walked.length - 1;
        assert.deepEqual(countTicks(schedule, at, until, max), { count: max, exact: false });
        assert.deepEqual(countTicks(schedule, at, until - 1, max), { count: max, exact: true });
      }
    }),
    { numRuns: 1000 },
  );
});

test('a count over more than 50 years says that it is not exact', () => {
  const yearly = read('@yearly', { timezone: 'Europe/London' });
  const { count, exact } = countTicks(yearly, 0, Date.UTC(2090, 0, 1), 1e6);
  assert.ok(!exact && count >= 50 && count < 120, `${count}`);
});

test('a month of seconds is counted and its last tick found without walking it', () => {
  const schedule = read('* * * * * *', { timezone: 'America/New_York' });
  const from = Date.parse('2026-10-15T00:00:00Z');
  const until = from + 30 * 86_400_000;
  const counted = measured(() => countTicks(schedule, from, until, 1e9));
  assert.deepEqual(counted.result, { count: 2_592_001, exact: true });
  const last = measured(() => lastTickAtOrBefore(schedule, until + 999));
  assert.equal(last.result, until);
  const oneDay = measured(() => nextTicks(schedule, from, 2000));
  // Walking 2,000 of them already takes longer: the count cannot have walked 2.6 million.
  assert.ok(counted.medianMs < oneDay.medianMs + 1);
  assert.ok(last.medianMs < oneDay.medianMs + 1);
});

test('a rare schedule and one that is over are answered in bounded time', () => {
  const rare = read('0 0 * 2 1#5');
  assert.equal(nextTick(rare, Date.UTC(2072, 2, 1)), Date.UTC(2112, 1, 29));
  assert.equal(lastTickAtOrBefore(rare, Date.UTC(2112, 1, 28)), Date.UTC(2072, 1, 29));
  const over = read('0 0 0 1 1 ? 2026');
  assert.equal(nextTick(over, Date.UTC(2026, 0, 1)), null);
  assert.equal(lastTickAtOrBefore(over, Date.UTC(2090, 0, 1)), Date.UTC(2026, 0, 1));
  assert.equal(nextTick(over, Number.POSITIVE_INFINITY), null);
  assert.equal(nextTick(over, Number.NEGATIVE_INFINITY), Date.UTC(2026, 0, 1));
  assert.throws(() => nextTick(over, Number.NaN), TypeError);
});

test('no text makes the reader throw or takes it 20 ms', () => {
  const items = fc.constantFrom(
    ...[
      '*',
      '?',
      '*/5',
      '0',
      '7',
      '59',
      '31',
      'L',
      'LW',
      '15W',
      'L-3',
      '5L',
      '5#5',
      'H',
      'H(1-5)/2',
    ],
    ...[
      'MON',
      'SUN-7',
      'feb',
      '30',
      '2',
      '1-5/2',
      '2099',
      ',',
      '',
      '5-1',
      '@every',
      '1h',
      'TZ=',
      '%',
    ],
  );
  const field = fc.array(items, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(','));
  const fields = fc.array(field, { minLength: 4, maxLength: 8 }).map((parts) => parts.join(' '));
  const prefix = fc.constantFrom('', 'CRON_TZ=Pacific/Apia ', 'TZ=UTC ', '@every ', '@at ');
  const text = fc.oneof(
    fc.tuple(prefix, fields).map((parts) => parts.join('')),
    fc.string({ maxLength: 80 }),
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.constantFrom(','.repeat(10_000), '0 0 30 2 *', '0 0 * 2 1#5', '0 0 0 1 1 ? 9999'),
    fc.constantFrom('* '.repeat(256), '1-'.repeat(250), `${'L,'.repeat(200)}L * * * *`),
    fc.constantFrom('*/30 2 * 3 0#2', '* * 2 * 3 0#2 *', `* * ${'31W,'.repeat(100)}30W 2 *`),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('unix' as const, 'quartz' as const), (written, dialect) => {
      const options = { dialect, defaultTimezone: 'America/New_York', jobName: 'job' };
      const schedule = parseSchedule(written, options);
      assert.ok(
        isQuick(20, () => parseSchedule(written, options)),
        written,
      );
      if ('error' in schedule) assert.ok(schedule.error.length > 5);
      else if (schedule.kind === 'cron') assert.notEqual(nextTick(schedule, 0), null);
    }),
    { numRuns: 3000 },
  );
});

/** The median of five, since the machine is shared. The first is the only cold one. */
function measured<T>(work: () => T): { result: T; medianMs: number } {
  let result = work();
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    result = work();
    return performance.now() - start;
  });
  return { result, medianMs: times.sort((a, b) => a - b)[2] ?? 0 };
}

test('a schedule goes on until the end of the year 9999, by itself and beside another', () => {
  const from = '9999-12-31T23:59:57.500Z';
  const last = ['9999-12-31T23:59:58Z', '9999-12-31T23:59:59Z'];
  assert.deepEqual(ticks(read('* * * * * *'), from, 5), last);
  assert.deepEqual(ticks(read('0 0 29 2 *'), '9990-01-01T00:00:00Z', 5), [
    '9992-02-29T00:00:00Z',
    '9996-02-29T00:00:00Z',
  ]);
  const endMs = Date.parse('9999-12-31T23:59:59Z');
  assert.equal(lastTickAtOrBefore(read('* * * * * *'), endMs + 999), endMs);
  const fields = { name: 'a', schedule: '* * * * * *', moreSchedules: ['@yearly'] };
  const both = ticksOfRevision({ ...fields, timezone: 'UTC' }, 0);
  assert.equal(both.next(endMs - 1), endMs);
  assert.equal(both.next(endMs), null);
  assert.equal(both.lastAtOrBefore(endMs + 999), endMs);
});
