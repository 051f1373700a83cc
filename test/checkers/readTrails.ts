import { groupBy } from './groupBy.ts';
import type { History, SessionAudit, SlotAudit } from './history.ts';
import type { Between, HostClock } from './hostClock.ts';

/** An audit row with the instants of the boot clock between which it was written. */
export interface Step<Row = SlotAudit> extends Between {
  readonly row: Row;
}

/** What the audit tells of one launch; a later claim of the same id makes no new trail. */
export interface LaunchTrail {
  readonly launchId: string;
  readonly slotId: number;
  readonly jobId: number;
  readonly sessionId: string | null;
  readonly revision: number | null;
  readonly scheduledForDatabaseMs: number | null;
  readonly claim: Step;
  start: Step | null;
  idle: Step | null;
}

export interface SessionTrail {
  readonly sessionId: string;
  readonly node: string;
  joined: Step<SessionAudit> | null;
  ended: Step<SessionAudit> | null;
}

export interface Trails {
  readonly launches: ReadonlyMap<string, LaunchTrail>;
  readonly steps: readonly Step[];
  readonly stepsBySlot: ReadonlyMap<number, readonly Step[]>;
  readonly launchesBySlot: ReadonlyMap<number, readonly LaunchTrail[]>;
  readonly sessions: ReadonlyMap<string, SessionTrail>;
  readonly sessionSteps: readonly Step<SessionAudit>[];
}

/** Sorts the audit by slots, launches and sessions. Judges nothing: odd rows stay in `steps`. */
export function readTrails(history: History, clock: HostClock): Trails {
  const audit = inOrder(history.audit);
  const places = clock.placeRows(audit);
  const steps: Step[] = [];
  const sessionSteps: Step<SessionAudit>[] = [];
  for (let index = 0; index < audit.length; index += 1) {
    const row = audit[index] as History['audit'][number];
    const { earliestMs, latestMs } = places[index] as Between;
    if (row.table === 'slot') steps.push({ row, earliestMs, latestMs });
    else sessionSteps.push({ row, earliestMs, latestMs });
  }
  const stepsBySlot = groupBy(steps, ({ row }) => row.slotId);
  const launches = followLaunches(steps);
  return {
    launches,
    steps,
    stepsBySlot,
    launchesBySlot: groupBy(launches.values(), ({ slotId }) => slotId),
    sessions: followSessions(history, sessionSteps),
    sessionSteps,
  };
}

function inOrder(audit: History['audit']): History['audit'] {
  const isSorted = audit.every(
    (row, index) => index === 0 || row.order >= (audit[index - 1]?.order ?? 0),
  );
  return isSorted ? audit : [...audit].sort((a, b) => a.order - b.order);
}

function followLaunches(steps: readonly Step[]): Map<string, LaunchTrail> {
  const launches = new Map<string, LaunchTrail>();
  for (const step of steps) {
    const { before, after } = step.row;
    const launchId = after.launchId ?? before.launchId;
    if (launchId === null) continue;
    let trail = launches.get(launchId);
    if (trail === undefined) {
      trail = trailOf(launchId, step);
      launches.set(launchId, trail);
    }
    if (before.state === after.state) continue;
    if (after.state === 'executing') trail.start ??= step;
    if (after.state === 'idle') trail.idle = step;
  }
  return launches;
}

function trailOf(launchId: string, step: Step): LaunchTrail {
  const { after, before, slotId, jobId } = step.row;
  const moment = after.launchId === null ? before : after;
  return {
    launchId,
    slotId,
    jobId,
    sessionId: moment.sessionId,
    revision: moment.revision,
    scheduledForDatabaseMs: moment.scheduledForDatabaseMs,
    claim: step,
    start: null,
    idle: null,
  };
}

function followSessions(
  history: History,
  steps: readonly Step<SessionAudit>[],
): Map<string, SessionTrail> {
  const sessions = new Map<string, SessionTrail>();
  for (const { sessionId, node } of history.sessions) {
    sessions.set(sessionId, { sessionId, node, joined: null, ended: null });
  }
  for (const step of steps) {
    const { sessionId, node, before, after } = step.row;
    const trail = sessions.get(sessionId) ?? { sessionId, node, joined: null, ended: null };
    sessions.set(sessionId, trail);
    if (before === null) trail.joined ??= step;
    if (after === 'ended' && before !== 'ended') trail.ended ??= step;
  }
  return sessions;
}
