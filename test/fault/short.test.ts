import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { History } from '../checkers/history.ts';
import { judgeHistory } from './judgeHistory.ts';
import type { FaultOptions } from './readFaultOptions.ts';
import type { RunState } from './startProgress.ts';
import { superviseRun } from './superviseRun.ts';
import { processesOf } from './world/endLeftovers.ts';

const faultsMin = 8;
const processesMin = 100;
/** A slow machine has to have more time for as much. */
const minutesOfRuns = [0.5, 2, 8] as const;

test('half a minute of faults breaks no promise and leaves nothing behind', async (t) => {
  for (const minutes of minutesOfRuns) {
    const { faults, operations, processes } = await runClean(t, minutes);
    const byApi = operations.filter(({ via = '', outcome }) => {
      return via.startsWith('API') && outcome === 'ok';
    });
    const counts = [faults.length, processes.length, byApi.length] as const;
    t.diagnostic(`${minutes} min: ${counts.join(', ')} faults, processes, operations by API`);
    if (counts[0] >= faultsMin && counts[1] > processesMin && counts[2] > 0) return;
  }
  assert.fail('hardly anything happened');
});

/** What happened in a run, of which all is in order. */
async function runClean(t: TestContext, minutes: number): Promise<History> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-fault-short-'));
  const options: FaultOptions = {
    seed: 20_261,
    nodes: 3,
    minutes,
    faults: [],
    engine: 'mariadb',
    // No node is to lose its lease for whatever else this machine is busy with.
    ttlMs: 15_000,
    multiPrimary: false,
    apiPercent: 50,
    folder,
  };
  const stopping = AbortSignal.timeout((minutes + 10) * 60_000);
  const run = await superviseRun(options, quietState(t), stopping);
  assert.deepEqual(processesOf(folder), []);
  const { history, messages, notRun, troubles } = run;
  const verdict = judgeHistory(history, { folder, notRun, troubles });
  for (const { kind, reason } of notRun) t.diagnostic(`not run: ${kind}: ${reason}`);
  if (!verdict.isClean) await writeFile(path.join(folder, 'history.json'), JSON.stringify(history));
  assert.ok(verdict.isClean, verdict.text);
  assert.deepEqual(
    troubles.filter((text) => text.includes(' answered ')),
    [],
  );
  // Nodes that were killed had not reported all of it.
  const told = history.processes.filter(({ launchId }) => messages.launches[launchId]);
  t.diagnostic(`messages of ${told.length} of ${history.processes.length} processes`);
  const said = told.map(({ launchId }) => messages.launches[launchId]?.messages ?? []);
  const isWhole = (events: string[]) => events[0] === 'init' && events.includes('finish.committed');
  assert.ok(said.some((each) => isWhole(each.map(({ event }) => event))));
  // Kept only when something is wrong, to be judged again with --replay.
  await rm(folder, { recursive: true, force: true });
  return history;
}

function quietState(t: TestContext): RunState {
  const troubles: string[] = [];
  return {
    phase: '',
    lasting: new Set(),
    troubles,
    begin: () => undefined,
    say: (line) => t.diagnostic(line),
    trouble: (text) => void troubles.push(text),
    quietTrouble: () => undefined,
    stop: () => undefined,
  };
}
