import { accuse, spanText, tickText } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import { groupBy } from '../groupBy.ts';
import type { CursorEvidence } from '../jobEvidence.ts';
import { type HallViolator, matchTargets, type Target } from '../matchTargets.ts';
import { type Obligation, oweTicks } from '../obligations.ts';
import { latenessMs } from '../outages.ts';
import type { Violation } from '../violation.ts';

/**
 * C1: every tick that had to start has a start of its own in time, and none starts early (P12).
 * First by time alone, whatever the starts say of themselves; then each by the tick that its child
 * was told. Ticks that were made up for by a later one share its start.
 */
export function checkStartsOwed(evidence: Evidence): Violation[] {
  return [...evidence.cursors.flatMap((job) => checkJob(evidence, job)), ...checkEarly(evidence)];
}

interface Owed extends Target {
  readonly obligation: Obligation;
}

function checkJob(evidence: Evidence, job: CursorEvidence): Violation[] {
  const obligations = oweTicks(evidence, job, {
    lateMs: latenessMs + evidence.outages.forgivenMs,
    recoveryMs: () => evidence.outages.boundMs,
  });
  const dueByTick = new Map(obligations.map((each) => [each.tickDatabaseMs, each]));
  const owed = oweRuns(obligations, dueByTick);
  if (owed.length === 0) return [];
  const mayNot = new Set(
    obligations.filter(({ untilMs }) => untilMs === null).map((each) => each.tickDatabaseMs),
  );
  const own = new Set(owed.map(({ obligation }) => obligation.startedAs));
  const runsMs = job.processes
    .filter(({ scheduledForDatabaseMs: tickMs }) => own.has(tickMs) || !mayNot.has(tickMs))
    .map(({ startedMs }) => startedMs);
  // A clock is read to the millisecond, so a start may seem to be that much early.
  const violator = matchTargets(
    owed.map(({ fromMs, untilMs }) => ({ fromMs: fromMs - readingMs, untilMs })),
    runsMs,
  );
  const unmet = owed.filter(({ obligation, untilMs }) => {
    const start = dueByTick.get(obligation.startedAs)?.process ?? null;
    return start === null || start.startedMs > untilMs;
  });
  return unmet.slice(0, shownMax).map((each, index) => {
    return chargeUnmet(evidence, each, dueByTick, index === 0 ? violator : null);
  });
}

/** One target for each start: of a tick and those it makes up for, the one that closes first. */
function oweRuns(
  obligations: readonly Obligation[],
  dueByTick: ReadonlyMap<number, Obligation>,
): Owed[] {
  // A make-up may be lost itself, with the node that a fault stopped: then it need not start.
  const isOwed = (each: Obligation | undefined) => each === undefined || each.untilMs !== null;
  const groups = groupBy(
    obligations.filter((each) => isOwed(each) && isOwed(dueByTick.get(each.startedAs))),
    ({ startedAs }) => startedAs,
  );
  return [...groups].map(([startedAs, group]) => {
    const [first] = [...group].sort((a, b) => (a.untilMs ?? 0) - (b.untilMs ?? 0));
    const obligation = first as Obligation;
    const fromMs = dueByTick.get(startedAs)?.dueMs ?? obligation.dueMs;
    // One that comes too late to be in time for the first of them is owed all the same.
    const untilMs = obligation.untilMs ?? fromMs;
    return { obligation, fromMs: Math.min(fromMs, untilMs), untilMs };
  });
}

function chargeUnmet(
  evidence: Evidence,
  { obligation, untilMs }: Owed,
  dueByTick: ReadonlyMap<number, Obligation>,
  violator: HallViolator | null,
): Violation {
  const { job, tickDatabaseMs, dueMs } = obligation;
  const { name } = job.record;
  const start = dueByTick.get(obligation.startedAs)?.process ?? null;
  const tick = tickText(tickDatabaseMs);
  const fate =
    start === null
      ? `never started (${accountText(job, tickDatabaseMs)})`
      : `started ${spanText(start.startedMs - dueMs)} after it was due`;
  const until = `at most ${spanText(untilMs - dueMs)} were allowed`;
  const hall =
    violator === null
      ? ''
      : `; ${violator.targets.length} starts were owed within ` +
        `${spanText(violator.untilMs - violator.fromMs)} and ${violator.runs} came`;
  const launches = job.launchesByTick.get(tickDatabaseMs) ?? [];
  return accuse(evidence, {
    rule: 'C1',
    promise: start === null ? 'P19' : 'P12',
    what: `Job ${name}: ${tick} ${fate} (${until}${hall}).`,
    atMs: untilMs,
    job: name,
    launchId: start?.launchId ?? launches.at(-1)?.launchId ?? null,
    launches: launches.map(({ launchId }) => launchId),
    timeline: [
      { atMs: dueMs, text: `${tick} of job ${name} was due` },
      { atMs: untilMs, text: 'its start was owed until here' },
    ],
  });
}

/** What the history says became of a tick. */
function accountText({ ledger }: CursorEvidence, tickMs: number): string {
  const entry = ledger.entries.find(({ fromMs, untilMs }) => fromMs <= tickMs && tickMs <= untilMs);
  if (entry?.run == null) return entry?.how ?? 'nowhere';
  return [entry.run.result, entry.run.reason ?? entry.how].join(': ');
}

/** Neither the database's row nor the child may be before the tick, by the database's clock. */
function checkEarly(evidence: Evidence): Violation[] {
  const { clock, trails, history } = evidence;
  const early = (launchId: string, tickMs: number, atMs: number, byMs: number, who: string) =>
    accuse(evidence, {
      rule: 'C1',
      promise: 'P12',
      what: `${who} ${spanText(byMs)} before its ${tickText(tickMs)}.`,
      atMs,
      launchId,
    });
  const children = history.processes.flatMap((process) => {
    const { launchId, startedMs, scheduledForDatabaseMs: tickMs } = process;
    const byMs = tickMs - clock.databaseAt(startedMs).latestMs;
    // The clock may have been stepped back between the start's row and its child.
    if (byMs <= readingMs || clock.firstReachedMs(tickMs) <= startedMs) return [];
    return [early(launchId, tickMs, startedMs, byMs, `The child of ${launchId} began`)];
  });
  const rows = [...trails.launches.values()].flatMap(({ launchId, start, ...trail }) => {
    const tickMs = trail.scheduledForDatabaseMs;
    const byMs = start === null || tickMs === null ? 0 : tickMs - start.row.databaseMs;
    if (byMs <= 0 || start === null || tickMs === null) return [];
    return [early(launchId, tickMs, start.earliestMs, byMs, `${launchId} was marked executing`)];
  });
  return [...children, ...rows];
}

/** Clocks are read to the millisecond. */
const readingMs = 1;

/** A few counterexamples of one job tell as much as all of them. */
const shownMax = 5;
