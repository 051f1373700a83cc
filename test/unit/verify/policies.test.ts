import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { splayOf } from '../../../src/domain/policies/startAt.ts';
import type { RunRecord } from '../../../src/domain/verify/rules/records.ts';
import { at, minutes, verify } from './verify.ts';

const codesOf = (findings: readonly string[]) => findings.map((each) => each.split(':', 1)[0]);
const retry = {
  max: 2,
  delayMs: 5_000,
  backoff: 'exponential',
  delayMsMax: 60_000,
  jitter: false,
  on: ['failure', 'node-loss'],
} as const satisfies JobPolicies['retry'];
const retried = { retry: { ...retry, on: [...retry.on] } };

/** Tick 10 with three attempts: at once, 5 s and 10 s after the end of the one before. */
function attempts(changes: readonly Partial<RunRecord>[] = []): Partial<RunRecord>[] {
  const startsMs = [0, 6_000, 17_000];
  return [
    ...minutes(1, 9),
    ...startsMs.map((afterMs, place): Partial<RunRecord> => {
      const isLast = place === 2;
      return {
        scheduledForMs: at(10),
        startedMs: at(10) + afterMs,
        attempt: place + 1,
        trigger: place === 0 ? 'schedule' : 'retry',
        isFinal: isLast,
        result: 'failed',
        ...changes[place],
      };
    }),
  ];
}

test('attempts of one tick are one account of it, the last of them', () => {
  assert.deepEqual(verify({ policies: retried, runs: attempts() }), []);
  const waiting = { trigger: 'retry', attempt: 3, notBeforeMs: at(11) };
  const runs = attempts().slice(0, -1);
  assert.deepEqual(verify({ policies: retried, runs, pending: [waiting] }), []);
  const found = codesOf(verify({ policies: retried, runs }));
  assert.deepEqual(found, ['tick_missing']);
});

for (const [fact, changes, codes] of [
  ['an attempt number twice', [{}, { attempt: 1 }], ['tick_started_twice', 'attempt_gap']],
  ['an attempt number left out', [{}, {}, { attempt: 4 }], ['attempt_gap']],
  ['an attempt before its delay', [{}, {}, { startedMs: at(10) + 16_999 }], ['attempt_early']],
  ['a last attempt that is called final too soon', [{}, { isFinal: true }], ['attempt_lacking']],
  ['an attempt after a success', [{ result: 'succeeded' }], ['attempt_unasked']],
  [
    'an attempt after a time-out that is not retried',
    [{ result: 'timed_out' }],
    ['attempt_unasked'],
  ],
] as const) {
  test(`found of attempts: ${fact}`, () => {
    const found = codesOf(verify({ policies: retried, runs: attempts(changes) }));
    for (const code of codes) assert.ok(found.includes(code), found.join());
  });
}

test('there are no more attempts than the policy allows, but for those of a lost node', () => {
  const few = { retry: { ...retried.retry, max: 1 } };
  const found = codesOf(verify({ policies: few, runs: attempts() }));
  assert.deepEqual(found, ['attempt_beyond']);
  const none = codesOf(verify({ runs: attempts() }));
  assert.deepEqual(none, ['attempt_unasked', 'attempt_unasked']);
  const lost = [{ result: 'lost' }, { result: 'lost' }];
  const isLive = ['run_lost_alive', 'run_lost_alive'];
  const rerun = { nodeLoss: 'rerun' } as const;
  assert.deepEqual(codesOf(verify({ policies: rerun, runs: attempts(lost) })), isLive);
});

