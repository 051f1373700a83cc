import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WhyFacts } from '../../../src/domain/why/whyFacts.ts';
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

const textOf = (differs: Differs): string => whyOf(differs).text;

test('the answer is about what waits now, and not about the tick after it', () => {
  const retry = { trigger: 'retry', attempt: 2, notBeforeMs: nowMs + 30_000 } as const;
  const before = { ...retry, scheduledForMs: nowMs - minuteMs };
  assert.equal(
    textOf({ pending: [before] }),
    'Attempt 2 of the run of 2030-01-01T11:59:00.000Z may start at 2030-01-01T12:00:30.000Z.',
  );
  const after = { ...before, notBeforeMs: nowMs + 2 * minuteMs };
  assert.equal(textOf({ pending: [after] }), 'It runs next at 2030-01-01T12:01:00.000Z.');
  const splayed = {
    definition: { splayMs: 600_000, format: 3 },
    slots: [{ ...prepared, scheduledForMs: nowMs, startedMs: null, nextRunMs: nowMs + 90_000 }],
  };
  assert.match(textOf(splayed), /^The tick of 2030-01-01T12:00:00.000Z starts at 2030-01-01T12:0/);
});

test('a job that has ticks to come is not kept by the jobs that it starts after, too', () => {
  const after = [{ job: 'up', on: 'success' as const }];
  const up = { job: 'up', on: 'success', isShown: true, isCut: false } as const;
  const chainOf = (last: object | null, differs: Differs = {}) => {
    const upstreams = [{ ...up, last }] as unknown as WhyFacts['upstreams'];
    const definition = { after, format: 3, ...differs.definition };
    return checkOf(whyOf({ ...differs, definition, more: { upstreams } }), 'chain');
  };
  const failed = { result: 'failed', endedMs: nowMs - 1 };
  for (const last of [null, failed]) {
    const check = chainOf(last);
    assert.equal(check.state, 'passed');
    assert.match(check.text, /it starts by its own schedule, and after up/i);
  }
  const over = {
    definition: { schedule: '@at 2029-01-01T00:00:00Z' },
    slots: [{ cursorMs: null }],
  };
  assert.equal(chainOf(failed, over).state, 'failed', 'no tick comes any more');
});

test('where it runs and something waits besides, the answer says what for', () => {
  const runs = 'It runs now, on a since 2030-01-01T11:59:00.000Z.';
  assert.equal(textOf({ slots: [executing] }), runs);
  assert.equal(
    textOf({ slots: [executing], pending: [{}] }),
    `${runs} A run, requested at 2030-01-01T12:00:00.000Z, waits for the end of the run that is ` +
      'under way.',
  );
  const queued = { overlap: 'queue', format: 3 } as const;
  assert.equal(
    textOf({ definition: queued, slots: [{ ...executing, cursorMs: nowMs }] }),
    `${runs} A tick waits for the end of the run that is under way (overlap: queue).`,
  );
  const place = { placement: inGroup, limit: fullLimit };
  assert.equal(
    textOf({ place, slots: [executing, { ...due, slotNo: 1 }] }),
    `${runs} The group g has 2 of 2 launches.`,
  );
});

test('that a user has run on one node says nothing of the others that may run the job', () => {
  const ranOn = (node: string, sessions: readonly object[]) => {
    const job = { last: { ...lastRow, node } };
    return checkOf(whyOf({ definition: { user: 'x', format: 3 }, job, sessions }), 'user');
  };
  const alone = ranOn('a', [{}]);
  assert.deepEqual([alone.state, alone.text], ['passed', 'Its last run ran as x on a.']);
  assert.equal(ranOn('a', [{}, { nodeName: 'b', level: 0 }]).state, 'passed');
  const { state, text } = ranOn('a', [{}, { nodeName: 'b' }]);
  assert.equal(state, 'unknown');
  assert.match(text, /^Its last run ran as x on a; whether it does on b is not known\. Nodes do /);
});

test('ticks of a job on every node name the nodes that owe them and are not live', () => {
  const owing = [{ nodeName: 'a' }, { ...due, nodeName: 'gone', cursorMs: nowMs - 3 * minuteMs }];
  const { text } = checkOf(whyOf({ place: { isEveryNode: true }, slots: owing }), 'misfire');
  assert.match(
    text,
    / Not live: gone\. Of one that is gone for good: statecron cluster forget NAME$/,
  );
  const back = [{}, { nodeName: 'gone' }];
  const live = whyOf({ place: { isEveryNode: true }, slots: owing, sessions: back });
  assert.doesNotMatch(checkOf(live, 'misfire').text, /Not live/);
});

test('a group of nodes that does not exist is said to be missing', () => {
  const definition = { target: { groups: ['racks'] }, format: 3 };
  assert.match(textOf({ definition }), /on-group racks, and there is no group racks/);
  const groups = new Map([['racks', new Set<string>()]]);
  assert.doesNotMatch(textOf({ definition, place: { groups } }), /there is no group/);
});

test('a job that only starts after others names them, and waits for nobody else', () => {
  const last = { endedMs: 0, result: 'succeeded' } as const;
  const up = { job: 'up', on: 'success', isShown: true, isCut: false, last } as const;
  const slots = [{ cursorMs: null, nextRunMs: null }];
  const why = whyOf({ definition: { schedule: '@manual' }, slots, more: { upstreams: [up] } });
  assert.deepEqual([why.text, why.because], ['It starts after up, when it succeeds.', null]);
});

test('ticks of an observed job that wait for a node are not said to run', () => {
  const definition = { observed: true, format: 6 } as const;
  const sessions = [{ level: 0 }];
  const { text } = checkOf(whyOf({ definition, sessions, slots: [due] }), 'nodes');
  assert.match(text, / its ticks wait, and are recorded once one may\./);
});
