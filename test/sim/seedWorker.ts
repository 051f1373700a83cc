import { judgeScenario } from './judgeScenario.ts';
import { makeScenario } from './makeScenario.ts';
import type { SeedChunk } from './runSeeds.ts';
import { addRun, emptyTotals } from './simTotals.ts';

/** Runs the worlds of a chunk of seeds and reports what they came to. */
async function runChunk({ first, count, nodes, mutation, watchEvery }: SeedChunk) {
  const totals = emptyTotals();
  for (let seed = first; seed < first + count; seed += 1) {
    const scenario = { ...makeScenario(seed, nodes), mutation };
    addRun(totals, seed, await judgeScenario(scenario, seed % watchEvery === 0));
  }
  return totals;
}

// The requester is gone, so nobody wants to know.
process.on('disconnect', () => process.exit());
process.on('message', (chunk: SeedChunk) => {
  void runChunk(chunk).then((totals) => process.send?.(totals));
});
