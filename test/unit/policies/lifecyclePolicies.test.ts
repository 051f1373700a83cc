import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDefinition } from '../../../src/domain/job/checkDefinition.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { JobPolicies, RetryPolicy } from '../../../src/domain/job/jobPolicies.ts';
import { decideClaim } from '../../../src/domain/policies/claimDecision.ts';
import { nextAttempt, rerunsMax } from '../../../src/domain/policies/nextAttempt.ts';
import { countRun, whyPaused } from '../../../src/domain/policies/runLimit.ts';
import { splayOf, startAt, startBefore } from '../../../src/domain/policies/startAt.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';

const everySecond = { name: 'job', schedule: '* * * * * *', timezone: 'UTC' };
const fromMs = Date.UTC(2026, 0, 1);
const ticks = ticksOfRevision(everySecond, fromMs);
const day = 86_400_000;

test('thirty days without a node are one make-up and one range, at no cost', () => {
  const nowMs = fromMs + 30 * day + 300;
  const slot = { cursorMs: fromMs, endedMs: null, pending: null };
  const { launch, cursorMs, ranges } = decideClaim(slot, ticks, nowMs);
  // The fastest of five, since the machine is shared.
  const times = Array.from({ length: 5 }, () => {
    const beganMs = performance.now();
    decideClaim(slot, ticks, nowMs);
    return performance.now() - beganMs;
  });
  assert.ok(Math.min(...times) < 100, `${times} ms`);
  assert.equal(launch?.scheduledForMs, fromMs + 30 * day);
  assert.equal(launch?.trigger, 'misfire');
  assert.equal(cursorMs, fromMs + 30 * day + 1_000);
  assert.deepEqual(
    ranges.map((range) => [range.result, range.ticks, range.reason]),
    [['missed', 30 * 86_400, reasons.nobodyThere]],
  );
});

test('with all and an hour to catch up, its 3,600 ticks are launched in order', () => {
  const policies: JobPolicies = { misfire: 'all', catchUpMs: 3_600_000 };
  let nowMs = fromMs + 30 * day + 300;
  let cursorMs: number | null = fromMs;
  let startedMs: number | null = null;
  let endedMs: number | null = null;
  const launched: number[] = [];
  const passed: number[] = [];
  while (cursorMs !== null && cursorMs <= nowMs) {
    const slot = { cursorMs, startedMs, endedMs, pending: null };
    const decision = decideClaim(slot, ticks, nowMs, policies);
    passed.push(...decision.ranges.map((range) => range.ticks));
    if (decision.launch !== null) launched.push(decision.launch.scheduledForMs);
    cursorMs = decision.cursorMs;
    // Four a second: the ticks that come meanwhile join the end of the backlog.
    startedMs = nowMs;
    endedMs = nowMs + 240;
    nowMs += 250;
  }
  const oldest = fromMs + 30 * day - 3_600_000 + 1_000;
  assert.deepEqual(passed[0], 30 * 86_400 - 3_599, 'the older ones are one range');
  assert.deepEqual(passed.slice(1).length <= 1, true, 'and no other but the tick under the last');
  const expected = launched.map((_, place) => oldest + place * 1_000);
  assert.deepEqual(launched.slice(0, -1), expected.slice(0, -1));
  assert.ok(launched.length >= 3_600 && launched.length <= 5_000, `${launched.length}`);
});

test('a make-up that is older than the catch-up window is missed like the others', () => {
  const hourly = ticksOfRevision({ ...everySecond, schedule: '0 * * * *' }, fromMs);
  const nowMs = fromMs + 10 * 3_600_000 + 1_800_000;
  const slot = { cursorMs: fromMs, endedMs: null, pending: null };
  const late = decideClaim(slot, hourly, nowMs, { catchUpMs: 600_000 }, 30_000);
  assert.equal(late.launch, null);
  assert.equal(late.cursorMs, fromMs + 11 * 3_600_000);
  assert.deepEqual(
    late.ranges.map((range) => [range.ticks, range.reason]),
    [[11, reasons.tooOld]],
  );
  const young = decideClaim(slot, hourly, nowMs, { catchUpMs: 2_400_000 }, 30_000);
  assert.equal(young.launch?.scheduledForMs, fromMs + 10 * 3_600_000);
});

test('a catch-up of four seconds is four seconds, whatever the misfire policy', () => {
  const minutely = ticksOfRevision({ ...everySecond, schedule: '* * * * *' }, fromMs);
  const slot = { cursorMs: fromMs, endedMs: null, pending: null };
  const policies: JobPolicies[] = [{ catchUpMs: 4_000 }, { catchUpMs: 4_000, misfire: 'all' }];
  for (const each of policies) {
    const inTime = decideClaim(slot, minutely, fromMs + 4_000, each, 0);
    assert.equal(inTime.launch?.scheduledForMs, fromMs);
    for (const lateMs of [4_001, 8_500]) {
      const late = decideClaim(slot, minutely, fromMs + lateMs, each, 0);
      assert.equal(late.launch, null, `made up for ${lateMs} ms late`);
      assert.deepEqual(
        late.ranges.map((range) => [range.result, range.ticks, range.reason]),
        [['missed', 1, reasons.tooOld]],
      );
    }
  }
});

