import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { type CheckName, checkNames } from '../../../src/domain/why/check.ts';
import type { WhyJob } from '../../../src/domain/why/explainJob.ts';
import {
  checkOf,
  type Differs,
  due,
  executing,
  fullLimit,
  inGroup,
  lastRow,
  minuteMs,
  nowMs,
  prepared,
  whyOf,
} from './whyWorld.ts';

interface Row {
  readonly title: string;
  /** From a job of each minute that is idle. */
  readonly differs: Differs;
  /** Of the answer. */
  readonly state: WhyJob['state'];
  readonly fails: CheckName;
  /** What the history will say. */
  readonly reason?: string | null;
}

const late = { cursorMs: nowMs - 2 * minuteMs, nextRunMs: nowMs - 2 * minuteMs };
const bothFull = new Map(
  ['session of a', 'session of b'].map((id) => [id, { prepared: 6, executing: 4 }]),
);
const failedUpstream = {
  ...{ job: 'up', isShown: true, isCut: false },
  on: 'success',
  last: { result: 'failed', endedMs: nowMs - 1 },
} as const;
const yearly = '0 0 1 1 *';
/** What the answer is from, whatever the state is called. */
const keeping: readonly CheckName[] = [
  ...(['exists', 'paused', 'observed', 'cluster', 'nodes', 'group-limit', 'capacity'] as const),
  ...(['start-deadline', 'requests', 'claim', 'lease', 'database'] as const),
];

const rows: readonly Row[] = [
  {
    ...{ title: 'removed', state: 'removed', fails: 'exists', reason: reasons.removed },
    differs: { job: { removedMs: nowMs - 1, isPaused: true } },
  },
  {
    ...{ title: 'paused', state: 'paused', fails: 'paused', reason: reasons.paused },
    differs: { job: { isPaused: true } },
  },
  {
    ...{ title: 'it paused itself', state: 'paused', fails: 'paused', reason: reasons.ranOut(3) },
    differs: { job: { isPaused: true, reason: reasons.ranOut(3) } },
  },
  {
    ...{ title: 'observed', state: 'observed', fails: 'observed', reason: reasons.observed },
    differs: { definition: { observed: true, format: 6 } },
  },
  {
    ...{ title: 'no node', state: 'cannot_run', fails: 'cluster', reason: reasons.nobodyThere },
    differs: { sessions: [], slots: [due] },
  },
  {
    ...{ title: 'level 0', state: 'cannot_run', fails: 'nodes', reason: reasons.noEligibleNode },
    differs: { sessions: [{ level: 0 }], slots: [due] },
  },
  {
    ...{ title: 'draining', state: 'cannot_run', fails: 'nodes', reason: reasons.notTaken },
    differs: { sessions: [{ isDraining: true }], slots: [due] },
  },
  {
    ...{
      title: 'full group',
      state: 'waiting',
      fails: 'group-limit',
      reason: reasons.limitReached,
    },
    differs: { place: { placement: inGroup, limit: fullLimit }, slots: [due] },
  },
  {
    ...{ title: 'full nodes', state: 'waiting', fails: 'capacity', reason: reasons.notTaken },
    differs: { place: { held: bothFull }, slots: [due] },
  },
  {
    ...{ title: 'missed', state: 'waiting', fails: 'misfire', reason: reasons.notTaken },
    differs: { definition: { misfire: 'skip', schedule: yearly, format: 3 }, slots: [late] },
  },
  {
    ...{ title: 'too old', state: 'waiting', fails: 'misfire', reason: reasons.tooOld },
    differs: { definition: { catchUpMs: 1_000, schedule: yearly, format: 3 }, slots: [late] },
  },
  {
    ...{ title: 'too late', state: 'waiting', fails: 'start-deadline', reason: reasons.tooLate },
    differs: { definition: { startDeadlineMs: 1_000, schedule: yearly, format: 3 }, slots: [late] },
  },
  {
    ...{ title: 'still going', state: 'running', fails: 'overlap', reason: reasons.stillGoing },
    differs: { slots: [{ ...executing, cursorMs: nowMs }] },
  },
  {
    ...{ title: 'one waits', state: 'running', fails: 'overlap', reason: reasons.oneWaits },
    differs: {
      definition: { overlap: 'queue', format: 3 },
      slots: [{ ...executing, cursorMs: nowMs - minuteMs }],
    },
  },
  {
    ...{
      title: 'a node is gone',
      state: 'waiting',
      fails: 'requests',
      reason: reasons.nodeGone('z'),
    },
    differs: { pending: [{ wantedNode: 'z' }] },
  },
  {
    ...{ title: 'claimed and not started', state: 'waiting', fails: 'claim' },
    differs: { slots: [prepared] },
  },
  {
    ...{ title: 'a lost session', state: 'running', fails: 'lease', reason: reasons.lost(null) },
    differs: { slots: [executing], sessions: [{ state: 'silent' }, { nodeName: 'b' }] },
  },
  {
    ...{ title: 'a user', state: 'idle', fails: 'user', reason: reasons.userNotAllowed('x') },
    differs: {
      definition: { user: 'x', format: 3 },
      job: { last: { ...lastRow, result: 'failed', reason: reasons.userNotAllowed('x') } },
    },
  },
  {
    ...{ title: 'a window to come', state: 'idle', fails: 'window' },
    differs: {
      definition: { notBefore: '2031-01-01T00:00:00Z', format: 3 },
      slots: [{ cursorMs: Date.UTC(2031, 0, 1), nextRunMs: Date.UTC(2031, 0, 1) }],
    },
  },
  {
    ...{ title: 'a window that is over', state: 'idle', fails: 'window' },
    differs: {
      definition: { notAfter: '2029-01-01T00:00:00Z', format: 3 },
      slots: [{ cursorMs: null }],
    },
  },
  {
    ...{ title: 'an excluded day', state: 'idle', fails: 'exclusions' },
    differs: {
      definition: { exclude: ['2030-01-01'], format: 3 },
      slots: [{ cursorMs: Date.UTC(2030, 0, 2), nextRunMs: Date.UTC(2030, 0, 2) }],
    },
  },
  {
    ...{ title: 'no tick any more', state: 'idle', fails: 'schedule' },
    differs: {
      definition: { schedule: '@at 2029-01-01T00:00:00Z', format: 3 },
      slots: [{ cursorMs: null }],
    },
  },
  {
    ...{ title: 'skipped', state: 'idle', fails: 'skipped', reason: reasons.skipped },
    differs: { slots: [{ cursorMs: nowMs + 2 * minuteMs }] },
  },
  {
    ...{ title: 'an upstream that failed', state: 'idle', fails: 'chain' },
    differs: {
      definition: { schedule: '@manual', after: [{ job: 'up', on: 'success' }], format: 3 },
      slots: [{ cursorMs: null }],
      more: { upstreams: [failedUpstream] },
    },
  },
  {
    ...{ title: 'a clock that is off', state: 'idle', fails: 'clock' },
    differs: { more: { clockAheadMs: -90_000 } },
  },
  {
    ...{ title: 'a restored copy', state: 'idle', fails: 'database' },
    differs: { more: { whyClosed: 'It is a copy.' } },
  },
];

