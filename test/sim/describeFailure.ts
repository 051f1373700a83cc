import type { Violation } from '../checkers/violation.ts';
import { makeScenario } from './makeScenario.ts';
import { partsLeft, type Reduction, reduceScenario } from './reduceScenario.ts';
import type { Scenario } from './scenario.ts';

/**
 * Describes a failing world: what was broken, what led to it, how to see it again.
 */
export function describeFailure(
  whole: Scenario,
  reduction: Reduction,
  violations: readonly Violation[],
  startedMs: number,
): string {
  const at = (atMs: number): string => `${((atMs - startedMs) / 1000).toFixed(3).padStart(9)} s`;
  const shown = violations
    .slice(0, shownMax)
    .flatMap(({ rule, promise, what, timeline }) => [
      `✖ ${promise} (${rule}): ${what}`,
      ...timeline.map((entry) => `  ${at(entry.atMs)}  ${entry.text}`),
    ]);
  const more = violations.length - shownMax;
  return [
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
    '',
    describeWorld(reduceScenario(whole, reduction)),
    `Replay: ${replayCommand(whole, reduction)}`,
  ].join('\n');
}

const shownMax = 3;

/** The command that runs exactly this world again. */
export function replayCommand(scenario: Scenario, { without, activeMs }: Reduction): string {
  const { seed, mutation } = scenario;
  const options = [
    ...(without.length === 0 ? [] : [`--only ${partsLeft(scenario, without).join(',')}`]),
    ...(scenario.nodes.length === makeScenario(seed).nodes.length
      ? []
      : [`--nodes ${scenario.nodes.length}`]),
    ...(activeMs === null ? [] : [`--active-ms ${activeMs}`]),
    ...(mutation === null ? [] : [`--mutation '${mutation}'`]),
  ];
  return ['npm run sim -- --seed', seed, ...options].join(' ');
}

function describeWorld({ nodes, jobs, faults, operations, ttlMs, activeMs }: Scenario): string {
  return [
    `World: ${nodes.length} nodes, TTL ${ttlMs} ms, healed after ${activeMs} ms`,
    ...jobs.map(({ name, schedule, lastsMs, policies }) => {
      const settings = policies === undefined ? '' : `, ${JSON.stringify(policies)}`;
      return `  job ${name}: ${schedule}, lasts ${lastsMs.join(' to ')} ms${settings}`;
    }),
    ...faults.map(({ kind, target, fromMs, untilMs, size }) => {
      const sized = size === 0 ? '' : `, ${size}`;
      return `  fault ${kind} on ${target}, ${fromMs} to ${untilMs} ms${sized}`;
    }),
    ...operations.map(({ kind, job, atMs }) => `  operation ${kind} ${job} at ${atMs} ms`),
  ].join('\n');
}
