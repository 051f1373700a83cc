import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { splayOf } from '../../../src/domain/policies/startAt.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { accuse, spanText, tickText } from '../accuse.ts';
import { couldRun } from '../couldRun.ts';
import { type Evidence, policiesOf } from '../evidence.ts';
import type { RunRecord } from '../history.ts';
import type { CursorEvidence } from '../jobEvidence.ts';
import { isTick } from '../launchKinds.ts';
import { latenessMs } from '../outages.ts';
import type { LaunchTrail } from '../readTrails.ts';
import { revisionsAbout } from '../revisionsAbout.ts';
import type { Violation } from '../violation.ts';
import { absences } from './tickAccounts.ts';

/**
 * C12: what a job asks for is done, as far as one launch or one row tells it: a reason is one that
 * its policies can give (P19); a start is not before its splay, nor after its deadline; what was
 * missed is made up for only within the window; and it runs where it may.
 */
export function checkPolicies(evidence: Evidence): Violation[] {
  return evidence.cursors.flatMap((job) => [
    ...job.runs.flatMap((run) => {
      const says = faultOfReason(job, run);
      return says === null ? [] : [charge(evidence, job, run, says)];
    }),
    ...job.launches.flatMap((launch) => {
      const found = faultOfLaunch(evidence, job, launch);
      return found === null ? [] : [charge(evidence, job, launch, found)];
    }),
  ]);
}

function faultOfReason(job: CursorEvidence, run: RunRecord): string | null {
  const { result, reason, revision } = run;
  if (result !== 'skipped' && result !== 'missed') return null;
  if (reason === null || reason === '') return `is ${result}, and nothing says why`;
  const may = allowing[reason];
  // A change of the job deals with what its revision left.
  const known = [policiesOf(job, revision), ...revisionsAbout(job, run).map(termsOf)];
  if (may === undefined || known.some(may)) return null;
  return `is ${result}, since ${reason}, which its policies do not say`;
}

const termsOf = ({ definition }: { readonly definition: unknown }): JobPolicies =>
  (definition ?? {}) as JobPolicies;

const isNotInOrder = ({ misfire }: JobPolicies): boolean => misfire !== 'all';

/** The policies that can give each reason. */
const allowing: Readonly<Record<string, (terms: JobPolicies) => boolean>> = {
  // A slot that is taken away knows no more than that it was busy.
  [reasons.stillGoing]: ({ overlap, kind }) => overlap === undefined || kind === 'every-node',
  [reasons.oneWaits]: ({ overlap }) => overlap === 'queue',
  [reasons.queueIsFull]: ({ overlap }) => overlap === 'queue-all',
  [reasons.laterTick]: ({ overlap }) => overlap === 'replace' || overlap === 'terminate',
  [reasons.gaveWay]: ({ overlap }) => overlap === 'replace' || overlap === 'terminate',
  ...Object.fromEntries([...absences].map((reason) => [reason, isNotInOrder])),
  [reasons.tooOld]: ({ misfire, catchUpMs }) => misfire === 'all' || catchUpMs !== undefined,
  [reasons.tooLate]: ({ startDeadlineMs }) => startDeadlineMs !== undefined,
};

function faultOfLaunch(
  evidence: Evidence,
  job: CursorEvidence,
  launch: LaunchTrail,
): string | null {
  const { launchId, revision, start, scheduledForDatabaseMs: tickMs, sessionId } = launch;
  const terms = policiesOf(job, revision);
  const node = evidence.nodeOf(sessionId);
  if (node !== null && couldRun(terms.target, node) === false) {
    return `was claimed by node ${node}, which its target does not let run it`;
  }
  if (node !== null && job.nodeName !== '' && node !== job.nodeName) {
    return `was claimed by node ${node}, and is for ${job.nodeName}`;
  }
  const run = evidence.runsByLaunch.get(launchId)?.[0];
  const slot = job.slots.find((each) => each.launchId === launchId);
  const triggeredBy = run?.triggeredBy ?? slot?.triggeredBy ?? null;
  if (tickMs === null || triggeredBy === null || !isTick(run ?? slot ?? { triggeredBy })) {
    return null;
  }
  const late = faultOfAge(launch, tickMs, triggeredBy, terms);
  if (late !== null || start === null) return late;
  const lateMs = start.row.databaseMs - tickMs;
  const isDirect = triggeredBy === 'schedule' || triggeredBy === 'misfire';
  const splayMs = isDirect ? splayOf({ name: job.record.name, ...terms }, tickMs) : 0;
  if (lateMs >= 0 && lateMs < splayMs) {
    return `started ${spanText(lateMs)} after its tick, which is splayed by ${spanText(splayMs)}`;
  }
  const { startDeadlineMs = Number.POSITIVE_INFINITY } = terms;
  // NOW() is the beginning of the statement; the audit reads the clock when the row is written.
  if (triggeredBy === 'retry' || lateMs <= startDeadlineMs + latenessMs) return null;
  return `started ${spanText(lateMs)} after its tick, and had ${spanText(startDeadlineMs)}`;
}

/** How old a tick may be that is claimed as one that was missed. */
function faultOfAge(
  { claim }: LaunchTrail,
  tickMs: number,
  triggeredBy: string,
  { misfire, catchUpMs }: JobPolicies,
): string | null {
  if (triggeredBy !== 'misfire') return null;
  const unboundedMs = misfire === 'all' ? hourMs : Infinity;
  const windowMs = misfire === 'skip' ? onTimeMs : (catchUpMs ?? unboundedMs);
  const ageMs = claim.row.databaseMs - tickMs;
  const mostMs = windowMs + clockErrorMs;
  if (ageMs <= mostMs) return null;
  return `was made up for ${spanText(ageMs)} after its tick, and ${spanText(mostMs)} are the most`;
}

/** With `skip` a tick that is late by no more was not missed. */
const onTimeMs = 10_000;
const hourMs = 3_600_000;

function charge(
  evidence: Evidence,
  job: CursorEvidence,
  about: LaunchTrail | RunRecord,
  says: string,
): Violation {
  const { name } = job.record;
  const { launchId, scheduledForDatabaseMs } = about;
  const atMs =
    'claim' in about
      ? (about.start ?? about.claim).earliestMs
      : evidence.clock.firstReachedMs(about.endedDatabaseMs, evidence.history.about.startedMs);
  return accuse(evidence, {
    rule: 'C12',
    promise: 'P19',
    what: `Job ${name}: ${tickText(scheduledForDatabaseMs)} ${says}.`,
    atMs,
    job: name,
    launchId,
  });
}

/** Decisions read the clock a moment before the audit does. */
const clockErrorMs = 2;
