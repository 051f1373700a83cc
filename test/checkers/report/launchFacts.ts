import { sessionEnds } from '../../../src/domain/reasons/sessionEnd.ts';
import { spanText, tellLife } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import type { Step } from '../readTrails.ts';
import type { Violation } from '../violation.ts';
import { clockText } from './launchRows.ts';

type Ledger = 'slot row' | 'session row' | 'child' | 'run row' | 'operation' | 'node';

export interface Fact {
  readonly atMs: number;
  /** Which ledger says it; `design`: what had to be so by then. */
  readonly from: Ledger | 'design' | 'judge';
  readonly text: string;
}

/** The node of each connection that is known, by the database's number of it. */
export type Claimants = ReadonlyMap<number, string>;

/** Claims and joins name a node: that of a connection which no other node used. */
export function claimantsOf({ trails, nodeOf, history }: Evidence): Claimants {
  const nodes = new Map<number, Set<string>>();
  const note = (connectionId: number, node: string): void => {
    nodes.set(connectionId, new Set([...(nodes.get(connectionId) ?? []), node]));
  };
  for (const { row } of trails.steps) {
    if (row.before.state !== 'idle' || row.after.state !== 'prepare') continue;
    note(row.connectionId, nodeOf(row.after.sessionId) ?? 'unknown');
  }
  for (const { row } of trails.sessionSteps) {
    if (row.before === null) note(row.connectionId, row.node);
  }
  // Each member of a cluster counts its own connections.
  const isCluster = /galera|group/i.test(history.about.engine);
  const sure = [...nodes].filter(([, names]) => names.size === 1 && !isCluster);
  return new Map(sure.map(([connectionId, names]) => [connectionId, [...names].join()]));
}

/** What the ledgers say of launches and of what a violation names besides, in the order of time. */
export function launchFacts(
  evidence: Evidence,
  violation: Violation,
  launchIds: readonly string[],
  claimants: Claimants,
): Fact[] {
  const told = new Set(
    violation.launches.flatMap((launchId) => tellLife(evidence, launchId).map(({ text }) => text)),
  );
  const judged = violation.timeline.filter(({ text }) => !told.has(text));
  const facts = [
    ...launchIds.flatMap((launchId) => factsOfLaunch(evidence, launchId, claimants)),
    ...factsOfSessions(evidence, launchIds, claimants),
    ...missingRows(evidence, violation),
    ...deadlines(evidence, violation),
    ...judged.map(({ atMs, text }): Fact => ({ atMs, from: 'judge', text })),
    { atMs: violation.atMs, from: 'judge' as const, text: `here ${violation.rule} was broken` },
  ];
  const fromMs = Math.min(...facts.map(({ atMs }) => atMs));
  const span = { fromMs, untilMs: violation.atMs };
  return [...facts, ...factsOfOperations(evidence, violation, span)].sort(
    (a, b) => a.atMs - b.atMs,
  );
}

function factsOfLaunch(evidence: Evidence, launchId: string, claimants: Claimants): Fact[] {
  const { clock, history, trails, processesByLaunch, runsByLaunch } = evidence;
  const trail = trails.launches.get(launchId);
  const steps = (trails.stepsBySlot.get(trail?.slotId ?? Number.NaN) ?? []).filter(({ row }) => {
    const isOwn = row.before.launchId === launchId || row.after.launchId === launchId;
    return isOwn && row.before.state !== row.after.state;
  });
  const children = (processesByLaunch.get(launchId) ?? []).flatMap((child): Fact[] => {
    const { startedMs, endedMs, lastSeenMs, processId, node, exitCode } = child;
    const tell = (atMs: number, text: string): Fact => {
      return { atMs, from: 'child', text: `${launchId} ${text}` };
    };
    const began = tell(startedMs, `START: process ${processId} on node ${node}`);
    const ended = endedMs === null ? [] : [tell(endedMs, `END, exit code ${exitCode}`)];
    const isLate = endedMs === null || lastSeenMs > endedMs;
    const last = 'last sign of life of it, or of what it started';
    return [began, ...ended, ...(isLate ? [tell(lastSeenMs, last)] : [])];
  });
  const rows = (runsByLaunch.get(launchId) ?? []).map((run): Fact => {
    const { runId, result, reason, attempt, endedDatabaseMs } = run;
    const fromMs = trail?.claim.earliestMs ?? history.about.startedMs;
    const why = reason === null ? '' : `, ${reason}`;
    const text = `${launchId} run ${runId}: ${result}${why} (attempt ${attempt})`;
    return { atMs: clock.firstReachedMs(endedDatabaseMs, fromMs), from: 'run row', text };
  });
  return [...steps.map((step) => tellStep(step, launchId, claimants)), ...children, ...rows];
}

