import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { decideSlotChange } from '../../../src/domain/policies/jobChange.ts';
import { observeTicks } from '../../../src/domain/policies/observeTicks.ts';
import { howRunGivesWay } from '../../../src/domain/policies/passOverlapped.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';

const fromMs = Date.UTC(2026, 0, 1);
const job = { name: 'job', schedule: '* * * * *', timezone: 'UTC' };
const minutely = ticksOfRevision(job, fromMs);
const minute = 60_000;

const idle = { cursorMs: fromMs, endedMs: null };

/** Observed from `fromMs` until a look at `nowMs`: `first..last of the ticks, result, reason`. */
function observe(
  nowMs: number,
  policies: JobPolicies = {},
  ticks = minutely,
  endedMs: number | null = null,
) {
  const past = { cursorMs: fromMs, endedMs };
  const decision = observeTicks(past, null, ticks, { nowMs, aheadMs: 30_000, policies });
  return decision?.ranges.map(({ fromMs: first, untilMs, result, reason }) => {
    return [first - fromMs, untilMs - fromMs, result, reason];
  });
}

test('a tick is dealt with once it is over, never ahead of it', () => {
  const at = { nowMs: fromMs - 1, aheadMs: 30_000, policies: {} };
  assert.equal(observeTicks(idle, null, minutely, at), null);
  assert.deepEqual(observe(fromMs), [[0, 0, 'skipped', reasons.observed]]);
});

test('several ticks between two looks are one row, and none of them was missed', () => {
  const secondly = ticksOfRevision({ ...job, schedule: '* * * * * *' }, fromMs);
  assert.deepEqual(observe(fromMs + 2_100, {}, secondly), [
    [0, 2_000, 'skipped', reasons.observed],
  ]);
});

test('ticks that nobody was there for are missed, but the one that would be made up for', () => {
  const missed = (untilMs: number) => [0, untilMs, 'missed', reasons.nobodyThere];
  const late = fromMs + 10 * minute + 30_000;
  const last = [10 * minute, 10 * minute, 'skipped', reasons.observed];
  assert.deepEqual(observe(late), [missed(9 * minute), last]);
  assert.deepEqual(observe(late - 29_000), [missed(9 * minute), last], 'the last was on time');
  assert.deepEqual(observe(late, { misfire: 'skip' }), [missed(10 * minute)]);
  assert.deepEqual(observe(late, { misfire: 'all' }), [
    [0, 10 * minute, 'skipped', reasons.observed],
  ]);
  assert.deepEqual(observe(late, { catchUpMs: 20_000 }), [
    [0, 10 * minute, 'missed', reasons.tooOld],
  ]);
});

test('ticks that came while a requested run had the slot were not missed', () => {
  const endedMs = fromMs + 5.5 * minute;
  const observed = (firstMs: number, untilMs: number) => {
    return [firstMs, untilMs, 'skipped', reasons.observed];
  };
  const soon = observe(endedMs + 1_000, {}, minutely, endedMs);
  assert.deepEqual(soon, [observed(0, 5 * minute)]);
  const late = observe(endedMs + 3 * minute, {}, minutely, endedMs);
  assert.deepEqual(late, [
    observed(0, 5 * minute),
    [6 * minute, 7 * minute, 'missed', reasons.nobodyThere],
    observed(8 * minute, 8 * minute),
  ]);
  assert.deepEqual(observe(fromMs, {}, minutely, fromMs - 1), [observed(0, 0)], 'it ended before');
});

test('what somebody requested is launched, beside the ticks', () => {
  const request = { trigger: 'manual', scheduledForMs: fromMs, attempt: 1 } as const;
  const pending = { ...request, notBeforeMs: fromMs };
  const at = { nowMs: fromMs + 1, aheadMs: 0, policies: {} };
  const decision = observeTicks(idle, pending, minutely, at);
  assert.deepEqual(decision?.launch, { ...request, fromPending: true });
  assert.equal(decision?.ranges.length, 1);
  assert.equal(decision?.cursorMs, fromMs + minute);
});

test('what a node of an older version lets follow another job is not launched', () => {
  const chain = { trigger: 'chain', scheduledForMs: fromMs, attempt: 1 } as const;
  const pending = { ...chain, notBeforeMs: fromMs };
  const at = { nowMs: fromMs - 1, aheadMs: 30_000, policies: {} };
  assert.equal(observeTicks(idle, pending, minutely, at), null);
});

test('no tick of an observed job takes the place of a run', () => {
  assert.equal(howRunGivesWay({ overlap: 'terminate' }), 'terminate');
  assert.equal(howRunGivesWay({ overlap: 'terminate', observed: true }), null);
  assert.equal(howRunGivesWay({ overlap: 'queue' }), null);
});

const hourly = ticksOfRevision({ ...job, schedule: '30 * * * *' }, fromMs);
/** Of a job of every minute, an edit ten and a half minutes after its beginning. */
const edit = { inForceFromMs: fromMs + 10.5 * minute, oldTicks: minutely, newTicks: hourly };
const nextMs = fromMs + 30 * minute;

test('an edit that makes a job observed starts nothing of what it had prepared', () => {
  const launch = { trigger: 'schedule', scheduledForMs: fromMs + 9 * minute } as const;
  const cursorMs = fromMs + 10 * minute;
  const slot = { state: 'prepare', cursorMs, endedMs: null, launch } as const;
  const decided = decideSlotChange(slot, { ...edit, kind: 'observe' });
  assert.deepEqual([decided.prepared, decided.cursorMs], ['skipped', nextMs]);
  assert.deepEqual(
    decided.ranges.map((range) => [range.fromMs, range.untilMs, range.reason]),
    [[cursorMs, cursorMs, reasons.observed]],
  );
});

test('a job that goes live makes up for no tick that it was observed at', () => {
  const launch = { trigger: 'manual', scheduledForMs: fromMs } as const;
  const cursorMs = fromMs + 2 * minute;
  const slot = { state: 'prepare', cursorMs, endedMs: null, launch } as const;
  const policies = { observed: true };
  const decided = decideSlotChange(slot, { ...edit, kind: 'edit', policies });
  assert.deepEqual([decided.prepared, decided.cursorMs], ['kept', nextMs], 'the request runs');
  assert.deepEqual(
    decided.ranges.map((range) => [range.fromMs, range.untilMs, range.reason]),
    [[cursorMs, fromMs + 10 * minute, reasons.observed]],
  );
  assert.equal(decideSlotChange(slot, { ...edit, kind: 'pause', policies }).prepared, 'skipped');
});