test('a backfill waits for no tick to come, and its ticks start in their order', () => {
  const fill = { trigger: 'backfill', requestId: 'fill' } as const;
  const filled = (startedMs: number, tickMs: number, more: Partial<RunRecord> = {}) => {
    return { ...fill, startedMs, scheduledForMs: tickMs, endedMs: startedMs + 100, ...more };
  };
  const runs = minutes(1, 10);
  const inOrder = [filled(at(1) + 2_000, at(-9)), filled(at(2) + 2_000, at(-8))];
  const waiting = { ...fill, scheduledForMs: at(-7), notBeforeMs: at(11) };
  assert.deepEqual(verify({ runs: [...runs, ...inOrder], pending: [waiting] }), []);
  const turned = [filled(at(1) + 2_000, at(-8)), filled(at(2) + 2_000, at(-9))];
  assert.deepEqual(codesOf(verify({ runs: [...runs, ...turned] })), ['backfill_order']);
  const others = [turned[0], { ...turned[1], requestId: 'other' }] as Partial<RunRecord>[];
  assert.deepEqual(verify({ runs: [...runs, ...others] }), []);
  assert.deepEqual(verify({ policies: { parallel: 2 }, runs: [...runs, ...turned] }), []);
  const ahead = { ...fill, scheduledForMs: at(12), notBeforeMs: at(11) };
  assert.deepEqual(codesOf(verify({ runs, pending: [ahead] })), ['backfill_ahead']);
  const prepared = { ...fill, state: 'prepare', scheduledForMs: at(12), revision: 1 } as const;
  const slot = { ...prepared, launchId: 's:9', sessionId: 's', attempt: 1, cursorMs: at(11) };
  assert.ok(codesOf(verify({ runs, slots: [slot] })).includes('backfill_ahead'));
});

test('an operator may have a last attempt tried again, in a pause too', () => {
  const asked = { reason: 'an operator had it tried again', isFinal: false };
  assert.deepEqual(verify({ runs: attempts([asked, asked]) }), []);
  const policies = { retry: { ...retried.retry, max: 1 } };
  assert.deepEqual(verify({ policies, runs: attempts([{}, asked]) }), []);
  const revisions = [{ untilMs: at(10) + 2_000 }, { fromMs: at(10) + 2_000, isPaused: true }];
  const again = { attempt: 2, trigger: 'retry', revision: 2, startedMs: at(10) + 9_000 };
  const runs = [...minutes(1, 9), { scheduledForMs: at(10), ...asked }];
  const paused = [{ cursorMs: null }];
  const retriedOnce = [...runs, { scheduledForMs: at(10), ...again }];
  assert.deepEqual(verify({ revisions, slots: paused, runs: retriedOnce }), []);
});

test('what was never spawned is the same attempt again', () => {
  const unspawned = { result: 'not_started', isFinal: false, scheduledForMs: at(10) };
  const again = { scheduledForMs: at(10), startedMs: at(10) + 2_000 };
  assert.deepEqual(verify({ runs: [...minutes(1, 9), unspawned, again] }), []);
});

test('a request that was to be tried again is, or waits', () => {
  const asked = { trigger: 'manual', requestId: 'r', isFinal: false, result: 'failed' };
  const runs = [...minutes(1, 10), { ...asked, scheduledForMs: at(5) + 9_000 }];
  const again = { trigger: 'retry', requestId: 'r', scheduledForMs: at(5) + 9_000, attempt: 2 };
  const found = codesOf(verify({ policies: retried, runs }));
  assert.deepEqual(found, ['attempt_open']);
  const pending = [{ ...again, notBeforeMs: at(11) }];
  assert.deepEqual(verify({ policies: retried, runs, pending }), []);
});

test('slots in parallel share one cursor, and each tick is accounted for once', () => {
  const policies = { parallel: 2 };
  const turns = minutes(1, 10).map((run, place) => ({
    ...run,
    slotNo: place % 2,
    endedMs: (run.scheduledForMs ?? 0) + 90_000,
  }));
  const slots = [{ cursorMs: at(11) }, { cursorMs: at(11) }];
  assert.deepEqual(verify({ policies, runs: turns, slots }), []);
  const oneCursor = [{ cursorMs: at(11) }, { cursorMs: null }];
  assert.deepEqual(verify({ policies, runs: turns, slots: oneCursor }), []);
  const inOne = turns.map((run) => ({ ...run, slotNo: 0 }));
  assert.ok(codesOf(verify({ policies, runs: inOne, slots })).includes('run_overlap'));
  const found = codesOf(verify({ runs: turns.map((run) => ({ ...run, slotNo: 1 })), slots }));
  assert.ok(found.includes('run_beyond_parallel'), found.join());
  const blind = [{ cursorMs: at(11), nextRunMs: null }, { nextRunMs: null }];
  assert.deepEqual(codesOf(verify({ policies, runs: turns, slots: blind })), ['slot_not_due']);
});

