import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { judgeHistory } from './judgeHistory.ts';
import type { FaultOptions } from './readFaultOptions.ts';
import type { RunState } from './startProgress.ts';
import { superviseRun } from './superviseRun.ts';
import { processesOf } from './world/endLeftovers.ts';

const faultsMin = 8;

test('half a minute of faults breaks no promise and leaves nothing behind', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-fault-short-'));
  const options: FaultOptions = {
    seed: 20_261,
    nodes: 3,
    minutes: 0.5,
    faults: [],
    engine: 'mariadb',
    ttlMs: 5_000,
    multiPrimary: false,
    apiPercent: 50,
    folder,
  };
  const run = await superviseRun(options, quietState(t), AbortSignal.timeout(120_000));
  assert.deepEqual(processesOf(folder), []);
  const { history, notRun, troubles } = run;
  const verdict = judgeHistory(history, { folder, notRun, troubles });
  for (const { kind, reason } of notRun) t.diagnostic(`not run: ${kind}: ${reason}`);
  if (!verdict.isClean) await writeFile(path.join(folder, 'history.json'), JSON.stringify(history));
  assert.ok(verdict.isClean, verdict.text);
  assert.ok(history.faults.length >= faultsMin, verdict.text);
  assert.ok(history.processes.length > 100, verdict.text);
  const byApi = history.operations.filter(({ via = '', outcome }) => {
    return via.startsWith('API') && outcome === 'ok';
  });
  assert.ok(byApi.length > 0, verdict.text);
  assert.deepEqual(
    troubles.filter((text) => text.includes(' answered ')),
    [],
  );
  // Kept only when something is wrong, to be judged again with --replay.
  await rm(folder, { recursive: true, force: true });
});

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
