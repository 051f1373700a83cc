import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';
import type { ScheduleFields } from '../../../src/domain/schedule/schedule.ts';
import { changes } from './clockWindow.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const texts = fc.constantFrom(
  ...['* * * * * *', '*/7 * * * *', '*/20 30 1 * * *', '0 0 * * *', '30 2 * * *', '0 9 * * 2-6'],
  ...['0 0 L * *', '0 0 LW,15W * *', '0 12 * 2 2#5', '0 30 1 ? * 1L 2024-2030/2', 'H H * * *'],
  ...['@weekly', '@hourly', '@every 10s', '@every 25m', '@every 6h', '@every 7s', '@every 25h'],
  ...['@at 2026-03-29T02:30:00,2026-10-25T01:30:00Z,2026-04-05T01:45', '@at 2030-01-01T00:00:00Z'],
);
const exclusions = fc.constantFrom(
  ...['SAT,SUN', 'MON-FRI', '2026-03-29', '2026-10-01..2026-10-31', '0 0 1 * *', '* 2 * * *'],
  ...['*/2 * * * *', '30 * * * * *', '0-29 * * * * *', '* 0-11 * 3,10 *', '0 0 0 29 2 ? 2028'],
);
const zones = fc.constantFrom(...new Set(changes.map(([zone]) => zone)), 'America/St_Johns');
/** Mostly around a change. */
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * dayMs, max: 2 * dayMs }))
    .map(([[, day], more]) => Date.parse(`${day}T00:00:00Z`) + more),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const question = fc.record({
  schedules: fc.array(texts, { minLength: 1, maxLength: 4 }),
  exclude: fc.array(exclusions, { maxLength: 3 }),
  timezone: zones,
  gap: optional(fc.constantFrom('skip' as const, 'shift' as const)),
  fold: optional(fc.constantFrom('first' as const, 'second' as const, 'both' as const)),
  dialect: optional(fc.constant('quartz' as const)),
  at: instants,
  sinceMs: fc.nat({ max: 40 * dayMs }),
  windowMs: optional(fc.tuple(fc.nat({ max: 50 * dayMs }), fc.nat({ max: 400 * dayMs }))),
  pick: fc.nat(),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

function fieldsOf(asked: Question): ScheduleFields {
  const [schedule = '', ...moreSchedules] = asked.schedules;
  const { exclude, timezone, gap, fold, dialect, at, sinceMs, windowMs } = asked;
  const [fromMs = 0, lengthMs = 0] = windowMs ?? [];
  const notBeforeMs = at - sinceMs + fromMs;
  return {
    name: 'job',
    ...{ schedule, moreSchedules, exclude, timezone },
    ...(gap === undefined ? {} : { gap }),
    ...(fold === undefined ? {} : { fold }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(windowMs === undefined
      ? {}
      : {
          notBefore: new Date(notBeforeMs).toISOString(),
          notAfter: new Date(notBeforeMs + lengthMs).toISOString(),
        }),
  };
}

test('next is later and the same from anywhere, last its inverse, a count the steps', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const fields = fieldsOf(asked);
      const { at, pick } = asked;
      const inForceMs = at - asked.sinceMs;
      const ticks = ticksOfRevision(fields, inForceMs);
      const next = ticks.next(at);
      const last = ticks.lastAtOrBefore(at);
      if (last !== null) {
        assert.ok(last <= at && last >= inForceMs && last % 1000 === 0);
        assert.equal(ticks.next(last - 1), last);
        assert.equal(ticks.next(last), next);
      }
      if (next === null) return assert.equal(ticks.count(at + 1, at + dayMs), 0);
      assert.ok(next > at && next % 1000 === 0);
      assert.equal(ticks.next(at + (pick % (next - at))), next);
      assert.equal(ticks.lastAtOrBefore(next), next);
      assert.equal(ticks.lastAtOrBefore(next - 1), last);
      assert.equal(ticks.count(at + 1, next - 1), 0);
      let until = at;
      let steps = 0;
      for (let tick: number | null = next; tick !== null && steps < 60; tick = ticks.next(tick)) {
        assert.ok(tick > until);
        until = tick;
        steps += 1;
      }
      assert.equal(ticks.count(at + 1, until), steps);
      assert.equal(ticks.count(next, until - 1), Math.max(0, steps - 1));
    }),
    { numRuns: 600 },
  );
});