test('a refused user is named before the time of the next run', () => {
  const reason = reasons.userNotAllowed('x');
  const differs: Differs = {
    definition: { user: 'x', format: 3 },
    job: { last: { ...lastRow, result: 'failed', reason } },
  };
  for (const [slots, then] of [
    [[{}], 'It runs next at 2030-01-01T12:01:00.000Z; it fails until that is changed.'],
    [[due], 'It is due, '],
  ] as const) {
    const { because, text } = whyOf({ ...differs, slots });
    assert.equal(because, 'user');
    assert.ok(text.startsWith(`${reason.replace('this node', 'the node a')} ${then}`), text);
  }
});

test('where every node that may run what is due is silent, the answer names it', () => {
  const silent = { renewedAgoMs: 35_000 };
  const { because, text } = whyOf({
    slots: [due],
    sessions: [silent, { nodeName: 'b', level: 0 }],
  });
  assert.equal(
    text,
    'It is due. Not renewed for half of its time to live: the session of a. If it stays so, it ' +
      'ends at 2030-01-01T12:00:10.000Z.',
  );
  assert.equal(because, 'lease');
  assert.match(
    whyOf({ slots: [due], sessions: [silent, { nodeName: 'b' }] }).text,
    /within seconds/,
  );
});

for (const { title, differs, state, fails, reason = null } of rows) {
  test(`${title}: the check ${fails} fails`, () => {
    const why = whyOf(differs);
    const found = checkOf(why, fails);
    const all = JSON.stringify(why.checks.filter((each) => each.state !== 'passed'));
    assert.deepEqual([why.state, found.state, found.reason], [state, 'failed', reason], all);
    if (keeping.includes(fails)) assert.equal(why.because, fails, all);
    assert.match(found.text, /^\w.*\.$/, 'a sentence');
  });
}

test('a job that nothing keeps passes every check, and says when it runs', () => {
  const why = whyOf({});
  assert.deepEqual(
    why.checks.map(({ check }) => check),
    checkNames,
  );
  assert.deepEqual(
    why.checks.filter(({ state }) => state !== 'passed'),
    [],
  );
  const [next] = why.next;
  assert.deepEqual([why.state, next?.tickMs], ['idle', nowMs + minuteMs]);
  assert.equal(why.text, 'It runs next at 2030-01-01T12:01:00.000Z.');
});

test('an observed job says its next ticks, and that none of them is started', () => {
  const observed = { observed: true, splayMs: 30_000, format: 6 } as const;
  const why = whyOf({ definition: observed });
  const minutes = [1, 2, 3].map((minute) => nowMs + minute * minuteMs);
  assert.deepEqual(
    why.next,
    minutes.map((tickMs) => ({ tickMs, startMs: tickMs })),
  );
  assert.equal(why.text, 'It is observed: its ticks are recorded, and none is started.');
  const requested = [{ notBeforeMs: nowMs + minuteMs }];
  assert.equal(whyOf({ definition: observed, pending: requested }).because, 'observed');
});

