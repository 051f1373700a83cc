import type { Evidence } from '../evidence.ts';
import type { FaultRecord } from '../history.ts';
import { aliveUntil } from '../rules/overlaps.ts';
import type { Violation } from '../violation.ts';
import { concernedLaunches } from './concernedLaunches.ts';
import { type Claimants, launchFacts } from './launchFacts.ts';
import { type LaunchRows, launchRows } from './launchRows.ts';
import { type Concern, type RankedFault, rankFaults } from './rankFaults.ts';
import { meaningOf, type RuleMeaning } from './ruleMeanings.ts';

/** What the report says of a violation; plain JSON, times in seconds since the history began. */
export interface Explained {
  readonly meaning: RuleMeaning;
  /** Numbers of the faults that were in effect or had just ended, the likeliest first. */
  readonly faults: readonly { readonly number: number; readonly why: string }[];
  /** Whether the first of them may have led to it: false when none of them can. */
  readonly isLikely: boolean;
  readonly launches: readonly LaunchRows[];
  /** How many launches more it names than are shown. */
  readonly more: number;
  /** A tick that no launch is of: from when to when nothing came. */
  readonly missing: { readonly from: number; readonly until: number } | null;
  /** What is to be seen side by side. */
  readonly from: number;
  readonly until: number;
  readonly facts: readonly { readonly at: number; readonly from: string; readonly text: string }[];
}

/** What all violations of a history are explained with. */
export interface Explaining {
  readonly evidence: Evidence;
  readonly claimants: Claimants;
  /** In the order of their numbers, which begin with 1. */
  readonly faults: readonly FaultRecord[];
  readonly seconds: (atMs: number) => number;
}

/** Puts together what tells of a violation: its launches, the faults about it, and the facts. */
export function explainViolation(explaining: Explaining, violation: Violation): Explained {
  const { evidence, faults, seconds, claimants } = explaining;
  const concerned = concernedLaunches(evidence, violation);
  const launches = concerned
    .map((each) => launchRows(evidence, each, seconds))
    .sort((a, b) => a.node.localeCompare(b.node) || beginOf(a) - beginOf(b));
  const ids = concerned.map(({ launchId }) => launchId);
  const facts = launchFacts(evidence, violation, ids, claimants);
  const ranked = rankFaults(faults, concernOf(evidence, violation, ids), evidence.outages.boundMs);
  const shown = ranked.slice(0, faultsMax);
  const named = new Set(violation.launches);
  const dueMs = named.size > 0 ? null : violation.timeline[0]?.atMs;
  const times = facts.map(({ atMs }) => seconds(atMs));
  return {
    meaning: meaningOf(violation.rule, violation.promise),
    faults: shown.map(({ fault, why }) => ({ number: faults.indexOf(fault) + 1, why })),
    isLikely: (shown[0]?.score ?? 0) > 0,
    launches,
    more: [...named].filter((launchId) => !ids.includes(launchId)).length,
    missing: dueMs == null ? null : { from: seconds(dueMs), until: seconds(violation.atMs) },
    ...windowOf(times, shown[0], seconds),
    facts: facts.map(({ atMs, from, text }) => ({ at: seconds(atMs), from, text })),
  };
}

const faultsMax = 4;
/** A fault that came longer before is not drawn to scale with what it led to. */
const reachSeconds = 20;

function beginOf({ slot, children }: LaunchRows): number {
  return slot[0]?.from ?? children[0]?.from ?? 0;
}

/** All that is told, and the likeliest fault if it is near enough to be seen with the rest. */
function windowOf(
  times: readonly number[],
  likely: RankedFault | undefined,
  seconds: (atMs: number) => number,
): { readonly from: number; readonly until: number } {
  const from = Math.min(...times);
  const until = Math.max(...times);
  const begun = likely === undefined ? from : seconds(likely.fault.fromMs);
  const first = begun < from && from - begun < reachSeconds ? begun : from;
  const margin = Math.max(0.02, (until - first) * 0.03);
  return { from: first - margin, until: until + margin };
}

/**
 * When and where a violation came to be: the lives of the launches that it names, until it was
 * broken. Those beside them only tell on which nodes it might have run. What the history says of a
 * tick may have become wrong later than the tick.
 */
function concernOf(evidence: Evidence, violation: Violation, ids: readonly string[]): Concern {
  const { trails, processesByLaunch, nodeOf } = evidence;
  const { rule, launches, atMs, timeline, node } = violation;
  const sessions = launches.flatMap((launchId) => {
    const { sessionId = null } = trails.launches.get(launchId) ?? {};
    return trails.sessions.get(sessionId ?? '') ?? [];
  });
  const lives = launches.flatMap((launchId) => {
    const claimMs = trails.launches.get(launchId)?.claim.earliestMs ?? [];
    const children = processesByLaunch.get(launchId) ?? [];
    return [claimMs, ...children.map((child) => [child.startedMs, aliveUntil(child)])].flat();
  });
  const times = [atMs, ...timeline.map((entry) => entry.atMs), ...lives];
  const nodes = (launches.length > 0 ? launches : ids).flatMap((launchId) => [
    nodeOf(trails.launches.get(launchId)?.sessionId ?? null),
    ...(processesByLaunch.get(launchId) ?? []).map((child) => child.node),
  ]);
  return {
    rule,
    nodes: [...new Set([node, ...nodes].filter((each) => each !== null))],
    sessionEnds: sessions.flatMap((session) =>
      session.ended === null ? [] : [{ node: session.node, atMs: session.ended.earliestMs }],
    ),
    fromMs: Math.min(...times),
    untilMs: rule === 'C6' ? Math.max(...times) : atMs,
  };
}
