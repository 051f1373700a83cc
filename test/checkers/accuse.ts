import type { Evidence } from './evidence.ts';
import type { Rule, TimelineEntry, Violation } from './violation.ts';

export interface Charge {
  readonly rule: Rule;
  readonly promise: string;
  readonly what: string;
  readonly atMs: number;
  readonly job?: string | null;
  readonly launchId?: string | null;
  /** Launches whose lives belong into the timeline; the accused one needs no mention. */
  readonly launches?: readonly string[];
  readonly timeline?: readonly TimelineEntry[];
}

/** Makes a violation of a charge: with its node, and the lives of the launches that it is about. */
export function accuse(evidence: Evidence, charge: Charge): Violation {
  const { trails, nodeOf, jobById } = evidence;
  const launchId = charge.launchId ?? null;
  const trail = trails.launches.get(launchId ?? '');
  const named = [launchId, ...(charge.launches ?? [])].filter((each) => each !== null);
  const launches = [...new Set(named)];
  const lives = launches.flatMap((each) => tellLife(evidence, each));
  const timeline = [...(charge.timeline ?? []), ...lives].sort((a, b) => a.atMs - b.atMs);
  const process = evidence.processesByLaunch.get(launchId ?? '')?.[0];
  return {
    rule: charge.rule,
    promise: charge.promise,
    what: charge.what,
    atMs: charge.atMs,
    job: charge.job ?? jobById.get(trail?.jobId ?? -1)?.record.name ?? process?.job ?? null,
    launchId,
    launches,
    node: nodeOf(trail?.sessionId ?? null) ?? process?.node ?? null,
    timeline,
  };
}

/** What the ledgers tell of one launch, and of the end of its session. */
export function tellLife(evidence: Evidence, launchId: string): TimelineEntry[] {
  const { trails, nodeOf } = evidence;
  const trail = trails.launches.get(launchId);
  const told: TimelineEntry[] = [];
  const tell = (atMs: number | undefined, text: string): void => {
    if (atMs !== undefined) told.push({ atMs, text: `${launchId} ${text}` });
  };
  if (trail !== undefined) {
    const node = nodeOf(trail.sessionId) ?? 'an unknown node';
    const tick = tickText(trail.scheduledForDatabaseMs);
    tell(trail.claim.earliestMs, `was claimed by node ${node} for ${tick}`);
    tell(trail.start?.earliestMs, 'was marked executing');
    tell(trail.idle?.earliestMs, 'gave its slot back');
    const session = trails.sessions.get(trail.sessionId ?? '');
    const endedMs = session?.ended?.earliestMs ?? Number.POSITIVE_INFINITY;
    if (endedMs <= (trail.idle?.latestMs ?? endedMs) + soonMs && Number.isFinite(endedMs)) {
      told.push({ atMs: endedMs, text: `${trail.sessionId} was ended` });
    }
  }
  for (const process of evidence.processesByLaunch.get(launchId) ?? []) {
    const { processId, node, exitCode, lastSeenMs, endedMs } = process;
    tell(process.startedMs, `ran as process ${processId} on node ${node}`);
    tell(endedMs ?? undefined, `ended with exit code ${exitCode}`);
    if (lastSeenMs !== endedMs) tell(lastSeenMs, 'gave its last sign of life');
  }
  return told;
}

/** The end of a session belongs to the life of a launch when it came before, or so soon after. */
const soonMs = 2_000;

/** A tick as people read it, in UTC. */
export function tickText(databaseMs: number | null): string {
  return databaseMs === null ? 'no tick' : `tick ${new Date(databaseMs).toISOString()}`;
}

/** A span of time as people read it: `1.5 ms`, `2.25 s`. */
export function spanText(ms: number): string {
  return Math.abs(ms) < 1_000 ? `${round(ms)} ms` : `${round(ms / 1_000)} s`;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