test('ticks that no node may take are in no history, which is said where there are any', () => {
  const nowhere = { sessions: [{ level: 0 }] };
  assert.equal(
    whyOf({ ...nowhere, slots: [late] }).text,
    'No live node may run it: its ticks wait, and are run or recorded as missed once one may. ' +
      'Not on a: its level is 0: it takes no work.',
  );
  assert.equal(
    whyOf({ sessions: [], slots: [late] }).text,
    'No node is live: its ticks wait, and are run or recorded as missed once one is.',
  );
  assert.equal(
    checkOf(whyOf({ ...nowhere, slots: [late] }), 'misfire').text,
    'The next claim records 2 ticks since 2030-01-01T11:58:00.000Z as missed, and runs the one ' +
      'of 2030-01-01T12:00:00.000Z (misfire: once).',
  );
  const manual = { schedule: '@manual' };
  const unasked = { ...nowhere, definition: manual, slots: [{ cursorMs: null, nextRunMs: null }] };
  assert.equal(
    whyOf(unasked).text,
    'No live node may run it. Not on a: its level is 0: it takes no work.',
  );
});

test('where a cordon alone keeps a node from the job, the command that lifts it helps', () => {
  const hintOf = (session: object) =>
    checkOf(whyOf({ sessions: [{ nodeName: 'web1', isDraining: true, ...session }] }), 'nodes')
      .hint;
  assert.equal(hintOf({ isCordoned: true }), 'statecron node uncordon web1');
  assert.equal(hintOf({ isCordoned: true, level: 0 }), null);
  assert.equal(hintOf({}), null);
});

test('what is full now is not known of a tick to come', () => {
  const why = whyOf({ place: { placement: inGroup, limit: fullLimit, held: bothFull } });
  const unknown = why.checks.filter(({ state }) => state === 'unknown');
  assert.deepEqual(
    unknown.map(({ check }) => check),
    ['group-limit', 'capacity'],
  );
  assert.equal(why.state, 'idle');
});

test('of nodes that were not looked at nothing is said', () => {
  const running = whyOf({ slots: [executing], sessions: [], place: { isCut: true } });
  assert.notEqual(checkOf(running, 'lease').state, 'failed');
  const outside = { sessions: [{ level: 0 }], slots: [due], place: { isCut: true } };
  assert.equal(checkOf(whyOf(outside), 'nodes').state, 'unknown');
});

test('a request for a job without a schedule, and a due one, are told apart', () => {
  const definition = { schedule: '@manual' };
  const idle = [{ cursorMs: null, nextRunMs: null }];
  assert.equal(whyOf({ definition, slots: idle }).text, 'It waits to be requested.');
  const later = [{ notBeforeMs: nowMs + minuteMs }];
  assert.equal(whyOf({ definition, slots: idle, pending: later }).state, 'idle');
  assert.equal(whyOf({ definition, slots: idle, pending: [{}] }).state, 'waiting');
  const paused = { definition, slots: idle, job: { isPaused: true } };
  assert.equal(whyOf({ ...paused, pending: [{}] }).because, null, 'a paused job runs on request');
  assert.equal(whyOf({ ...paused, pending: later }).because, 'paused');
});

test('facts of any kind have an answer, of all checks in one order', () => {
  const slot = fc.record({
    state: fc.constantFrom('idle', 'prepare', 'executing'),
    cursorMs: fc.option(fc.integer({ min: nowMs - 1e7, max: nowMs + 1e7 })),
    startedMs: fc.option(fc.integer({ min: nowMs - 1e7, max: nowMs })),
    endedMs: fc.option(fc.integer({ min: nowMs - 1e7, max: nowMs })),
  } as const);
  const policies = fc.record({
    overlap: fc.constantFrom(undefined, 'queue', 'queue-all', 'replace', 'terminate'),
    misfire: fc.constantFrom(undefined, 'skip', 'all'),
    observed: fc.constantFrom(undefined, true),
    startDeadlineMs: fc.constantFrom(undefined, 1_000),
    schedule: fc.constantFrom('* * * * *', '@manual', 'no schedule'),
    format: fc.constantFrom(6, 99),
  } as const);
  const slots = fc.array(slot, { minLength: 1, maxLength: 3 });
  const property = fc.property(policies, slots, fc.boolean(), (given, all, isPaused) => {
    const set = Object.entries(given).filter(([, value]) => value !== undefined);
    const definition = { parallel: all.length, ...Object.fromEntries(set) };
    const numbered = all.map((each, slotNo) => ({ ...each, slotNo }));
    const why = whyOf({ definition, slots: numbered, job: { isPaused } });
    assert.deepEqual(
      why.checks.map(({ check }) => check),
      checkNames,
    );
    if (why.state === 'cannot_run') assert.notEqual(why.because, null);
  });
  fc.assert(property, { numRuns: 500 });
});
