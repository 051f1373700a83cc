import type { Evidence } from '../evidence.ts';
import type { ConcernedLaunch } from './concernedLaunches.ts';

/** A stretch of time; seconds since the history began. */
interface Stretch {
  readonly from: number;
  readonly until: number;
}

/** What the ledgers tell of a launch, as rows of a drawing under each other. */
export interface LaunchRows extends ConcernedLaunch {
  readonly node: string;
  readonly tick: string | null;
  /** The slot row: who holds it, by the audit. `isOpen`: it had not ended when all was read. */
  readonly slot: readonly (Stretch & { readonly state: string; readonly isOpen: boolean })[];
  /** What the children themselves wrote. `ended`: null when no END line was written. */
  readonly children: readonly (Stretch & {
    readonly ended: number | null;
    readonly pid: number;
    readonly exitCode: number | null;
  })[];
  /** The run rows, as the history tells it. */
  readonly runs: readonly (Stretch & { readonly result: string })[];
  /** When the session that held it was ended. */
  readonly sessionEnd: number | null;
}

/** The rows of a launch, in seconds. */
export function launchRows(
  evidence: Evidence,
  concerned: ConcernedLaunch,
  seconds: (atMs: number) => number,
): LaunchRows {
  const { launchId } = concerned;
  const { clock, trails, nodeOf, history } = evidence;
  const { startedMs, readMs } = history.about;
  const trail = trails.launches.get(launchId) ?? null;
  const children = evidence.processesByLaunch.get(launchId) ?? [];
  const tickMs = trail?.scheduledForDatabaseMs ?? children[0]?.scheduledForDatabaseMs ?? null;
  const sessionId = trail?.sessionId ?? children[0]?.sessionId ?? '';
  const sessionEnd = trails.sessions.get(sessionId)?.ended?.earliestMs ?? null;
  const steps = trail === null ? [] : [trail.claim, trail.start].filter((step) => step !== null);
  const when = (databaseMs: number): number =>
    seconds(clock.firstReachedMs(databaseMs, trail?.claim.earliestMs ?? startedMs));
  return {
    ...concerned,
    node: nodeOf(trail?.sessionId ?? null) ?? children[0]?.node ?? 'unknown',
    tick: tickMs === null ? null : clockText(tickMs),
    slot: steps.map((step, place) => {
      const next = steps[place + 1] ?? trail?.idle ?? null;
      const until = seconds(next?.earliestMs ?? readMs);
      const { state } = step.row.after;
      return { from: seconds(step.earliestMs), until, state, isOpen: next === null };
    }),
    children: children.map(({ startedMs: fromMs, endedMs, lastSeenMs, processId, exitCode }) => {
      const until = seconds(Math.max(fromMs, lastSeenMs, endedMs ?? fromMs));
      const ended = endedMs === null ? null : seconds(endedMs);
      return { from: seconds(fromMs), until, ended, pid: processId, exitCode };
    }),
    runs: (evidence.runsByLaunch.get(launchId) ?? []).map((run) => {
      const until = when(run.endedDatabaseMs);
      const from = run.startedDatabaseMs === null ? until : when(run.startedDatabaseMs);
      return { from, until, result: run.result };
    }),
    sessionEnd: sessionEnd === null ? null : seconds(sessionEnd),
  };
}

/** A time of the database's clock as people read it: UTC, without the day. */
export function clockText(databaseMs: number): string {
  return new Date(databaseMs).toISOString().slice(11, -1).replace('.000', '');
}
