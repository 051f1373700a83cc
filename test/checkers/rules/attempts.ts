import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { accuse, spanText, tickText } from '../accuse.ts';
import { type Evidence, policiesOf } from '../evidence.ts';
import { groupBy } from '../groupBy.ts';
import type { RunRecord } from '../history.ts';
import type { JobEvidence } from '../jobEvidence.ts';
import { attemptsKey, isTick } from '../launchKinds.ts';
import { revisionsAbout } from '../revisionsAbout.ts';
import type { Violation } from '../violation.ts';

/**
 * C11: attempts of one tick, or of one request, are numbered one after the other, only the last is
 * final, each comes because a policy asks for it, when that says, and as often (P5).
 */
export function checkAttempts(evidence: Evidence): Violation[] {
  return evidence.jobs.flatMap((job) => {
    const launched = job.runs.filter(({ launchId }) => launchId !== null);
    return [...groupBy(launched, attemptsKey).values()].flatMap((runs) =>
      checkChain(evidence, job, inOrder(evidence, runs)),
    );
  });
}

function checkChain(evidence: Evidence, job: JobEvidence, runs: readonly RunRecord[]): Violation[] {
  return runs.flatMap((run, place) => {
    const before = runs[place - 1];
    const found =
      faultOf(evidence, job, run, before) ?? faultOfEnd(evidence, job, run, runs[place + 1]);
    if (found === null) return [];
    const { name } = job.record;
    const { scheduledForDatabaseMs, attempt, launchId, endedDatabaseMs } = run;
    return [
      accuse(evidence, {
        rule: 'C11',
        promise: 'P5',
        what: `Job ${name}: attempt ${attempt} of ${tickText(scheduledForDatabaseMs)} ${found}.`,
        atMs: evidence.clock.firstReachedMs(endedDatabaseMs, evidence.history.about.startedMs),
        job: name,
        launchId,
        launches: runs.flatMap((each) => each.launchId ?? []),
      }),
    ];
  });
}

/** What is wrong with an attempt after the one before it. */
function faultOf(
  evidence: Evidence,
  job: JobEvidence,
  run: RunRecord,
  before: RunRecord | undefined,
): string | null {
  const { attempt } = run;
  if (before === undefined) {
    const wasCleaned = (job.record.historyFromDatabaseMs ?? null) !== null;
    // What was asked to be tried again, long after its end, goes on counting.
    if (attempt === 1 || wasCleaned || !isTick(run)) return null;
    return 'came without the one before it';
  }
  // What was never spawned is tried again as the same attempt.
  const wanted = before.result === 'not_started' ? before.attempt : before.attempt + 1;
  if (attempt !== wanted) return `came where ${wanted} was to come`;
  if (isAsked(before)) return null;
  if (before.isFinal) return 'came after the one that was the last';
  const { launches } = evidence.trails;
  const start = launches.get(run.launchId ?? '')?.start ?? null;
  if (before.result === 'not_started' || start === null) return null;
  // A lost one is followed at once, and may have told late how it ended.
  const result = wasLost(evidence, before) ? 'lost' : before.result;
  const delays = termsAfter(job, before).map((terms) => delayOf(terms, { ...before, result }));
  // After a step of the clock nobody can tell which revision it was.
  const leastMs = delays.length === 0 ? 0 : Math.min(...delays);
  // From the end that the history tells. The audit has the slot idle some statements later, which
  // on a slow server are many milliseconds: the next attempt was asked for in between.
  const byDatabaseMs = start.row.databaseMs - before.endedDatabaseMs;
  // By the boot clock, too: the database's may have been stepped back after that end.
  const freedMs = launches.get(before.launchId ?? '')?.idle?.earliestMs ?? start.latestMs;
  const waitedMs = Math.max(byDatabaseMs, start.latestMs - freedMs);
  if (waitedMs >= leastMs - clockErrorMs) return null;
  return `began ${spanText(waitedMs)} after the one before, and had to wait ${spanText(leastMs)}`;
}

/** Whether another had to come, or must not. */
function faultOfEnd(
  evidence: Evidence,
  job: JobEvidence,
  run: RunRecord,
  next: RunRecord | undefined,
): string | null {
  const { result, attempt, isFinal, startedDatabaseMs } = run;
  if (result === 'not_started' || startedDatabaseMs === null || isAsked(run)) return null;
  const terms = termsAfter(job, run);
  if (terms.length === 0) return null;
  // One that was lost may have told late how it ended.
  const results = wasLost(evidence, run) ? [result, 'lost'] : [result];
  const most = results.flatMap((each) => terms.map((term) => attemptsMax(term, each)));
  if (!isFinal) {
    const isAllowed = attempt < Math.max(...most);
    return isAllowed ? null : `is not the last, and the job allows ${Math.max(...most)}`;
  }
  const mayFollow = result === 'failed' || result === 'timed_out' || result === 'lost';
  if (!mayFollow || terms.length > 1 || next !== undefined) return null;
  const least = Math.min(...most);
  return attempt < least ? `${result} and is the last, and the job allows ${least}` : null;
}

/** An operator had what was the last attempt tried again. */
function isAsked({ reason }: RunRecord): boolean {
  return reason?.startsWith(reasons.triedAgain) === true;
}

/** Its slot was freed after its session had ended. */
function wasLost({ trails }: Evidence, { launchId, sessionId }: RunRecord): boolean {
  const freedOrder = trails.launches.get(launchId ?? '')?.idle?.row.order ?? 0;
  return (trails.sessions.get(sessionId ?? '')?.ended?.row.order ?? Infinity) < freedOrder;
}

/** The definitions that may have decided what came after a run. */
function termsAfter(job: JobEvidence, run: RunRecord): JobPolicies[] {
  return revisionsAbout(job, run).map(({ revision, paused }) =>
    paused ? {} : policiesOf(job, revision),
  );
}

/** How many attempts there may be when one ends so. */
function attemptsMax({ retry, nodeLoss }: JobPolicies, result: string): number {
  const why = { failed: 'failure', timed_out: 'timeout', lost: 'node-loss' } as const;
  const cause = why[result as keyof typeof why];
  if (cause !== undefined && retry?.on.includes(cause)) return 1 + retry.max;
  return cause === 'node-loss' && nodeLoss === 'rerun' ? 1 + rerunsMax : 1;
}

/** However often nodes are lost, a tick comes to an end. */
const rerunsMax = 10;

function delayOf({ retry }: JobPolicies, { result, attempt }: RunRecord): number {
  if (retry === undefined || result === 'lost') return 0;
  const { backoff, delayMs, delayMsMax, jitter } = retry;
  const wholeMs = Math.min(delayMsMax, delayMs * (backoff === 'fixed' ? 1 : 2 ** (attempt - 1)));
  return jitter ? Math.floor(wholeMs / 2) : wholeMs;
}

function inOrder({ trails }: Evidence, runs: readonly RunRecord[]): RunRecord[] {
  const orderOf = ({ launchId, runId }: RunRecord): number =>
    trails.launches.get(launchId ?? '')?.claim.row.order ?? runId;
  return [...runs].sort((a, b) => orderOf(a) - orderOf(b));
}

/** The audit's time and the rows' are of one clock, read twice. */
const clockErrorMs = 2;
