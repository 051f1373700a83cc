import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideClaim } from '../../../src/domain/policies/claimDecision.ts';
import type { TickSource } from '../../../src/domain/run/tickSource.ts';

/** A tick every ten milliseconds, for ever. */
const tens: TickSource = {
  next: (afterMs) => Math.floor(afterMs / 10) * 10 + 10,
  lastAtOrBefore: (atMs) => Math.floor(atMs / 10) * 10,
  count: (fromMs, untilMs) => Math.floor(untilMs / 10) - Math.ceil(fromMs / 10) + 1,
};

const pending = { trigger: 'manual', scheduledForMs: 995, attempt: 1, notBeforeMs: 995 } as const;

test('a tick ahead is launched and the cursor moves to the next', () => {
  const decision = decideClaim({ cursorMs: 1_000, endedMs: null, pending: null }, tens, 995);
  assert.equal(decision.launch?.scheduledForMs, 1_000);
  assert.equal(decision.cursorMs, 1_010);
  assert.deepEqual(decision.ranges, []);
});

test('of missed ticks the last is made up for and the others are one range', () => {
  const decision = decideClaim({ cursorMs: 1_000, endedMs: null, pending: null }, tens, 1_055);
  assert.equal(decision.launch?.trigger, 'misfire');
  assert.equal(decision.launch?.scheduledForMs, 1_050);
  assert.equal(decision.cursorMs, 1_060);
  assert.deepEqual(
    decision.ranges.map(({ result, fromMs, untilMs, ticks }) => [result, fromMs, untilMs, ticks]),
    [['missed', 1_000, 1_040, 5]],
  );
});

test('ticks up to the end of the last run are skipped, those after it are missed', () => {
  const decision = decideClaim({ cursorMs: 1_000, endedMs: 1_025, pending: null }, tens, 1_055);
  assert.equal(decision.launch?.scheduledForMs, 1_050);
  assert.deepEqual(
    decision.ranges.map(({ result, fromMs, untilMs, ticks }) => [result, fromMs, untilMs, ticks]),
    [
      ['skipped', 1_000, 1_020, 3],
      ['missed', 1_030, 1_040, 2],
    ],
  );
});

test('a pending launch goes before a tick ahead, and after a make-up', () => {
  const ahead = decideClaim({ cursorMs: 1_000, endedMs: null, pending }, tens, 996);
  assert.equal(ahead.launch?.fromPending, true);
  assert.equal(ahead.cursorMs, 1_000);
  const overdue = decideClaim({ cursorMs: 1_000, endedMs: null, pending }, tens, 1_055);
  assert.equal(overdue.launch?.fromPending, false);
  assert.equal(overdue.launch?.scheduledForMs, 1_050);
});

test('skipped ticks are written when a pending launch is taken, too', () => {
  const decision = decideClaim({ cursorMs: 1_000, endedMs: 1_055, pending }, tens, 1_056);
  assert.equal(decision.launch?.fromPending, true);
  assert.equal(decision.cursorMs, 1_060);
  assert.deepEqual(
    decision.ranges.map(({ result, ticks }) => [result, ticks]),
    [['skipped', 6]],
  );
});