function tellStep({ row, earliestMs }: Step, launchId: string, claimants: Claimants): Fact {
  const { before, after, connectionId } = row;
  const tickMs = after.scheduledForDatabaseMs ?? before.scheduledForDatabaseMs;
  const tick = after.state === 'prepare' && tickMs !== null ? ` for tick ${clockText(tickMs)}` : '';
  const cursorMs = after.cursorDatabaseMs;
  const isFreed = after.state === 'idle' && cursorMs !== null;
  const though = before.state === 'executing' ? ', though it was executing' : '';
  const again = cursorMs === tickMs ? `, the same once more${though}` : '';
  const next = isFreed ? `; next tick ${clockText(cursorMs)}${again}` : '';
  const by = writerText(claimants, connectionId);
  const text = `${launchId} ${before.state} → ${after.state}${tick}${next} (by ${by})`;
  return { atMs: earliestMs, from: 'slot row', text };
}

/** Who wrote a row of the audit, as far as its connection tells. */
function writerText(claimants: Claimants, connectionId: number): string {
  const node = claimants.get(connectionId);
  return node === undefined ? `connection ${connectionId}` : `node ${node}`;
}

function factsOfSessions(
  evidence: Evidence,
  launchIds: readonly string[],
  claimants: Claimants,
): Fact[] {
  const { trails, history } = evidence;
  const ids = new Set(launchIds.map((each) => trails.launches.get(each)?.sessionId ?? ''));
  return [...ids].flatMap((sessionId): Fact[] => {
    const session = trails.sessions.get(sessionId);
    if (session?.ended == null) return [];
    const why = history.sessions.find((each) => each.sessionId === sessionId)?.endedWhy ?? null;
    const life = history.lives.find((each) => each.sessionId === sessionId);
    const by = writerText(claimants, session.ended.row.connectionId);
    const reason = why === null ? '' : `: ${why}`;
    const said = `${sessionId} of node ${session.node} was ended (by ${by})${reason}`;
    const ended: Fact = { atMs: session.ended.earliestMs, from: 'session row', text: said };
    if (life?.endedMs == null) return [ended];
    const text = `process ${life.processId} of node ${life.node} was gone`;
    return [{ atMs: life.endedMs, from: 'node', text }, ended];
  });
}

/** Of C6: a row is due in the transaction that gives the slot of a started launch back. */
function missingRows(evidence: Evidence, { rule, launches }: Violation): Fact[] {
  const { trails, runsByLaunch, processesByLaunch } = evidence;
  if (rule !== 'C6') return [];
  return launches.flatMap((launchId): Fact[] => {
    const trail = trails.launches.get(launchId);
    const isStarted = trail?.start != null || processesByLaunch.has(launchId);
    if (!isStarted || trail?.idle == null || runsByLaunch.has(launchId)) return [];
    const text = `${launchId} no run row was written`;
    return [{ atMs: trail.idle.earliestMs, from: 'run row', text }];
  });
}

/** Of C5 and C7: from when on nothing of the sessions that they name may live. */
function deadlines(evidence: Evidence, { rule, launches, atMs }: Violation): Fact[] {
  const { trails, history } = evidence;
  if (rule !== 'C5' && rule !== 'C7') return [];
  const ids = new Set(launches.map((each) => trails.launches.get(each)?.sessionId ?? ''));
  return [...ids].flatMap((sessionId): Fact[] => {
    const endedMs = trails.sessions.get(sessionId)?.ended?.earliestMs ?? Number.POSITIVE_INFINITY;
    if (endedMs > atMs) return [];
    const why = history.sessions.find((each) => each.sessionId === sessionId)?.endedWhy ?? '';
    // Others end a session only once its lease is over; another reason says enough itself.
    const ttl = `TTL ${spanText(history.about.ttlMs)}`;
    const lease = why.startsWith(unrenewed)
      ? `: its lease was over (${ttl}), guardian and launcher had to end it`
      : '';
    const text = `by now nothing of ${sessionId} may live${lease}`;
    return [{ atMs: endedMs, from: 'design', text }];
  });
}

const unrenewed = sessionEnds.seenByOthers(0).replace(/ [\d.]+ s$/, '');

/** What was asked of the job while it went on: the last ones, as there may be many. */
function factsOfOperations(
  evidence: Evidence,
  { job }: Violation,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Fact[] {
  const asked = evidence.history.operations.filter((operation) => {
    const answeredMs = operation.answeredMs ?? operation.invokedMs;
    return operation.job === job && answeredMs >= fromMs && operation.invokedMs <= untilMs;
  });
  return asked.slice(-operationsMax).map(({ kind, invokedMs, outcome, detail, via }): Fact => {
    const what = detail === '' ? '' : ` (${detail})`;
    const text = `${kind}${what} by ${via ?? 'database'}: ${outcome}`;
    return { atMs: invokedMs, from: 'operation', text };
  });
}

const operationsMax = 8;
