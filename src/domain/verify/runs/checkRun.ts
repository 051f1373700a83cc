import { splayOf } from '../../policies/startAt.ts';
import { type FindingLog, instantText } from '../rules/finding.ts';
import {
  isTickLaunch,
  type JobRecord,
  type RevisionRecord,
  type RunRecord,
  runLabel,
  type SessionRecord,
} from '../rules/records.ts';
import type { VerifyScope } from '../rules/verifyScope.ts';
import { earlyText } from './checkSlot.ts';

/** Everything about one run row that it, its revision and its session tell; not its ticks. */
export function checkRun(
  job: JobRecord,
  run: RunRecord,
  revision: RevisionRecord | undefined,
  session: SessionRecord | null,
  scope: VerifyScope,
  log: FindingLog,
): void {
  const { launchId, startedMs, scheduledForMs } = run;
  const details = { tickMs: scheduledForMs, launchId };
  const fault = shapeFault(run);
  if (fault !== null) {
    log.add('run_malformed', job.name, `${runLabel(run)} ${fault}`, details);
  }
  if (startedMs !== null && startedMs < scheduledForMs) {
    log.add('run_early', job.name, earlyText(runLabel(run), startedMs, scheduledForMs), details);
  }
  if (startedMs !== null && run.endedMs < startedMs) {
    const back = startedMs - run.endedMs;
    log.add(
      'run_backwards',
      job.name,
      `${runLabel(run)} ended ${back} ms before it began`,
      details,
    );
  }
  if (revision === undefined) {
    const message = `${runLabel(run)} is of revision ${run.revision}, which is not there`;
    log.add('run_of_no_revision', job.name, message, details);
  } else if (startedMs !== null) {
    checkRevision(job, run, startedMs, revision, scope, log);
    checkTerms(job, run, startedMs, revision, log);
  }
  if (unstartedResults.has(run.result) && (run.reason ?? '') === '') {
    const message = `${runLabel(run)} is ${run.result}, and says no reason`;
    log.add('run_without_reason', job.name, message, details);
  }
  if (launchId !== null) checkSession(job, run, session, scope, log);
}

/** What in the row contradicts itself, or null. Results of later versions are let through. */
function shapeFault(run: RunRecord): string | null {
  const { result, startedMs, launchId, scheduledForMs, scheduledUntilMs, ticks } = run;
  if (startedMs === null && startedResults.has(result)) return `is ${result}, and never started`;
  if (startedMs !== null && unstartedResults.has(result)) return `is ${result}, and has a start`;
  if (startedMs !== null && launchId === null) return 'has a start, and no launch';
  if (scheduledUntilMs === null) return ticks === 1 ? null : `counts ${ticks} ticks for one`;
  if (launchId !== null) return 'has a launch, and tells of a range of ticks';
  return scheduledUntilMs < scheduledForMs ? 'tells of a range that ends before it begins' : null;
}

const startedResults = new Set(['succeeded', 'failed', 'timed_out', 'lost', 'not_started']);
const unstartedResults = new Set(['skipped', 'missed']);

/**
 * A start and a change of the job exclude each other, so that no revision starts after its end. In
 * the very millisecond of the change both may have happened.
 */
function checkRevision(
  job: JobRecord,
  run: RunRecord,
  startedMs: number,
  revision: RevisionRecord,
  scope: VerifyScope,
  log: FindingLog,
): void {
  const { launchId, scheduledForMs } = run;
  const details = { tickMs: scheduledForMs, launchId };
  const at = instantText(startedMs);
  const started = `${runLabel(run)} started ${at} with revision ${run.revision}`;
  const { untilMs, fromMs } = revision;
  const isTick = isTickLaunch(run);
  // Another attempt that an operator asks for may start in a pause; others end with its beginning.
  if (isTick && revision.isPaused && run.trigger !== 'retry') {
    log.add('run_in_pause', job.name, `${started}, which is a pause`, details);
  } else if (untilMs !== null && startedMs > untilMs + scope.clockSlackMs) {
    const message = `${started}, which ended ${instantText(untilMs)}`;
    log.add('run_after_revision', job.name, message, details);
  } else if (isTick && startedMs < fromMs - scope.clockSlackMs) {
    // A run that an operator asked for may: an edit can be put off past ticks dealt with ahead.
    const message = `${started}, which began ${instantText(fromMs)}`;
    log.add('run_before_revision', job.name, message, details);
  }
}

/** What its revision allows a launch of a tick: when, and in which slot. */
function checkTerms(
  job: JobRecord,
  run: RunRecord,
  startedMs: number,
  { definition }: RevisionRecord,
  log: FindingLog,
): void {
  if (definition === null || !isTickLaunch(run)) return;
  const { launchId, scheduledForMs, slotNo, trigger, result } = run;
  const details = { tickMs: scheduledForMs, launchId };
  const { startDeadlineMs = Number.POSITIVE_INFINITY, parallel = 1 } = definition;
  const lateMs = startedMs - scheduledForMs;
  // A further attempt has a time of its own, and what was never spawned has not started.
  if (lateMs > startDeadlineMs && trigger !== 'retry' && result !== 'not_started') {
    const message = `${runLabel(run)} started ${lateMs} ms after its tick, and was given up at`;
    log.add('run_too_late', job.name, `${message} ${startDeadlineMs} ms`, details);
  }
  const splayMs = splayOf(definition, scheduledForMs);
  const comesAtOnce = trigger === 'schedule' || trigger === 'misfire';
  if (comesAtOnce && lateMs >= 0 && lateMs < splayMs) {
    const message = `${runLabel(run)} started ${lateMs} ms after its tick, which is splayed by`;
    log.add('run_early', job.name, `${message} ${splayMs} ms`, details);
  }
  if (slotNo >= parallel) {
    const message = `${runLabel(run)} ran in slot ${slotNo + 1} of ${parallel} that its job has`;
    log.add('run_beyond_parallel', job.name, message, details);
  }
}

function checkSession(
  job: JobRecord,
  run: RunRecord,
  session: SessionRecord | null,
  scope: VerifyScope,
  log: FindingLog,
): void {
  const { launchId, sessionId, startedMs, result } = run;
  const details = { tickMs: run.scheduledForMs, launchId };
  if (session === null) {
    const which = sessionId === null ? 'names no session' : `is of session ${sessionId}, unknown`;
    log.add('run_without_session', job.name, `${runLabel(run)} ${which}`, details);
    return;
  }
  if (!launchId?.startsWith(`${session.sessionId}:`)) {
    const message = `${runLabel(run)} stands with session ${session.sessionId}`;
    log.add('launch_foreign', job.name, message, details);
  }
  if (startedMs === null) return;
  const isLost = result === 'lost';
  if (isLost && session.isLive) {
    const message = `${runLabel(run)} was written off as lost, and ${session.nodeName} is live`;
    log.add('run_lost_alive', job.name, message, details);
  }
  // A start that was under way while the session ended may be committed; it is never acknowledged
  // in time, so that nothing is spawned and its row says so.
  const mayBeLate = isLost || result === 'not_started';
  const { endedMs } = session;
  if (!mayBeLate && endedMs !== null && startedMs > endedMs + scope.clockSlackMs) {
    const message =
      `${runLabel(run)} started ${instantText(startedMs)}, ` +
      `after its session ended ${instantText(endedMs)}`;
    log.add('run_after_session', job.name, message, details);
  }
}
