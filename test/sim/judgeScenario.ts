import { judge } from '../checkers/judge.ts';
import type { Violation } from '../checkers/violation.ts';
import { runScenario, type ScenarioRun } from './runScenario.ts';
import type { Scenario } from './scenario.ts';

export interface JudgedRun extends ScenarioRun {
  readonly violations: readonly Violation[];
}

/** Runs a world and judges it by the rules that real histories are judged by. */
export async function judgeScenario(scenario: Scenario, isWatched = true): Promise<JudgedRun> {
  const run = await runScenario(scenario, isWatched);
  return { ...run, violations: judge(run.history) };
}
