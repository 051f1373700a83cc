import type { Evidence } from '../evidence.ts';
import type { FaultRecord } from '../history.ts';
import type { LaunchTrail } from '../readTrails.ts';
import { targetsOf } from '../report/rankFaults.ts';

/** A bar of a lane: a child, or a launch of which no child was seen. Seconds since the start. */
export interface Bar {
  readonly from: number;
  readonly until: number;
  /** The row of its lane, so that no two bars lie upon each other. */
  row: number;
  readonly job: string;
  readonly launch: string;
  /** The run row's result; `going`: there is none yet. */
  readonly result: string;
  /** False: the database says that it was executing, but no child wrote a line. */
  readonly seen: boolean;
  readonly facts: readonly (readonly [string, string])[];
}

/** A fault; its number is its place in the order of time, from 1. */
export interface Band {
  readonly number: number;
  readonly from: number;
  readonly until: number;
  readonly kind: string;
  readonly target: string;
  readonly stops: string;
  readonly detail: string;
}

export interface Lane {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly rows: number;
  readonly bands: readonly Band[];
  /** Sessions: from joining to their end. */
  readonly lives: readonly { readonly from: number; readonly until: number; readonly id: string }[];
}

export interface TimelineData {
  readonly title: string;
  readonly seconds: number;
  readonly healed: number;
  readonly lanes: readonly Lane[];
  /** All faults, whatever they struck. */
  readonly faults: readonly Band[];
  /** Those of no node: the database's, the network's, an operator's. */
  readonly bands: readonly Band[];
  readonly operations: readonly {
    readonly at: number;
    readonly until: number;
    readonly text: string;
    readonly outcome: string;
  }[];
}

/** What the lanes show: plain JSON, in seconds since the history began. */
export function timelineData(
  evidence: Evidence,
  faults: readonly FaultRecord[],
  seconds: (atMs: number) => number,
): TimelineData {
  const { history } = evidence;
  const { about } = history;
  const bars = groupBars(evidence, seconds);
  const bands = faults.map((fault, place): Band & { readonly targets: readonly string[] } => {
    const { fromMs, untilMs, kind, target, stops, detail } = fault;
    const span = { from: seconds(fromMs), until: seconds(untilMs) };
    return { number: place + 1, ...span, kind, target, stops, detail, targets: targetsOf(fault) };
  });
  const names = [...new Set([...about.nodes, ...bars.keys()])];
  return {
    title: `seed ${about.seed} · ${about.engine}`,
    seconds: seconds(about.readMs),
    healed: seconds(about.healedMs),
    lanes: names.map((name) => {
      const own = bars.get(name) ?? [];
      return {
        name,
        bars: own,
        rows: stack(own),
        bands: bands.filter(({ targets }) => targets.includes(name)),
        lives: livesOf(evidence, name, seconds),
      };
    }),
    faults: bands,
    bands: bands.filter(({ targets }) => !names.some((name) => targets.includes(name))),
    operations: history.operations.map((operation) => ({
      at: seconds(operation.invokedMs),
      until: seconds(operation.answeredMs ?? operation.invokedMs),
      text: `${operation.kind} ${operation.job}${operation.detail && `: ${operation.detail}`}`,
      outcome: operation.outcome,
    })),
  };
}

/** The bars of each node's lane, in the order in which they began. */
function groupBars(evidence: Evidence, seconds: (atMs: number) => number): Map<string, Bar[]> {
  const { history, trails, runsByLaunch, processesByLaunch } = evidence;
  const lanes = new Map<string, Bar[]>();
  const add = (
    node: string,
    told: { fromMs: number; untilMs: number; job: string; launch: string; seen: boolean },
    facts: Bar['facts'],
  ): void => {
    const { fromMs, untilMs, ...rest } = told;
    const result = runsByLaunch.get(told.launch)?.[0]?.result ?? 'going';
    const span = { from: seconds(fromMs), until: seconds(untilMs) };
    lanes.set(node, [...(lanes.get(node) ?? []), { ...span, ...rest, row: 0, result, facts }]);
  };
  for (const process of history.processes) {
    const { node, job, startedMs: fromMs, lastSeenMs, launchId: launch, exitCode } = process;
    const exit: [string, string] = ['exit code', exitCode === null ? 'none' : String(exitCode)];
    const facts = factsOf(evidence, trails.launches.get(launch) ?? null, launch, seconds);
    const pid: [string, string] = ['process', String(process.processId)];
    const untilMs = Math.max(lastSeenMs, process.endedMs ?? lastSeenMs);
    add(node, { fromMs, untilMs, job, launch, seen: true }, [pid, exit, ...facts]);
  }
  for (const trail of trails.launches.values()) {
    const { launchId: launch, start, idle, sessionId, jobId } = trail;
    if (start === null || processesByLaunch.has(launch)) continue;
    const node = evidence.nodeOf(sessionId) ?? 'unknown';
    const job = evidence.jobById.get(jobId)?.record.name ?? String(jobId);
    const untilMs = idle?.earliestMs ?? history.about.readMs;
    const told = { fromMs: start.earliestMs, untilMs, job, launch, seen: false };
    add(node, told, factsOf(evidence, trail, launch, seconds));
  }
  for (const bars of lanes.values()) bars.sort((a, b) => a.from - b.from);
  return lanes;
}

function factsOf(
  { runsByLaunch }: Evidence,
  trail: LaunchTrail | null,
  launchId: string,
  seconds: (atMs: number) => number,
): [string, string][] {
  const [run] = runsByLaunch.get(launchId) ?? [];
  const facts: [string, string][] = [];
  const fact = (name: string, value: string | number | null | undefined): void => {
    if (value !== null && value !== undefined) facts.push([name, String(value)]);
  };
  const tickMs = trail?.scheduledForDatabaseMs ?? null;
  fact('tick', tickMs === null ? null : new Date(tickMs).toISOString());
  fact('trigger', run?.triggeredBy);
  fact('revision', trail?.revision);
  fact('session', trail?.sessionId);
  fact('claimed', trail && `${seconds(trail.claim.earliestMs)} s`);
  fact('executing', trail?.start && `${seconds(trail.start.earliestMs)} s`);
  fact('idle', trail?.idle && `${seconds(trail.idle.earliestMs)} s`);
  fact('result', run?.result);
  fact('reason', run?.reason);
  return facts;
}

/** Gives each bar the first free row; answers how many rows that took. */
function stack(bars: readonly Bar[]): number {
  const freeFrom: number[] = [];
  for (const bar of bars) {
    const free = freeFrom.findIndex((from) => from <= bar.from);
    bar.row = free < 0 ? freeFrom.length : free;
    freeFrom[bar.row] = bar.until;
  }
  return Math.max(1, freeFrom.length);
}

function livesOf(
  { trails, history }: Evidence,
  node: string,
  seconds: (atMs: number) => number,
): Lane['lives'] {
  return [...trails.sessions.values()].flatMap(({ sessionId: id, node: name, joined, ended }) => {
    if (name !== node || joined === null) return [];
    const until = seconds(ended?.earliestMs ?? history.about.readMs);
    return [{ from: seconds(joined.earliestMs), until, id }];
  });
}
