import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { reasons } from '../../src/domain/reasons/reasons.ts';
import { cleanHistory } from './clean/cleanHistory.ts';
import { policyPlan, randomPlan, randomPolicyPlan, richPlan } from './clean/plans.ts';
import { describeViolation } from './describeViolation.ts';
import { judge } from './judge.ts';
import {
  beginAfter,
  childrenOf,
  draftOf,
  endAt,
  exitOn,
  jobOf,
  need,
  operationOf,
  reorder,
  runOf,
  slotSteps,
  stepInto,
  stepsOf,
  term,
} from './mutants/draft.ts';
import { policyMutants } from './mutants/policyMutants.ts';
import { recordMutants } from './mutants/recordMutants.ts';
import { startMutants } from './mutants/startMutants.ts';
import { stateMutants } from './mutants/stateMutants.ts';

const clean = cleanHistory(richPlan);
const cleanPolicies = cleanHistory(policyPlan);
const plain = [...startMutants, ...recordMutants, ...stateMutants];
const mutants = [
  ...plain.map((mutant) => ({ ...mutant, base: clean })),
  ...policyMutants.map((mutant) => ({ ...mutant, base: cleanPolicies })),
];

test('the judge has nothing to say of a history in which every promise is kept', () => {
  const results = new Set(clean.runs.map(({ result }) => result));
  for (const result of ['succeeded', 'failed', 'lost', 'skipped', 'missed']) {
    assert.ok(results.has(result), `the clean history has no ${result} run`);
  }
  assert.deepEqual(told(clean), []);
});

test('the judge has nothing to say of any clean history made by chance', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const history = cleanHistory(randomPlan(seed));
      assert.deepEqual(told(history), []);
    }),
    { numRuns: 200 },
  );
});

test('the judge has nothing to say of any clean history of policies made by chance', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const history = cleanHistory(randomPolicyPlan(seed));
      assert.deepEqual(told(history), []);
    }),
    { numRuns: 100 },
  );
});

test('the judge has nothing to say of a history in which every policy is kept', () => {
  const results = new Set(cleanPolicies.runs.map(({ result }) => result));
  assert.ok(results.has('stopped') && results.has('lost'));
  const triggers = new Set(cleanPolicies.runs.map(({ triggeredBy }) => triggeredBy));
  for (const trigger of ['misfire', 'queue', 'retry']) {
    assert.ok(triggers.has(trigger), `the clean history has no ${trigger} launch`);
  }
  const said = new Set(cleanPolicies.runs.map(({ reason }) => reason));
  const { oneWaits, nobodyThere, tooOld, tooLate } = reasons;
  for (const reason of [oneWaits, nobodyThere, tooOld, tooLate]) {
    assert.ok(said.has(reason), `the clean history has no row that says: ${reason}`);
  }
  assert.deepEqual(told(cleanPolicies), []);
});

test('a start is late by how slow the machine was seen to be', () => {
  const late = startMutants.find(
    ({ fact }) => fact === 'a start seven seconds late, without a fault',
  );
  const lateRules = (slowestProcessMs: number) => {
    const draft = draftOf(clean);
    late?.breakIt(draft);
    Object.assign(draft.about, { slowestProcessMs });
    return judge(draft).map(({ rule }) => rule);
  };
  assert.ok(lateRules(300).includes('C1'));
  assert.deepEqual(lateRules(700), []);
});

test('a claim may be written so much later than it read the clock as the machine is slow', () => {
  const brokenRules = (slowestProcessMs: number) => {
    const draft = draftOf(clean);
    const skipped = need(draft.runs.find(({ result }) => result === 'skipped'));
    const tickMs = skipped.scheduledForDatabaseMs;
    const child = need(
      draft.processes.findLast(
        ({ job, scheduledForDatabaseMs }) =>
          jobOf(draft, job).jobId === skipped.jobId && scheduledForDatabaseMs < tickMs,
      ),
    );
    // 1.05 seconds after the tick that is skipped for it.
    const laterMs = tickMs + 1_050 - stepInto(draft, child.launchId, 'prepare').databaseMs;
    for (const step of stepsOf(draft, child.launchId)) step.databaseMs += laterMs;
    const run = runOf(draft, child.launchId);
    run.startedDatabaseMs = need(run.startedDatabaseMs) + laterMs;
    child.startedMs += laterMs;
    endAt(draft, child, tickMs + 1_100);
    Object.assign(draft.about, { slowestProcessMs });
    return told(draft);
  };
  assert.ok(brokenRules(0).some((text) => text.includes('the launch before it had not ended')));
  assert.deepEqual(brokenRules(1_500), []);
});

