import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeScenario } from './judgeScenario.ts';
import { makeScenario } from './makeScenario.ts';
import { nothingLeftOut, partsOf, reduceScenario } from './reduceScenario.ts';
import { runScenario } from './runScenario.ts';
import { runSeeds } from './runSeeds.ts';
import type { Mutation, Scenario } from './scenario.ts';
import { shrinkScenario } from './shrinkScenario.ts';
import { transitionsOf } from './simTotals.ts';
import { uncovered } from './uncovered.ts';

/** Planted bugs that show at once; the others need some hundred worlds. */
const quicklyFound = [
  'unknown start taken for yes',
  'reaper does not wait',
  'locks do not exclude',
] as const;

test('no promise is broken in 24 worlds, and every arrow is taken', async () => {
  const totals = await runSeeds({
    first: 1,
    count: 24,
    nodes: null,
    mutation: null,
    workers: 2,
    failuresMax: 1,
    onProgress: () => undefined,
  });
  assert.deepEqual(totals.failing, []);
  assert.equal(totals.seeds, 24);
  assert.ok(transitionsOf(totals) > 6_000, `${transitionsOf(totals)} transitions`);
  const { arrows, transitions, charted, unexpected } = uncovered(totals);
  assert.deepEqual(arrows, []);
  assert.deepEqual(unexpected, []);
  assert.ok(transitions.length < charted / 4, transitions.join('\n'));
});

test('a removal may come after the clock went back behind its question', async () => {
  const operation = { kind: 'remove', job: 'job-1', atMs: 4_000, schedule: '' } as const;
  const at = { target: 'database', fromMs: 4_002, untilMs: 4_002 } as const;
  const step = { kind: 'clock stepped', ...at, size: -4_000 } as const;
  // Whose COMMIT has no reply never hears of a revision: of some instants it is that reply.
  const loseRepliesFrom = async (fromMs: number) => {
    const lost = { kind: 'reply lost', target: 'operator', fromMs, untilMs: 4_900 } as const;
    const faults = [step, { ...lost, size: 1 }];
    const run = await judgeScenario({ ...small(7), faults, operations: [operation] }, false);
    return { ...run, removal: run.history.operations.find(({ kind }) => kind === 'remove') };
  };
  let fromMs = 4_005;
  let run = await loseRepliesFrom(fromMs);
  while (run.removal?.outcome !== 'info' && fromMs < 4_400) {
    fromMs += 5;
    run = await loseRepliesFrom(fromMs);
  }
  const { history, removal, violations } = run;
  const stepped = history.faults.find(({ kind }) => kind === 'clock stepped');
  assert.ok(removal !== undefined && stepped !== undefined);
  assert.equal(removal.outcome, 'info');
  assert.ok(removal.invokedMs < stepped.fromMs && stepped.fromMs < (removal.answeredMs ?? 0));
  assert.deepEqual(violations, []);
});

test('a seed stands for one history, byte for byte', async () => {
  const once = await runScenario(makeScenario(7));
  const again = await runScenario(makeScenario(7));
  assert.equal(JSON.stringify(again.history), JSON.stringify(once.history));
  const other = await runScenario(makeScenario(8));
  assert.notEqual(JSON.stringify(other.history), JSON.stringify(once.history));
});

test('every transition that is counted is a change of state in the audit', async () => {
  const { arrows, history } = await runScenario(makeScenario(7));
  const changes = history.audit.filter(
    (row) => row.table === 'slot' && row.before.state !== row.after.state,
  );
  const counted = [...arrows.values()].reduce((sum, times) => sum + times, 0);
  assert.equal(counted, changes.length);
});

test('a failing world is shrunk to what its failure needs, and replayed', async () => {
  const mutation = 'unknown start taken for yes';
  const scenario = { ...makeScenario(await findSeed(mutation)), mutation } as const;
  const { violations } = await judgeScenario(scenario);
  const shrunk = await shrinkScenario(scenario, violations);
  const smallest = reduceScenario(scenario, shrunk.reduction);
  assert.ok(partsOf(smallest).length < partsOf(scenario).length / 2);
  const replayed = await judgeScenario(smallest);
  assert.deepEqual(replayed.violations, shrunk.violations);
  assert.deepEqual(reduceScenario(scenario, nothingLeftOut), scenario);
});

for (const planted of quicklyFound) {
  test(`the bug "${planted}" is found within a few worlds`, async () => {
    assert.ok((await findSeed(planted)) > 0);
  });
}

test('after a step of the clock no launch waits for the time that it passed over', async () => {
  for (const fromMs of [4_000, 4_150, 4_300, 4_450, 4_600, 4_750]) {
    const step = { kind: 'clock stepped', target: 'database', fromMs, untilMs: fromMs } as const;
    const faults = [{ ...step, size: 3_600_000 }];
    const { history } = await judgeScenario({ ...small(185), faults });
    const steppedMs = history.about.startedMs + fromMs;
    const after = history.processes.filter(({ startedMs }) => startedMs > steppedMs + 50);
    const firstMs = Math.min(...after.map(({ startedMs }) => startedMs));
    assert.ok(firstMs - steppedMs < 7_000, `the next start came ${firstMs - steppedMs} ms later`);
  }
});

/** One node with one job of every second, on a wire that takes some time. */
function small(seed: number): Scenario {
  const job = { name: 'job-1', schedule: '* * * * * *', timezone: 'UTC', timeoutMs: null } as const;
  const jobs = [{ ...job, lastsMs: [5, 50] as const }];
  const quiet = { nodes: ['node-1'], jobs, faults: [], operations: [], activeMs: 12_000 };
  return { ...makeScenario(seed), ...quiet, latencyMs: [1, 25] };
}

/** The first seed whose world shows a planted bug. */
async function findSeed(mutation: Mutation): Promise<number> {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { violations } = await judgeScenario({ ...makeScenario(seed), mutation }, false);
    if (violations.length > 0) return seed;
  }
  throw new Error(`40 worlds do not show: ${mutation}`);
}