test('on every node each tick is owed by each node from when its slot was made', () => {
  const policies = { kind: 'every-node' } as const;
  const slots = [
    { nodeName: 'a', slotNo: 0, cursorMs: at(11) },
    { nodeName: 'b', slotNo: 0, cursorMs: at(11), createdMs: at(5) + 1 },
  ];
  const ofA = minutes(1, 10, { nodeName: 'a' });
  const ofB = minutes(6, 10, { nodeName: 'b' });
  const ofGone = minutes(2, 4, { nodeName: 'gone' });
  assert.deepEqual(verify({ policies, runs: [...ofA, ...ofB, ...ofGone], slots }), []);
  const found = verify({ policies, runs: [...ofA, ...ofB.slice(1)], slots });
  assert.deepEqual(codesOf(found), ['tick_missing']);
  const twice = verify({ policies, runs: [...ofA, ...ofB, ...ofGone, ...ofGone], slots });
  assert.ok(codesOf(twice).includes('tick_twice'), twice.join());
});

test('a job that becomes one of every node owes the ticks before by its own cursor', () => {
  const every = { name: 'x', schedule: '* * * * *', timezone: 'UTC', kind: 'every-node' } as const;
  const revisions = [{ untilMs: at(5) + 1 }, { fromMs: at(5) + 1, definition: every }];
  const slots = [{ nodeName: 'a', cursorMs: at(11), createdMs: at(5) + 1 }];
  const later = minutes(6, 10, { nodeName: 'a', revision: 2 });
  assert.deepEqual(verify({ revisions, slots, runs: [...minutes(1, 5), ...later] }), []);
  const found = verify({ revisions, slots, runs: [...minutes(1, 4), ...later] });
  assert.deepEqual(codesOf(found), ['tick_missing']);
});

test('a tick that waits in the queue is accounted for by what waits', () => {
  const policies = { overlap: 'queue' } as const;
  const executing = {
    state: 'executing',
    launchId: 's:99',
    sessionId: 's',
    trigger: 'schedule',
    attempt: 1,
    revision: 1,
    scheduledForMs: at(9),
    startedMs: at(9),
    cursorMs: at(11),
  } as const;
  const slots = [{ ...executing, session: null }];
  const waiting = verify({ policies, runs: minutes(1, 8), slots, pending: [{}] });
  assert.deepEqual(codesOf(waiting), ['slot_without_session']);
  const lacking = codesOf(verify({ policies, runs: minutes(1, 8), slots }));
  assert.ok(lacking.includes('tick_missing'), lacking.join());
  const both = codesOf(verify({ policies, runs: minutes(1, 10), pending: [{}] }));
  assert.deepEqual(both, ['tick_twice']);
});

test('what was asked for, backfilled or chained is no tick, and is done once', () => {
  const more = { trigger: 'backfill', requestId: 'b', startedMs: at(10) + 5_000 };
  const runs = [...minutes(1, 10), { ...more, scheduledForMs: at(3) }];
  assert.deepEqual(verify({ runs }), []);
  const again = { ...more, scheduledForMs: at(3), startedMs: at(10) + 7_000 };
  assert.deepEqual(codesOf(verify({ runs: [...runs, again] })), ['tick_started_twice']);
});

test('a start after its deadline is found, and one of a further attempt is not', () => {
  const policies = { startDeadlineMs: 2_000 };
  const late = { scheduledForMs: at(10), startedMs: at(10) + 2_001 };
  const found = verify({ policies, runs: [...minutes(1, 9), late] });
  assert.deepEqual(codesOf(found), ['run_too_late']);
  assert.deepEqual(verify({ policies: { ...policies, ...retried }, runs: attempts() }), []);
});

test('a start before its splay is over is found', () => {
  const policies = { splayMs: 30_000 };
  const splayMs = (tick: number) => splayOf({ name: 'x', ...policies }, at(tick));
  const runs = minutes(1, 10).map((run, place) => ({
    ...run,
    startedMs: at(place + 1) + splayMs(place + 1),
  }));
  assert.deepEqual(verify({ policies, runs }), []);
  const early = { ...runs[9], startedMs: at(10) + splayMs(10) - 1 };
  assert.deepEqual(codesOf(verify({ policies, runs: [...runs.slice(0, 9), early] })), [
    'run_early',
  ]);
});