test('skip makes up for nothing, but a tick of a moment ago is not missed', () => {
  const hourly = ticksOfRevision({ ...everySecond, schedule: '0 * * * *' }, fromMs);
  const slot = { cursorMs: fromMs, endedMs: null, pending: null };
  const dueMs = fromMs + 2 * 3_600_000;
  const onTime = decideClaim(slot, hourly, dueMs + 9_000, { misfire: 'skip' });
  assert.equal(onTime.launch?.scheduledForMs, dueMs);
  const missed = decideClaim(slot, hourly, dueMs + 11_000, { misfire: 'skip' }, 30_000);
  assert.equal(missed.launch, null);
  assert.deepEqual(
    missed.ranges.map((range) => range.ticks),
    [3],
  );
});

test('of ticks that fell into a run, queue keeps the first and replace the last', () => {
  const slot = {
    cursorMs: fromMs + 1_000,
    startedMs: fromMs,
    endedMs: fromMs + 4_500,
    pending: null,
  };
  const decide = (overlap: NonNullable<JobPolicies['overlap']>, waiting = 0) =>
    decideClaim({ ...slot, waiting }, ticks, fromMs + 4_600, { overlap }, 0);
  const queue = decide('queue');
  assert.deepEqual(
    [queue.launch?.trigger, queue.launch?.scheduledForMs],
    ['queue', fromMs + 1_000],
  );
  assert.deepEqual(
    queue.ranges.map((range) => [range.ticks, range.reason]),
    [[3, reasons.oneWaits]],
  );
  assert.equal(decide('queue', 1).launch, null, 'one waits already, and is due first');
  const all = decide('queue-all');
  assert.equal(all.launch?.scheduledForMs, fromMs + 1_000);
  assert.deepEqual(
    all.queued,
    [2_000, 3_000, 4_000].map((ms) => fromMs + ms),
  );
  const replace = decide('replace');
  assert.equal(replace.launch?.scheduledForMs, fromMs + 4_000);
  assert.deepEqual(
    replace.ranges.map((range) => [range.ticks, range.reason]),
    [[3, reasons.laterTick]],
  );
});

test('what is pending has its turn though every run lasts into a tick that replaces it', () => {
  const pending = { trigger: 'retry', scheduledForMs: fromMs, attempt: 2 } as const;
  const past = { cursorMs: fromMs + 2_000, startedMs: fromMs + 1_000, endedMs: fromMs + 2_300 };
  const decide = (overlap: 'replace' | 'terminate', misfire: 'all' | undefined, dueMs: number) =>
    decideClaim(
      { ...past, pending: { ...pending, notBeforeMs: fromMs + dueMs } },
      ticks,
      fromMs + 2_400,
      { overlap, ...(misfire === undefined ? {} : { misfire }) },
      0,
    );
  for (const overlap of ['replace', 'terminate'] as const) {
    for (const misfire of ['all', undefined] as const) {
      const first = decide(overlap, misfire, 1_500);
      assert.equal(first.launch?.fromPending, true);
      assert.equal(first.cursorMs, fromMs + 3_000);
      assert.deepEqual(
        first.ranges.map((range) => [range.fromMs - fromMs, range.ticks, range.reason]),
        [[2_000, 1, reasons.gaveWay]],
      );
      const later = decide(overlap, misfire, 2_350);
      assert.equal(later.launch?.scheduledForMs, fromMs + 2_000, 'the tick came first');
      assert.deepEqual(later.ranges, []);
    }
  }
});

test('more ticks than may wait are skipped, with that reason', () => {
  const slot = { cursorMs: fromMs, startedMs: fromMs, endedMs: fromMs + 3_600_500, pending: null };
  const nowMs = fromMs + 3_600_600;
  const decision = decideClaim(slot, ticks, nowMs, { overlap: 'queue-all' }, 0);
  assert.equal(decision.queued.length, 999);
  assert.deepEqual(
    decision.ranges.map((range) => [range.ticks, range.reason]),
    [[2_601, reasons.queueIsFull]],
  );
});

const retry: RetryPolicy = {
  max: 3,
  delayMs: 1_000,
  backoff: 'exponential',
  delayMsMax: 3_000,
  jitter: false,
  on: ['failure', 'timeout'],
};

