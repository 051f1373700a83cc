import { createProgress } from './createProgress.ts';
import { describeFailure } from './describeFailure.ts';
import { describeTotals } from './describeTotals.ts';
import { fleetCommand } from './fleet/fleetCommand.ts';
import { judgeScenario } from './judgeScenario.ts';
import { makeScenario } from './makeScenario.ts';
import { readSimOptions, type SimOptions, simUsage } from './readSimOptions.ts';
import { partsLeft, reduceScenario } from './reduceScenario.ts';
import { runSeeds } from './runSeeds.ts';
import type { Scenario } from './scenario.ts';
import { shrinkScenario } from './shrinkScenario.ts';

/** From this many worlds on, everything that can be taken has to have been taken. */
const coveredFrom = 10_000;
/** A run goes on after a failure, so that the smallest failing seed of a few is reported. */
const failuresMax = 5;

process.exitCode = await runSimulation(process.argv.slice(2));

/** `npm run sim`: resolves to the exit code, 0 only when no promise was broken. */
async function runSimulation(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg.split('=')[0] === '--fleet')) return fleetCommand(args);
  const options = readSimOptions(args);
  if (typeof options === 'string') {
    say(`${options}\n${simUsage}`.trim());
    return options === '' ? 0 : 2;
  }
  return options.seed === null ? runMany(options) : runOne(options, options.seed);
}

async function runOne(options: SimOptions, seed: number): Promise<number> {
  const { only, activeMs } = options;
  const whole = worldOf(options, seed);
  const without = only === null ? [] : partsLeft(whole, only);
  const reduction = { without, activeMs };
  const { history, violations } = await judgeScenario(reduceScenario(whole, reduction));
  if (options.json) say(JSON.stringify({ history, violations }));
  else {
    const { about, processes, audit } = history;
    say(describeFailure(whole, reduction, violations, about.startedMs));
    const seen = `${processes.length} children, ${audit.length} changes of rows`;
    say(`${seen}, ${violations.length} violations`);
  }
  return violations.length > 0 ? 1 : 0;
}

async function runMany(options: SimOptions): Promise<number> {
  const began = performance.now();
  const progress = createProgress(options.seeds, process.stdout);
  const totals = await runSeeds({
    ...options,
    count: options.seeds,
    failuresMax: options.mutation === null ? failuresMax : 1,
    onProgress: (soFar) => progress.show(soFar),
  });
  progress.end();
  const { text, isCovered } = describeTotals(totals, (performance.now() - began) / 1000);
  say(text);
  const [smallest] = totals.failing;
  if (smallest !== undefined) {
    await printFailure(worldOf(options, smallest));
    return 1;
  }
  return isCovered || options.seeds < coveredFrom ? 0 : 1;
}

async function printFailure(scenario: Scenario): Promise<void> {
  say(`\nSeed ${scenario.seed} fails; looking for the smallest world in which it does …`);
  const { history, violations } = await judgeScenario(scenario);
  const shrunk = await shrinkScenario(scenario, violations);
  const { startedMs } = history.about;
  say(describeFailure(scenario, shrunk.reduction, shrunk.violations, startedMs));
}

function worldOf({ nodes, mutation }: SimOptions, seed: number): Scenario {
  return { ...makeScenario(seed, nodes), mutation };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
