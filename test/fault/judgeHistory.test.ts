import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanHistory } from '../checkers/clean/cleanHistory.ts';
import { richPlan } from '../checkers/clean/plans.ts';
import type { FaultRecord } from '../checkers/history.ts';
import { measureAvailability } from '../checkers/measureAvailability.ts';
import { childOf, draftOf, forget } from '../checkers/mutants/draft.ts';
import { familyOf } from '../checkers/report/faultFamilies.ts';
import { faultKinds } from './faults/faultKinds.ts';
import { judgeHistory } from './judgeHistory.ts';

/** One job every ten seconds, one of whose ticks comes while everything is stopped. */
const quiet = cleanHistory({
  ...richPlan,
  jobs: [{ name: 'asked', schedule: '*/10 * * * * *', runMs: 400, operations: [] }],
  deaths: [],
  drains: [],
  outage: null,
});
const { startedMs } = quiet.about;
const stop = (kind: string, fromMs: number): FaultRecord => ({
  kind,
  target: 'database',
  stops: 'everything',
  detail: '',
  fromMs: startedMs + fromMs,
  untilMs: startedMs + fromMs + 1_000,
});
const history = { ...quiet, faults: [stop('database frozen', 28_000), stop('deadlocks', 41_500)] };
const context = { folder: '/tmp/x', notRun: [], troubles: [] };

test('the report counts all ticks first, then those that were excused, and why', () => {
  const { text, figures } = judgeHistory(history, context);
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('ticks: '));
  assert.deepEqual(lines.slice(first, first + 5), [
    'ticks: 8 of 8 started within 1 s (100.000 %)',
    '  2 of them were excused, that is, could have been late or not have started:',
    '        1 its revision was made just before',
    '        1 everything was stopped',
    '  6 had to start: 6 did within 1 s (100.000 %)',
  ]);
  assert.equal((figures.availability as { startedInTime: number }).startedInTime, 8);
});

test('a tick that was excused and did not start is missing from the share of all', () => {
  const draft = draftOf(history);
  forget(draft, childOf(draft, 'asked', 28_000).launchId);
  const { ticks, startedInTime, obliged, onTime } = measureAvailability(draft);
  assert.deepEqual([ticks, startedInTime, obliged, onTime], [8, 7, 6, 6]);
});

test('the report counts the kinds that were dealt of all that are known', () => {
  const { text, figures } = judgeHistory(history, context);
  const known = faultKinds().length;
  assert.match(text, new RegExp(`^faults: 2, of 2 of the ${known} kinds known$`, 'm'));
  assert.equal(figures.kindsKnown, known);
});

test('of each kind of fault the report can say what it leads to', () => {
  const untold = faultKinds().filter(({ kind }) => familyOf(kind) === null);
  assert.deepEqual(untold, []);
});