test('each delay is twice the one before, up to the longest, and attempts end', () => {
  const delays = [1, 2, 3, 4].map(
    (attempt) => nextAttempt({ retry }, 'failed', attempt, 0)?.delayMs,
  );
  assert.deepEqual(delays, [1_000, 2_000, 3_000, undefined]);
  const jittered = nextAttempt({ retry: { ...retry, jitter: true } }, 'timed_out', 1, 0.999);
  assert.deepEqual(jittered, { attempt: 2, delayMs: 500 });
  assert.equal(nextAttempt({ retry }, 'lost', 1, 0), null, 'not for a lost node unless it says so');
  assert.equal(nextAttempt({ retry }, 'stopped', 1, 0), null);
});

test('a run whose node is lost again and again comes to an end', () => {
  let attempt = 1;
  for (let next = nextAttempt({ nodeLoss: 'rerun' }, 'lost', attempt, 0); next !== null; ) {
    attempt = next.attempt;
    next = nextAttempt({ nodeLoss: 'rerun' }, 'lost', attempt, 0);
  }
  assert.equal(attempt, rerunsMax + 1);
});

test('a splay is even, the same for all, below its bound and never before the tick', () => {
  const job = { name: 'nightly', splayMs: 60_000 };
  const moved = Array.from({ length: 2_000 }, (_, day_) => splayOf(job, fromMs + day_ * day));
  assert.ok(moved.every((ms) => Number.isInteger(ms) && ms >= 0 && ms < 60_000));
  const mean = moved.reduce((sum, ms) => sum + ms, 0) / moved.length;
  assert.ok(mean > 27_000 && mean < 33_000, `${mean} ms`);
  const tick = { trigger: 'schedule', scheduledForMs: fromMs, notBeforeMs: null } as const;
  assert.equal(startAt(job, tick), fromMs + splayOf(job, fromMs));
  const asked = { ...tick, trigger: 'retry', notBeforeMs: fromMs + 5_000 } as const;
  assert.equal(startAt(job, asked), fromMs + 5_000, 'what is asked for is not moved');
  assert.equal(startBefore({ startDeadlineMs: 90_000 }, tick, startAt(job, tick)), fromMs + 90_000);
  assert.equal(startBefore({ startDeadlineMs: 90_000 }, asked, fromMs + 5_000), fromMs + 95_000);
});

test('ticks count once, failures in a row until a success, requests never', () => {
  const zero = { ticksRun: 0, failuresInRow: 0 };
  const ended = { trigger: 'schedule', requestId: null, result: 'failed' } as const;
  const one = countRun(zero, ended);
  assert.deepEqual(one, { ticksRun: 1, failuresInRow: 1 });
  assert.deepEqual(countRun(one, { ...ended, result: 'stopped' }), {
    ticksRun: 2,
    failuresInRow: 1,
  });
  assert.deepEqual(countRun(one, { ...ended, result: 'succeeded' }), {
    ticksRun: 2,
    failuresInRow: 0,
  });
  assert.equal(countRun(one, { ...ended, trigger: 'manual', requestId: 'r' }), one);
  assert.equal(countRun(one, { ...ended, trigger: 'retry', requestId: 'r' }), one);
  assert.equal(whyPaused({ failuresMax: 2 }, one), null);
  assert.match(whyPaused({ failuresMax: 1 }, one) ?? '', /1 tick that failed/);
  assert.match(whyPaused({ runsMax: 1 }, one) ?? '', /after 1 tick that ran/);
});

test('values out of bounds, unknown words and combinations without sense are refused', () => {
  const job = { ...jobDefaults, name: 'job', schedule: '* * * * *', command: 'true' };
  const refused: [JobPolicies, string][] = [
    [{ parallel: 1_001 }, 'parallel'],
    [{ parallel: 2, overlap: 'queue' }, 'parallel'],
    [{ overlap: 'eat' as 'queue' }, 'overlap'],
    [{ misfire: 'skip', catchUpMs: 60_000 }, 'catchUpMs'],
    [{ splayMs: 60_000, startDeadlineMs: 30_000 }, 'startDeadlineMs'],
    [{ runsMax: 0 }, 'runsMax'],
    [{ retry: { ...retry, on: [] } }, 'retry.on'],
    [{ retry: { ...retry, max: 101 } }, 'retry.max'],
    [{ retry: { ...retry, delayMsMax: 10 } }, 'retry.delayMsMax'],
  ];
  for (const [policies, field] of refused) {
    const faults = checkDefinition({ ...job, ...policies });
    assert.deepEqual(
      faults.map((fault) => fault.field),
      [field],
      JSON.stringify(policies),
    );
  }
  const sound: JobPolicies = { overlap: 'replace', misfire: 'all', catchUpMs: 60_000, retry };
  const more = { runsMax: 5, failuresMax: 2, nodeLoss: 'rerun' } as const;
  assert.deepEqual(checkDefinition({ ...job, ...sound, ...more }), []);
});