test('in a zone of a fixed offset the ticks are those of UTC, that much earlier or later', () => {
  const places = fc.integer({ min: -12, max: 14 });
  fc.assert(
    fc.property(question, places, (asked, hours) => {
      const { gap: _gap, fold: _fold, ...fields } = fieldsOf(asked);
      if (asked.schedules.some((text) => text.startsWith('@at'))) return;
      const timezone = hours === 0 ? 'UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
      const aheadMs = hours * hourMs;
      const shifted = (text: string | undefined): string =>
        new Date(Date.parse(text ?? '') - aheadMs).toISOString();
      const { notBefore, notAfter } = fields;
      const there = {
        ...fields,
        timezone,
        ...(notBefore === undefined
          ? {}
          : { notBefore: shifted(notBefore), notAfter: shifted(notAfter) }),
      };
      const inForceMs = asked.at - asked.sinceMs;
      const utc = ticksOfRevision({ ...fields, timezone: 'UTC' }, inForceMs);
      const zoned = ticksOfRevision(there, inForceMs - aheadMs);
      let at: number | null = asked.at;
      for (let step = 0; step < 20 && at !== null; step += 1) {
        const next: number | null = utc.next(at);
        const other = zoned.next(at - aheadMs);
        assert.equal(other === null ? null : other + aheadMs, next);
        at = next;
      }
    }),
    { numRuns: 300 },
  );
});

test('@every counts from the instant in force, its window and exclusions only leave out', () => {
  const inForceMs = Date.parse('2026-03-02T09:00:00Z');
  const fields = { name: 'job', schedule: '@every 25m', timezone: 'UTC' };
  const all = ticksOfRevision(fields, inForceMs);
  const some = ticksOfRevision(
    { ...fields, exclude: ['* 10 * * *'], notBefore: '2026-03-02T09:30:00Z' },
    inForceMs,
  );
  const first = (source: typeof all, count: number): string[] => {
    const found: string[] = [];
    for (let at: number | null = source.next(inForceMs); at !== null; at = source.next(at)) {
      if (found.push(new Date(at).toISOString().slice(11, 16)) === count) break;
    }
    return found;
  };
  assert.deepEqual(first(all, 5), ['09:25', '09:50', '10:15', '10:40', '11:05']);
  assert.deepEqual(first(some, 3), ['09:50', '11:05', '11:30']);
});

test('a count is of all the years that were asked for', () => {
  const fields = { name: 'job', schedule: '0 0 1 1 *', timezone: 'UTC' };
  const inForceMs = Date.UTC(2026, 5, 1);
  for (const exclude of [[], ['2 1 * * *']]) {
    const ticks = ticksOfRevision({ ...fields, exclude }, inForceMs);
    assert.equal(ticks.count(inForceMs, Date.UTC(2111, 0, 1)), 2111 - 2026);
    assert.equal(ticks.count(inForceMs, Number.POSITIVE_INFINITY), 9999 - 2026);
  }
});

test('what cannot be read has no ticks', () => {
  const fields = { name: 'job', schedule: '* * * * *', timezone: 'UTC' };
  for (const wrong of [{ schedule: '@moon' }, { exclude: ['someday'] }, { notAfter: 'late' }]) {
    const none = ticksOfRevision({ ...fields, ...wrong }, 0);
    assert.deepEqual(
      [none.next(0), none.lastAtOrBefore(1e12), none.count(0, 1e12)],
      [null, null, 0],
    );
  }
});
