import type { World } from '../world.ts';
import type { DatabaseModel } from './databaseModel.ts';
import { StatementMeter } from './statementMeter.ts';

/** What a fleet asked of its database in a window of time. */
export interface LoadReport {
  readonly statementsPerSecond: number;
  readonly statementsPerNodeSecond: number;
  /** The busiest node's statements over the mean. */
  readonly statementsBusiest: number;
  readonly rowsReadPerSecond: number;
  /** With entries of indexes that the engine passes over, and `Handler_read%` do not count. */
  readonly rowsExaminedPerSecond: number;
  /** The most statements that began within the same 100 ms, over the mean. */
  readonly herd: number;
  readonly connections: number;
  /** Of one core; the model has as many as its constants say. */
  readonly coresBusy: number;
  /** The kinds of statement, those that are sent most first. */
  readonly kinds: readonly KindReport[];
}

export interface KindReport {
  readonly kind: string;
  readonly statementsPerSecond: number;
  readonly rowsReadPerSecond: number;
}

/** Measures what is asked of the model while something passes. */
export async function measureLoad(
  { scenario, server, timeline }: World,
  model: DatabaseModel,
  pass: () => Promise<void>,
): Promise<LoadReport> {
  const meter = new StatementMeter();
  model.meter = meter;
  model.busyMs = 0;
  const fromMs = timeline.nowMs();
  await pass();
  const tookMs = timeline.nowMs() - fromMs;
  const perSecond = (count: number): number => (count * 1_000) / tookMs;
  const nodes = scenario.nodes.length;
  const busiest = Math.max(0, ...meter.clients.values());
  return {
    statementsPerSecond: perSecond(meter.statements),
    statementsPerNodeSecond: perSecond(meter.statements) / nodes,
    statementsBusiest: (busiest * nodes) / Math.max(1, meter.statements),
    rowsReadPerSecond: perSecond(meter.rows),
    rowsExaminedPerSecond: perSecond(meter.examined),
    herd: meter.mostAtOnce() / Math.max(1, meter.meanAtOnce(tookMs)),
    connections: server.connections,
    coresBusy: model.busyMs / tookMs,
    kinds: [...meter.kinds]
      .map(([kind, { statements, rows }]) => ({
        kind,
        statementsPerSecond: perSecond(statements),
        rowsReadPerSecond: perSecond(rows),
      }))
      .sort((one, other) => other.statementsPerSecond - one.statementsPerSecond),
  };
}
