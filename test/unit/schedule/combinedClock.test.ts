import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TickSource } from '../../../src/domain/run/tickSource.ts';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';
import { type ClockWindow, changes, clockWindow, ticksByWatching } from './clockWindow.ts';
import { type Field, field } from './fieldArbitrary.ts';

const windows = changes.map(([zone, day]) => clockWindow(zone, day));
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A schedule or an exclusion, and the wall seconds that it names, told without a reader. */
interface Clock {
  readonly text: string;
  readonly names: (wall: number) => boolean;
  readonly isInterval: boolean;
}

const everyWeekday: Field = { text: '*', values: [0, 1, 2, 3, 4, 5, 6] };
const clock: fc.Arbitrary<Clock> = fc
  .tuple(field(0, 59), field(0, 23), fc.oneof(field(0, 6), fc.constant(everyWeekday)))
  .map(([minute, hour, weekday]) => ({
    text: `${minute.text} ${hour.text} * * ${weekday.text}`,
    names: (wall) => {
      const date = new Date(wall * 1000);
      return (
        minute.values.includes(date.getUTCMinutes()) &&
        hour.values.includes(date.getUTCHours()) &&
        weekday.values.includes(date.getUTCDay())
      );
    },
    isInterval:
      minute.text.startsWith('*') ||
      hour.text.startsWith('*') ||
      minute.values.length === 60 ||
      hour.values.length === 24,
  }));

/** Days, counted from the window's middle. */
const days = fc
  .tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: 0, max: 1 }))
  .map(([from, more]) => (window: ClockWindow): Clock => {
    const middle = Math.floor((window.instants[0] ?? 0) / 86_400) + 2;
    const iso = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
    const [first, last] = [middle + from, middle + from + more];
    return {
      text: more === 0 ? iso(first) : `${iso(first)}..${iso(last)}`,
      names: (wall) => wall >= first * 86_400 && wall < (last + 1) * 86_400,
      isInterval: false,
    };
  });
const weekend: Clock = {
  text: 'SAT,SUN',
  names: (wall) => new Date(wall * 1000).getUTCDay() % 6 === 0,
  isInterval: false,
};
const exclusion = fc.oneof(
  clock.map((each) => () => each),
  days,
  fc.constant(() => weekend),
);

const question = fc.record({
  window: fc.constantFrom(...windows),
  clocks: fc.array(clock, { minLength: 1, maxLength: 3 }),
  everyMinutes: fc.array(fc.constantFrom(1, 2, 5, 7, 25, 60, 90, 120, 1440), { maxLength: 2 }),
  exclusions: fc.array(exclusion, { maxLength: 3 }),
  gap: fc.constantFrom(undefined, 'skip' as const, 'shift' as const),
  fold: fc.constantFrom(undefined, 'first' as const, 'second' as const, 'both' as const),
  anchorMinutes: fc.integer({ min: -600, max: 2_000 }),
  edges: fc.tuple(fc.boolean(), fc.boolean(), fc.nat(), fc.nat()),
  picks: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
});

test('several schedules less exclusions are what a person sees who watches the clock', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const { window, clocks, everyMinutes, exclusions, gap, fold, picks } = asked;
      // The ends are cut: a wall time there may have its other pass outside of the window.
      const startMs = (window.instants[0] ?? 0) * 1000 + dayMs;
      const endMs = (window.instants.at(-1) ?? 0) * 1000 - dayMs;
      const anchorMs = startMs + asked.anchorMinutes * minuteMs;
      const pickMs = (pick: number) => startMs + (pick % (endMs - startMs));
      const [hasLow, hasHigh, lowPick, highPick] = asked.edges;
      const lowMs = hasLow ? pickMs(lowPick) : startMs;
      const highMs = hasHigh ? Math.max(lowMs, pickMs(highPick)) : endMs;
      const excluded = exclusions.map((make) => make(window));
      const isExcluded = (wall: number) => excluded.some(({ names }) => names(wall));
      const expected = new Set<number>();
      for (const { names, isInterval } of clocks) {
        const rule = {
          gap: gap ?? (isInterval ? ('skip' as const) : ('shift' as const)),
          fold: fold ?? (isInterval ? ('both' as const) : ('first' as const)),
        };
        const matches = (wall: number) => names(wall) && !isExcluded(wall);
        for (const tick of ticksByWatching(window, matches, rule)) expected.add(tick);
      }
      const everies = everyMinutes.map((minutes) => `@every ${minutes}m`);
      for (const [index, instant] of window.instants.entries()) {
        const passed = instant * 1000 - anchorMs;
        const isTick = everyMinutes.some((every) => passed % (every * minuteMs) === 0);
        if (passed > 0 && isTick) expected.add(instant * 1000);
        if (isExcluded(window.walls[index] ?? 0)) expected.delete(instant * 1000);
      }
      const inForceMs = Math.max(lowMs, anchorMs);
      const named = [...expected]
        .filter((tick) => tick >= inForceMs && tick <= highMs)
        .sort((one, other) => one - other);

      const [first = '', ...more] = [...clocks.map(({ text }) => text), ...everies];
      const definition = {
        name: 'job',
        timezone: window.zone,
        schedule: first,
        moreSchedules: more,
        exclude: excluded.map(({ text }) => text),
        ...(gap === undefined ? {} : { gap }),
        ...(fold === undefined ? {} : { fold }),
        notBefore: new Date(lowMs).toISOString(),
        notAfter: new Date(highMs).toISOString(),
      };
      const ticks = ticksOfRevision(definition, anchorMs);
      const walked = walk(ticks, startMs - dayMs);
      const shown = JSON.stringify(definition);
      assert.deepEqual(walked.map(iso), named.map(iso), shown);
      const some = named.length > 60 ? picks.map((pick) => pick % named.length) : named.keys();
      for (const place of some) {
        const untilMs = (named[place + 1] ?? highMs + 1) - 1;
        assert.equal(ticks.lastAtOrBefore(untilMs), named[place], shown);
      }
      for (const [index, pick] of picks.entries()) {
        const at = pickMs(pick);
        assert.equal(ticks.next(at), named.find((tick) => tick > at) ?? null, shown);
        assert.equal(ticks.lastAtOrBefore(at), named.findLast((tick) => tick <= at) ?? null, shown);
        const until = pickMs(picks[index - 1] ?? 0);
        const counted = named.filter((tick) => tick >= at && tick <= until).length;
        assert.equal(ticks.count(at, until), counted, shown);
      }
    }),
    { numRuns: 400 },
  );
});

function walk(ticks: TickSource, afterMs: number): number[] {
  const walked: number[] = [];
  for (let at = ticks.next(afterMs); at !== null; at = ticks.next(at)) walked.push(at);
  return walked;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
