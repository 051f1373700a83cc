import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanHistory } from './clean/cleanHistory.ts';
import type { CleanPlan } from './clean/cleanWorld.ts';
import { richPlan } from './clean/plans.ts';
import { describeViolation } from './describeViolation.ts';
import type { FaultRecord, History } from './history.ts';
import { judge } from './judge.ts';
import { measureAvailability } from './measureAvailability.ts';
import { childOf, type Draft, draftOf, forget, runOf, stepsOf } from './mutants/draft.ts';

/** One job every ten seconds, and nothing that goes wrong. */
const quietPlan: CleanPlan = {
  ...richPlan,
  jobs: [{ name: 'asked', schedule: '*/10 * * * * *', runMs: 400, operations: [] }],
  deaths: [],
  drains: [],
  outage: null,
};
const quiet = cleanHistory(quietPlan);

test('every tick of a quiet history had to start and did', () => {
  const { ticks, obliged, onTime, share, excuses } = measureAvailability(quiet);
  // The first falls on the start itself; the last ten seconds before the read are not looked at.
  assert.deepEqual(
    { ticks, obliged, onTime, share },
    { ticks: 8, obliged: 7, onTime: 7, share: 1 },
  );
  assert.deepEqual(excuses, { 'its revision was made just before': 1 });
});

test('a start that comes later than within is not on time, and is told first', () => {
  const draft = draftOf(quiet);
  const { launchId } = childOf(draft, 'asked', 28_000);
  shift(draft, launchId, 1_500);
  const { share, latest } = measureAvailability(draft);
  assert.equal(share, 6 / 7);
  assert.ok(Math.abs((latest[0]?.lateMs ?? 0) - 1_515) < 25, `${latest[0]?.lateMs}`);
  assert.equal(measureAvailability(draft, 2_000).share, 1);
});

test('a start is late by what it comes after its splay', () => {
  const [job] = quietPlan.jobs;
  const jobs = job === undefined ? [] : [{ ...job, policies: { splayMs: 8_000 } }];
  const splayed = cleanHistory({ ...quietPlan, jobs });
  const { obliged, onTime, latest } = measureAvailability(splayed);
  assert.deepEqual([obliged, onTime], [7, 7]);
  assert.ok(latest.every(({ lateMs }) => lateMs !== null && lateMs >= 0 && lateMs < 100));
  const draft = draftOf(splayed);
  const { launchId } = childOf(draft, 'asked', 28_000);
  shift(draft, launchId, 1_500);
  assert.equal(measureAvailability(draft).share, 6 / 7);
});

test('a tick that never started counts as not on time', () => {
  const draft = draftOf(quiet);
  forget(draft, childOf(draft, 'asked', 28_000).launchId);
  const { share, latest } = measureAvailability(draft);
  assert.equal(share, 6 / 7);
  assert.equal(latest[0]?.lateMs, null);
});

test('what everything stopped excuses ends with a scan and a lock wait after it', () => {
  const excused = (fromMs: number, untilMs: number): number =>
    measureAvailability(withFault(quiet, 'database', 'everything', fromMs, untilMs)).excuses[
      'everything was stopped'
    ] ?? 0;
  assert.equal(excused(28_000, 29_000), 1);
  assert.equal(excused(31_500, 33_000), 0);
  assert.equal(excused(24_000, 25_500), 0);
  assert.equal(excused(19_500, 41_000), 3);
});

describe('a late start is excused by a fault that held it up, and by no other', () => {
  const [job] = quietPlan.jobs;
  const rare = job === undefined ? [] : [{ ...job, schedule: '*/20 * * * * *' }];
  const history = cleanHistory({ ...quietPlan, jobs: rare });
  const late = (fault: string, byMs: number, lastsMs: number): string[] => {
    const draft = draftOf(history);
    const { launchId, node, startedMs } = childOf(draft, 'asked', 28_000);
    shift(draft, launchId, byMs);
    const fromMs = startedMs - draft.about.startedMs - 200;
    const target = fault === 'its node' ? node : fault;
    const stops = fault === 'database' ? 'everything' : 'node';
    return judge(withFault(draft, target, stops, fromMs, fromMs + lastsMs)).map(({ rule }) => rule);
  };

  test('its own node, until the recovery bound after the stop', () => {
    assert.deepEqual(late('its node', 7_500, 3_000), []);
    assert.deepEqual(late('its node', 9_500, 100), []);
    assert.deepEqual(late('its node', 12_000, 100), ['C1']);
  });

  test('everything, whatever held the slot', () => {
    assert.deepEqual(late('database', 7_500, 3_000), []);
  });

  test('not another node', () => {
    assert.deepEqual(late('nobody', 9_000, 3_000), ['C1']);
  });
});

test('a violation is told as a sentence, a place, and what led to it', () => {
  const draft = draftOf(quiet);
  const child = childOf(draft, 'asked', 28_000);
  runOf(draft, child.launchId).exitCode = 9;
  const [violation] = judge(draft);
  assert.ok(violation !== undefined, 'nothing was found');
  const lines = describeViolation(violation, draft).split('\n');
  assert.match(lines[0] ?? '', /^✗ C6 \(P10\): The run row of s[abc]1:\d+ says .*ended with \d\.$/);
  assert.match(lines[1] ?? '', /^ {4}job asked · launch s[abc]1:\d+ · node [abc] · at 30\.\d+ s$/);
  assert.deepEqual(
    lines.slice(2).map((line) => line.replace(/s[abc]1:\d+/, 'it').slice(14)),
    [
      's  it was claimed by node x for tick 2026-03-01T12:00:30.000Z',
      's  it was marked executing',
      `s  it ran as process ${child.processId} on node x`,
      `s  it ended with exit code ${child.exitCode}`,
      's  it gave its slot back',
    ].map((line) => line.replace('node x', `node ${child.node}`).slice(2)),
  );
});

function withFault(
  history: History,
  target: string,
  stops: FaultRecord['stops'],
  fromMs: number,
  untilMs: number,
): History {
  const { startedMs } = history.about;
  const span = { fromMs: startedMs + fromMs, untilMs: startedMs + untilMs };
  return { ...history, faults: [{ kind: 'made up', target, stops, detail: '', ...span }] };
}

/** Everything of a launch but its claim comes later. */
function shift(draft: Draft, launchId: string, byMs: number): void {
  for (const step of stepsOf(draft, launchId)) {
    if (step.after.state !== 'prepare') step.databaseMs += byMs;
  }
  for (const child of draft.processes.filter((each) => each.launchId === launchId)) {
    child.startedMs += byMs;
    child.lastSeenMs += byMs;
    if (child.endedMs !== null) child.endedMs += byMs;
  }
  draft.audit.sort((a, b) => a.databaseMs - b.databaseMs);
  for (const [index, row] of draft.audit.entries()) row.order = index + 1;
}
