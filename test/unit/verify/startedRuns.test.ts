import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FindingLog } from '../../../src/domain/verify/rules/finding.ts';
import { type StartedLaunch, StartedRuns } from '../../../src/domain/verify/runs/startedRuns.ts';

const job = {
  jobId: 1,
  name: 'x',
  revision: 1,
  isPaused: false,
  isRemoved: false,
  historyFromMs: null,
};
let runs = 0;

function launch(startedMs: number, endedMs: number | null, more: Partial<StartedLaunch> = {}) {
  runs += 1;
  const place = { nodeName: '', slotNo: 0, launchId: `s:${runs}`, runId: runs };
  const why = { trigger: 'schedule', requestId: null, attempt: 1, scheduledForMs: startedMs };
  const session = { sessionEndedMs: null, isLeftToFinish: false };
  return { ...place, ...why, ...session, startedMs, endedMs, ...more };
}

function find(launches: readonly StartedLaunch[], clockSlackMs = 0): string[] {
  const log = new FindingLog();
  const scope = { nowMs: 0, sinceMs: -Infinity, clockSlackMs, reaperSinceMs: null };
  const started = new StartedRuns(job, scope, log);
  for (const each of launches) started.take(each);
  return log.findings.map(({ code }) => code);
}

test('runs of one slot may touch, and may not overlap by a millisecond', () => {
  assert.deepEqual(find([launch(0, 1_000), launch(1_000, 2_000)]), []);
  assert.deepEqual(find([launch(0, 1_001), launch(1_000, 2_000)]), ['run_overlap']);
  assert.deepEqual(find([launch(1_000, 2_000), launch(0, 3_000)]), ['run_overlap']);
  assert.deepEqual(find([launch(1_000, 2_000), launch(0, null)]), ['run_overlap']);
  assert.deepEqual(find([launch(0, 9_000), launch(1_000, 9_000, { slotNo: 1 })]), []);
});

test('members of a cluster tell the time apart by less than their slack', () => {
  assert.deepEqual(find([launch(0, 1_900), launch(1_000, 2_000)], 1_000), []);
  assert.deepEqual(find([launch(0, 2_001), launch(1_000, 2_100)], 1_000), ['run_overlap']);
});

test('a lost run that tells its end late is believed as far as its host knew the clock', () => {
  const lost = { sessionEndedMs: 900 };
  assert.deepEqual(find([launch(0, 1_900, lost), launch(1_000, 2_000)]), []);
  assert.deepEqual(find([launch(0, 5_000, lost), launch(1_000, 6_000)]), ['run_overlap']);
  const left = { ...lost, isLeftToFinish: true };
  assert.deepEqual(find([launch(0, 5_000, left), launch(1_000, 6_000)]), []);
  assert.deepEqual(find([launch(1_000, 2_000), launch(0, 5_000, left)]), []);
  const alive = { sessionEndedMs: null, isLeftToFinish: true };
  assert.deepEqual(find([launch(0, 5_000, alive), launch(1_000, 6_000)]), ['run_overlap']);
});

test('an attempt of a tick is started once, whatever it was started for', () => {
  const tick = { scheduledForMs: 500 };
  const twice = ['tick_started_twice'];
  assert.deepEqual(find([launch(1_000, 1_100, tick), launch(1_200, 1_300, tick)]), twice);
  const makeUp = { ...tick, trigger: 'misfire' };
  assert.deepEqual(find([launch(1_000, 1_100, tick), launch(1_200, 1_300, makeUp)]), twice);
  const again = { ...tick, attempt: 2 };
  assert.deepEqual(find([launch(1_000, 1_100, tick), launch(1_200, 1_300, again)]), []);
  const asked = { ...tick, trigger: 'manual', requestId: 'r1' };
  const other = { ...asked, requestId: 'r2' };
  assert.deepEqual(find([launch(1_000, 1_100, asked), launch(1_200, 1_300, other)]), []);
  assert.deepEqual(find([launch(1_000, 1_100, asked), launch(1_200, 1_300, asked)]), twice);
});