test('after its last run nothing of a job’s schedule starts before a resume', () => {
  const policies = { runsMax: 10 };
  assert.deepEqual(verify({ policies, runs: minutes(1, 10) }), []);
  const found = verify({ policies: { runsMax: 9 }, runs: minutes(1, 10) });
  assert.deepEqual(codesOf(found), ['run_beyond_limit']);
  const resumed = [
    { untilMs: at(5) + 1_000 },
    { fromMs: at(5) + 1_000, untilMs: at(5) + 2_000, isPaused: true },
    { fromMs: at(5) + 2_000 },
  ];
  const runs = [...minutes(1, 5), ...minutes(6, 10, { revision: 3 })];
  assert.deepEqual(verify({ policies: { runsMax: 5 }, revisions: resumed, runs }), []);
  // Two beyond it before the pause, and two after the resume.
  assert.equal(verify({ policies: { runsMax: 3 }, revisions: resumed, runs }).length, 4);
});

test('after so many failures in a row nothing starts by itself, and a success counts anew', () => {
  const policies = { failuresMax: 3 };
  const failed = { result: 'failed' };
  const three = [...minutes(1, 7), ...minutes(8, 10, failed)];
  assert.deepEqual(verify({ policies, runs: three }), []);
  const four = [...minutes(1, 6), ...minutes(7, 10, failed)];
  assert.deepEqual(codesOf(verify({ policies, runs: four })), ['run_beyond_limit']);
  const stopped = minutes(9, 9, { result: 'stopped' });
  const between = [
    ...minutes(1, 6),
    ...minutes(7, 8, failed),
    ...stopped,
    ...minutes(10, 10, failed),
  ];
  assert.deepEqual(verify({ policies, runs: between }), []);
  assert.equal(verify({ policies: { failuresMax: 2 }, runs: between }).length, 2);
  const broken = [...minutes(1, 2, failed), ...minutes(3, 3), ...minutes(4, 5, failed)];
  assert.deepEqual(verify({ policies, runs: [...broken, ...minutes(6, 10)] }), []);
});

test('the runs of a job on every node are counted over all of them', () => {
  const slots = ['a', 'b'].map((nodeName) => ({ nodeName, cursorMs: at(11) }));
  const of = (nodeName: string, result: string) =>
    minutes(1, 10, { nodeName, result }).map((run, place) => {
      return { ...run, runId: 2 * place + (nodeName === 'a' ? 1 : 2) };
    });
  const told = (failuresMax: number, runs: ReturnType<typeof of>) =>
    codesOf(verify({ policies: { kind: 'every-node', failuresMax }, slots, runs }));
  assert.deepEqual(told(2, [...of('a', 'failed'), ...of('b', 'succeeded')]), []);
  const both = [...of('a', 'failed'), ...of('b', 'failed')];
  assert.deepEqual(told(20, both), []);
  // At the ninth minute as often as it may, and then once more on each.
  assert.deepEqual(told(18, both), ['run_beyond_limit', 'run_beyond_limit']);
});

test('failures are not counted over an end that was written later than others', () => {
  const policies = { failuresMax: 2, parallel: 2 };
  const slots = [0, 1].map((slotNo) => ({ slotNo, cursorMs: at(11) }));
  const failed = { result: 'failed' };
  const runs = [
    ...minutes(1, 4),
    ...minutes(5, 5, failed),
    ...minutes(6, 6, { ...failed, runId: 8 }),
    ...minutes(7, 7, { runId: 7, slotNo: 1 }),
    ...minutes(8, 10, { slotNo: 1 }),
  ].map((run, place) => ({ runId: place + (place > 7 ? 2 : 1), ...run }));
  assert.deepEqual(verify({ policies, slots, runs }), []);
  const inOrder = runs.map((run, place) => ({ ...run, runId: place + 1 }));
  assert.ok(verify({ policies, slots, runs: inOrder }).length > 0);
});

test('ticks before the history begins are owed no row', () => {
  const runs = minutes(5, 10);
  assert.deepEqual(codesOf(verify({ runs })), ['tick_missing']);
  assert.deepEqual(verify({ runs, job: { historyFromMs: at(5) } }), []);
  assert.equal(verify({ runs, job: { historyFromMs: at(4) } }).length, 1);
  const cleaned = attempts().filter(({ attempt }) => attempt !== 1);
  assert.deepEqual(
    verify({ policies: retried, runs: cleaned, job: { historyFromMs: at(11) } }),
    [],
  );
});

test('a tick that ended without a launch says why', () => {
  const silent = { scheduledForMs: at(10), startedMs: null, reason: null };
  const found = verify({ runs: [...minutes(1, 9), silent] });
  assert.deepEqual(codesOf(found), ['run_without_reason']);
});
