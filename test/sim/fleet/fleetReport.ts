import type { KindReport, LoadReport } from './measureLoad.ts';
import type { StartsReport } from './measureStarts.ts';
import { type ModelConstants, modelConstants } from './modelConstants.ts';
import type { BacklogReport } from './runBacklog.ts';

/** What a simulated fleet came to; all of it but the last four is the same for the same options. */
export interface FleetReport {
  readonly nodes: number;
  readonly seed: number;
  readonly runsPerSecond: number;
  readonly lastsMs: number;
  readonly concurrency: number;
  readonly seconds: number;
  readonly idle: LoadReport;
  readonly load: LoadReport;
  readonly starts: StartsReport;
  /** Nodes that were lost in one moment, under load. */
  readonly lost: number;
  /** When others had taken over what those did; null when none was lost. */
  readonly afterLoss: StartsReport | null;
  readonly violations: number;
  /** How many of each promise and rule. */
  readonly broken: Readonly<Record<string, number>>;
  /** The first of them, in words. */
  readonly examples: readonly string[];
  readonly constants: ModelConstants;
  /** Of node processes: as many as nodes, when none had to be started again. */
  readonly lives: number;
  readonly events: number;
  readonly tookSeconds: number;
  readonly processorSeconds: number;
  readonly memoryMb: number;
}

/** How a backlog was made up for, for people. */
export function describeBacklog(report: BacklogReport): string {
  const { backlog, nodes, started, startsPerSecond, tookMs, load, violations, broken } = report;
  return [
    `${number(started)} of ${number(backlog)} slots that were due, on ${number(nodes)} nodes: ` +
      `${number(tookMs / 1_000)} s, ${number(startsPerSecond)} claims and starts a second`,
    `${number(load.statementsPerSecond)} statements a second, ${number(load.coresBusy)} cores busy`,
    `${number(violations)} violations`,
    ...Object.entries(broken).map(([key, times]) => line(`  ${key}`, number(times))),
  ].join('\n');
}

/** A line for each of several seeds; what was broken is told below. */
export function describeSeeds(reports: readonly FleetReport[]): string {
  const rows = reports.map((report) => {
    const { seed, idle, load, starts, afterLoss, violations } = report;
    return [
      ...[seed, violations, idle.statementsPerNodeSecond, idle.rowsReadPerSecond],
      ...[load.rowsReadPerSecond, load.statementsBusiest, starts.latenessP99Ms],
      afterLoss?.latenessP99Ms ?? Number.NaN,
    ];
  });
  const head = [
    ...['seed', 'violations', 'statements/node/s', 'rows/s', 'rows/s loaded', 'busiest'],
    ...['p99 ms', 'after loss'],
  ];
  const worst = head.map((_, place) => Math.max(...rows.map((row) => row[place] ?? Number.NaN)));
  const table = (cells: readonly string[]): string =>
    cells.map((cell, place) => cell.padStart((head[place] ?? '').length + 2)).join('');
  const broken = reports.flatMap(({ seed, examples }) =>
    examples.map((what) => `seed ${seed}: ${what}`),
  );
  return [
    table(head),
    ...rows.map((row) => table(row.map(numberOrNone))),
    table(['most', ...worst.slice(1).map(numberOrNone)]),
    ...broken,
  ].join('\n');
}

function numberOrNone(value: number): string {
  return Number.isNaN(value) ? '–' : number(value);
}

const kindsShown = 14;

/** The report for people. */
export function describeFleet(report: FleetReport): string {
  const { nodes, runsPerSecond, lastsMs, concurrency, idle, load, starts, seed } = report;
  const { lost, afterLoss } = report;
  const both: readonly (readonly [string, (of: LoadReport) => number])[] = [
    ['statements a second', (of) => of.statementsPerSecond],
    ['  of each node', (of) => of.statementsPerNodeSecond],
    ['  of the busiest node ÷ mean', (of) => of.statementsBusiest],
    ['rows read a second', (of) => of.rowsReadPerSecond],
    ['  with what the engine passes over', (of) => of.rowsExaminedPerSecond],
    ['herd: most in 100 ms ÷ mean', (of) => of.herd],
    ['connections', (of) => of.connections],
    ['cores of the database busy', (of) => of.coresBusy],
  ];
  return [
    `${number(nodes)} nodes (${concurrency} at once each), ` +
      `${number(runsPerSecond)} runs/s of ${lastsMs / 1_000} s, seed ${seed}`,
    line('', 'at rest', 'under load'),
    ...both.map(([name, of]) => line(name, number(of(idle)), number(of(load)))),
    '',
    ...startLines(starts, nodes),
    ...(afterLoss === null ? [] : lossLines(afterLoss, nodes, lost)),
    '',
    line('statements a second by kind', 'at rest', 'under load'),
    ...kindLines(idle.kinds, load.kinds),
    '',
    `${number(report.violations)} violations, ${report.lives} lives of ${nodes} nodes`,
    ...Object.entries(report.broken).map(([key, times]) => line(`  ${key}`, number(times))),
    ...report.examples.map((what) => `  ${what}`),
    '',
    'the model of the database',
    ...constantLines(report.constants),
    '',
    `${report.tookSeconds.toFixed(1)} s, of one core ${report.processorSeconds.toFixed(1)} s, ` +
      `${number(report.memoryMb)} MB, ${number(report.events)} events`,
  ].join('\n');
}

function lossLines(afterLoss: StartsReport, nodes: number, lost: number): string[] {
  const head = `after the loss of ${number(lost)} nodes in one moment:`;
  return [head, ...startLines(afterLoss, nodes - lost)];
}

function startLines(starts: StartsReport, nodes: number): string[] {
  const { ticks, started, inTime, latenessP50Ms, latenessP99Ms, startsPerSecond } = starts;
  return [
    `${number(started)} of ${number(ticks)} ticks started, ${number(inTime)} within 1 s; ` +
      `lateness p50 ${number(latenessP50Ms)} ms, p99 ${number(latenessP99Ms)} ms`,
    `${number(startsPerSecond)} starts/s on ${number(starts.nodesWithStarts)} of ` +
      `${number(nodes)} nodes; busiest ÷ mean ${number(starts.busiest)}`,
  ];
}

function kindLines(idle: readonly KindReport[], load: readonly KindReport[]): string[] {
  const shown = new Set([...load, ...idle].slice(0, kindsShown).map(({ kind }) => kind));
  for (const { kind } of idle.slice(0, kindsShown)) shown.add(kind);
  const of = (kinds: readonly KindReport[], kind: string): string =>
    number(kinds.find((each) => each.kind === kind)?.statementsPerSecond ?? 0);
  return [...shown].map((kind) => line(`  ${kind}`, of(idle, kind), of(load, kind)));
}

function constantLines(constants: ModelConstants): string[] {
  return (Object.keys(modelConstants) as (keyof ModelConstants)[]).map((name) =>
    line(`  ${name}`, String(constants[name]), `  ${modelConstants[name].from}`),
  );
}

function line(name: string, ...values: readonly string[]): string {
  return `${name.padEnd(38)}${values.map((value) => value.padStart(14)).join('')}`.trimEnd();
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 4 });
}
