import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { accuse, tickText } from '../accuse.ts';
import { type Evidence, policiesOf } from '../evidence.ts';
import type { CursorEvidence } from '../jobEvidence.ts';
import type { TickEntry } from '../tickLedger.ts';
import type { Violation } from '../violation.ts';

/**
 * C6, the ticks: every tick of every revision while it was in force stands in exactly one final
 * run row, in the range of exactly one, or in the slot's hands (P19). What was missed is made up
 * for by the tick after it, once.
 */
export function checkTickAccounts(evidence: Evidence): Violation[] {
  return evidence.cursors.flatMap((job) => [
    ...job.ledger.faults.map(({ tickMs, says }) => charge(evidence, job, tickMs, says)),
    ...job.ledger.entries.flatMap((entry, index) => {
      const next = job.ledger.entries[index + 1];
      return isMadeUp(job, entry, next)
        ? []
        : [charge(evidence, job, entry.untilMs, 'was missed, and nothing made up for it')];
    }),
  ]);
}

/** An edit counts anew: what it keeps of the ticks before may be missed again. */
function isMadeUp(job: CursorEvidence, entry: TickEntry, next: TickEntry | undefined): boolean {
  if (entry.run?.result !== 'missed') return true;
  const { reason, revision } = entry.run;
  // Why it was missed says whether it is to be made up for.
  if (reason !== null && !absences.has(reason)) return true;
  if (policiesOf(job, revision).misfire === 'skip') return true;
  if (next !== undefined && next.how !== 'range') return true;
  // Of the last of them its policies may have made something else.
  if (ending.has(next?.run?.reason ?? '')) return true;
  // A make-up that was prepared and given back is missed itself, and made up for by a later tick.
  const makeUpMs = next?.fromMs ?? job.named.next(entry.untilMs);
  if (makeUpMs !== null && job.launchesByTick.has(makeUpMs)) return true;
  const changes = job.record.revisions.slice(1);
  return changes.some((change) => change.revision > revision);
}

const { cordoned, databaseAway, nobodyThere, noEligibleNode, limitReached, notTaken } = reasons;
/** What nobody took, whatever kept all nodes off. */
export const absences: ReadonlySet<string> = new Set([
  nobodyThere,
  noEligibleNode,
  cordoned,
  databaseAway,
  limitReached,
  notTaken,
]);
const { tooLate, oneWaits, queueIsFull, laterTick, gaveWay } = reasons;
const ending: ReadonlySet<string> = new Set([tooLate, oneWaits, queueIsFull, laterTick, gaveWay]);

function charge(evidence: Evidence, job: CursorEvidence, tickMs: number, says: string): Violation {
  const { name } = job.record;
  const launches = job.launchesByTick.get(tickMs) ?? [];
  const rows = job.runs.filter((run) => {
    const untilMs = run.scheduledUntilDatabaseMs ?? run.scheduledForDatabaseMs;
    return run.scheduledForDatabaseMs <= tickMs && untilMs >= tickMs;
  });
  const { clock, history } = evidence;
  const whenMs = (databaseMs: number) => clock.firstReachedMs(databaseMs, history.about.startedMs);
  // It is broken from when a second account was written, or a launch ended without one.
  const idle = launches.flatMap((launch) => launch.idle?.earliestMs ?? []);
  const since = rows.length > 1 ? rows.map((run) => whenMs(run.endedDatabaseMs)) : idle;
  return accuse(evidence, {
    rule: 'C6',
    promise: 'P19',
    what: `Job ${name}: ${tickText(tickMs)} ${says}.`,
    atMs: Math.min(Math.max(whenMs(tickMs), ...since), history.about.readMs),
    job: name,
    launchId: launches.at(-1)?.launchId ?? null,
    launches: launches.map(({ launchId }) => launchId),
    timeline: rows.map(({ runId, result, ticks, endedDatabaseMs }) => ({
      atMs: whenMs(endedDatabaseMs),
      text: `run row ${runId} was written: ${result}, ${ticks} tick${ticks === 1 ? '' : 's'}`,
    })),
  });
}