test('a request that one of several slots still runs is no broken promise', () => {
  const draft = draftOf(clean);
  const run = draft.operations.find(({ kind, job }) => kind === 'run' && job === 'asked');
  const slot = draft.slots.find(({ jobId }) => jobId === jobOf(draft, 'asked').jobId);
  assert.ok(run && slot);
  draft.operations.push({ ...run, requestId: 'request-held' });
  slot.requestId = 'request-held';
  assert.deepEqual(told(draft), []);
});

test('a run that a pause says goes on may still be about to get its process', () => {
  const draft = draftOf(clean);
  const pause = operationOf(draft, 'paused', 'pause');
  pause.executing = 1;
  beginAfter(draft, pause.answeredMs ?? 0);
  assert.deepEqual(
    judge(draft).filter(({ rule }) => rule === 'C9'),
    [],
  );
});

test('a slot that is idle some statements after its run has ended shortens no delay', () => {
  const draft = draftOf(cleanPolicies);
  for (const step of slotSteps(draft, 'retried')) {
    const isEnd = step.before.state === 'executing' && step.after.state === 'idle';
    if (isEnd) step.databaseMs += 7;
  }
  reorder(draft);
  assert.deepEqual(told(draft), []);
});

test('a tick of a queue is owed after the one that waits, however late that one is', () => {
  const draft = draftOf(cleanPolicies);
  const late = need(draft.runs.filter(({ triggeredBy }) => triggeredBy === 'queue')[3]);
  const [before] = childrenOf(draft, 'queued').filter(
    ({ scheduledForDatabaseMs }) => scheduledForDatabaseMs === late.scheduledForDatabaseMs - 4_000,
  );
  // The slot is idle when the tick comes, and for 1.2 s more.
  endAt(draft, need(before), late.scheduledForDatabaseMs + 2_500);
  for (const state of ['prepare', 'executing']) {
    stepInto(draft, late.launchId ?? '', state).databaseMs += 1_200;
  }
  late.startedDatabaseMs = need(late.startedDatabaseMs) + 1_200;
  const child = need(draft.processes.find(({ launchId }) => launchId === late.launchId));
  child.startedMs += 1_200;
  reorder(draft);
  assert.deepEqual(told(draft), []);
});

test('the failures of a job on every node are counted over all of them', () => {
  const draft = draftOf(cleanPolicies);
  term(draft, 'everywhere', { failuresMax: 4 });
  for (const node of ['a', 'c']) exitOn(draft, 'everywhere', node, 0);
  exitOn(draft, 'everywhere', 'b', 1);
  assert.deepEqual(told(draft), []);
});

test('every rule has mutants that it must catch', () => {
  const rules = new Set(mutants.map(({ rule }) => rule));
  const all = Array.from({ length: 12 }, (_, place) => `C${place + 1}`);
  assert.deepEqual([...rules], all);
});

describe('a broken history is caught by the rule that it breaks', () => {
  for (const { rule, fact, breakIt, base } of mutants) {
    test(`${rule} catches ${fact}`, () => {
      const draft = draftOf(base);
      breakIt(draft);
      const violations = judge(draft);
      const rules = [...new Set(violations.map((violation) => violation.rule))];
      assert.ok(rules.includes(rule), `caught by ${rules.join(', ') || 'nobody'}`);
      for (const violation of violations) {
        assert.match(violation.what, /\.$/);
        assert.ok(Number.isFinite(violation.atMs), `${violation.what} was at no time`);
      }
    });
  }
});

test('no fault excuses a promise that is not about time', () => {
  const everything = {
    kind: 'everything stopped',
    target: 'database',
    fromMs: clean.about.startedMs,
    untilMs: clean.about.readMs,
    stops: 'everything',
    detail: '',
  } as const;
  const late = new Set(['C1', 'C8', 'C10']);
  for (const { rule, fact, breakIt, base } of mutants.filter((each) => !late.has(each.rule))) {
    const draft = draftOf(base);
    breakIt(draft);
    draft.faults.push({ ...everything });
    const rules = judge(draft).map((violation) => violation.rule);
    const mayDiffer = /connection|never came/.test(fact);
    assert.ok(rules.includes(rule) || mayDiffer, `${rule}: ${fact}`);
  }
});

function told(history: typeof clean): string[] {
  return judge(history).map((violation) => describeViolation(violation, history));
}
