import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createProgress } from './createProgress.ts';
import { describeFailure } from './describeFailure.ts';
import { describeTotals } from './describeTotals.ts';
import { judgeScenario } from './judgeScenario.ts';
import { makeScenario } from './makeScenario.ts';
import { partsLeft, type Reduction, reduceScenario } from './reduceScenario.ts';
import { runSeeds } from './runSeeds.ts';
import { type Mutation, mutations } from './scenario.ts';
import { shrinkScenario } from './shrinkScenario.ts';

const usage = `npm run sim -- [--seeds 1000] [--first 1] [--nodes N] [--workers N]
npm run sim -- --seed S [--nodes N] [--only f0,o1,n0,j2,…] [--active-ms MS] [--json]
Both take --mutation NAME: ${mutations.join(' | ')}`;

/** From this many worlds on, everything that can be taken has to have been taken. */
const coveredFrom = 1_000;

process.exitCode = await runSimulation(process.argv.slice(2));

/** `npm run sim`: resolves to the exit code, 0 only when no promise was broken. */
async function runSimulation(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '1000' },
      first: { type: 'string', default: '1' },
      seed: { type: 'string' },
      replay: { type: 'boolean' },
      nodes: { type: 'string' },
      workers: { type: 'string', default: String(availableParallelism()) },
      only: { type: 'string' },
      'active-ms': { type: 'string' },
      mutation: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return say(usage, 0);
  const mutation = mutations.find((name) => name === values.mutation) ?? null;
  if (mutation === null && values.mutation !== undefined) return say(usage, 2);
  const nodes = values.nodes === undefined ? null : Number(values.nodes);
  if (values.seed !== undefined) {
    const activeMs = values['active-ms'] === undefined ? null : Number(values['active-ms']);
    const world = { seed: Number(values.seed), nodes, mutation };
    const only = values.only?.split(',') ?? null;
    return runOne(world, { only, activeMs }, values.json === true);
  }
  const seeds = { first: Number(values.first), count: Number(values.seeds), nodes, mutation };
  return runMany(seeds, Number(values.workers));
}

interface WorldAsked {
  readonly seed: number;
  readonly nodes: number | null;
  readonly mutation: Mutation | null;
}

async function runOne(
  { seed, nodes, mutation }: WorldAsked,
  { only, activeMs }: { readonly only: string[] | null; readonly activeMs: number | null },
  asJson: boolean,
): Promise<number> {
  const whole = { ...makeScenario(seed, nodes), mutation };
  const without = only === null ? [] : partsLeft(whole, only);
  const reduction: Reduction = { without, activeMs };
  const { history, violations } = await judgeScenario(reduceScenario(whole, reduction));
  if (asJson) return say(JSON.stringify({ history, violations }), violations.length > 0 ? 1 : 0);
  const { startedMs } = history.about;
  say(describeFailure(whole, reduction, violations, startedMs), 0);
  const { processes, audit } = history;
  const seen = `${processes.length} children, ${audit.length} changes of rows`;
  return say(`${seen}, ${violations.length} violations`, violations.length > 0 ? 1 : 0);
}

async function runMany(
  seeds: Omit<WorldAsked, 'seed'> & { readonly first: number; readonly count: number },
  workers: number,
): Promise<number> {
  const began = performance.now();
  const progress = createProgress(seeds.count, process.stdout);
  const totals = await runSeeds({
    ...seeds,
    workers,
    failuresMax: seeds.mutation === null ? 5 : 1,
    onProgress: (soFar) => progress.show(soFar),
  });
  progress.end();
  const seconds = (performance.now() - began) / 1000;
  const { text, isCovered } = describeTotals(totals, seconds);
  say(text, 0);
  const [smallest] = totals.failing;
  if (smallest !== undefined) {
    await tellFailure({ seed: smallest, nodes: seeds.nodes, mutation: seeds.mutation });
    return 1;
  }
  return isCovered || seeds.count < coveredFrom ? 0 : 1;
}

async function tellFailure({ seed, nodes, mutation }: WorldAsked): Promise<void> {
  say(`\nSeed ${seed} fails; looking for the smallest world in which it does …`, 0);
  const scenario = { ...makeScenario(seed, nodes), mutation };
  const { history, violations } = await judgeScenario(scenario);
  const shrunk = await shrinkScenario(scenario, violations);
  const { startedMs } = history.about;
  say(describeFailure(scenario, shrunk.reduction, shrunk.violations, startedMs), 0);
}

function say(text: string, exitCode: number): number {
  process.stdout.write(`${text}\n`);
  return exitCode;
}
