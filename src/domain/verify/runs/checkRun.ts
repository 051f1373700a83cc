import { splayOf } from '../../policies/startAt.ts';
import { isTickLaunch } from '../../run/run.ts';
import { instantText } from '../rules/finding.ts';
import type { JobCheck } from '../rules/jobCheck.ts';
import {
  type RevisionRecord,
  type RunRecord,
  runLabel,
  type SessionRecord,
} from '../rules/records.ts';
import type { RuleCode } from '../rules/verifyRules.ts';
import { earlyText } from './checkSlot.ts';

/** A run row, and where what is wrong with it goes: `text` follows the row's label. */
interface Checked {
  readonly run: RunRecord;
  readonly clockSlackMs: number;
  readonly report: (code: RuleCode, text: string) => void;
}

/** Everything about one run row that it, its revision and its session show; not its ticks. */
export function checkRun(
  check: JobCheck,
  run: RunRecord,
  revision: RevisionRecord | undefined,
  session: SessionRecord | null,
): void {
  const { launchId, startedMs, scheduledForMs, endedMs, result } = run;
  const report = (code: RuleCode, text: string) =>
    check.reportLaunch(code, `${runLabel(run)} ${text}`, run);
  const checked: Checked = { run, clockSlackMs: check.scope.clockSlackMs, report };
  const fault = shapeFault(run);
  if (fault !== null) report('run_malformed', fault);
  if (startedMs !== null && startedMs < scheduledForMs) {
    report('run_early', earlyText(startedMs, scheduledForMs));
  }
  if (startedMs !== null && endedMs < startedMs) {
    report('run_backwards', `ended ${startedMs - endedMs} ms before it began`);
  }
  if (revision === undefined) {
    report('run_of_no_revision', `is of revision ${run.revision}, which is not there`);
  } else if (startedMs !== null) {
    checkRevision(checked, startedMs, revision);
    checkTerms(checked, startedMs, revision);
  }
  if (unstartedResults.has(result) && (run.reason ?? '') === '') {
    report('run_without_reason', `is ${result}, and says no reason`);
  }
  if (launchId !== null) checkSession(checked, session);
}

/** What in the row contradicts itself, or null. Results of later versions are let through. */
function shapeFault(run: RunRecord): string | null {
  const { result, startedMs, launchId, scheduledForMs, scheduledUntilMs, ticks } = run;
  if (startedMs === null && startedResults.has(result)) return `is ${result}, and never started`;
  if (startedMs !== null && unstartedResults.has(result)) return `is ${result}, and has a start`;
  if (startedMs !== null && launchId === null) return 'has a start, and no launch';
  if (scheduledUntilMs === null) return ticks === 1 ? null : `counts ${ticks} ticks for one`;
  if (launchId !== null) return 'has a launch, and covers a range of ticks';
  return scheduledUntilMs < scheduledForMs ? 'covers a range that ends before it begins' : null;
}

const startedResults = new Set(['succeeded', 'failed', 'timed_out', 'lost', 'not_started']);
const unstartedResults = new Set(['skipped', 'missed']);

/**
 * A start and a change of the job exclude each other, so that no revision starts after its end. In
 * the very millisecond of the change both may have happened.
 */
function checkRevision(
  { run, clockSlackMs, report }: Checked,
  startedMs: number,
  { untilMs, fromMs, isPaused, definition }: RevisionRecord,
): void {
  const started = `started ${instantText(startedMs)} with revision ${run.revision}`;
  const isTick = isTickLaunch(run);
  // Another attempt that an operator requests may start in a pause; others end with its beginning.
  const isObserved = definition?.observed === true;
  if (isTick && (isPaused || isObserved) && run.trigger !== 'retry') {
    report('run_in_pause', `${started}, which is ${isPaused ? 'a pause' : 'observed'}`);
  } else if (untilMs !== null && startedMs > untilMs + clockSlackMs) {
    report('run_after_revision', `${started}, which ended ${instantText(untilMs)}`);
  } else if (isTick && startedMs < fromMs - clockSlackMs) {
    // A run that an operator requested may: an edit can be put off past ticks dealt with ahead.
    report('run_before_revision', `${started}, which began ${instantText(fromMs)}`);
  }
}

/** What its revision allows a launch of a tick: when, and in which slot. */
function checkTerms(
  { run, report }: Checked,
  startedMs: number,
  { definition }: RevisionRecord,
): void {
  if (definition === null || !isTickLaunch(run)) return;
  const { scheduledForMs, slotNo, trigger, result } = run;
  const { startDeadlineMs = Infinity, parallel = 1 } = definition;
  const lateMs = startedMs - scheduledForMs;
  const started = `started ${lateMs} ms after its tick`;
  // A further attempt has a time of its own, and what was never spawned has not started.
  if (lateMs > startDeadlineMs && trigger !== 'retry' && result !== 'not_started') {
    report('run_too_late', `${started}, and was given up at ${startDeadlineMs} ms`);
  }
  const splayMs = splayOf(definition, scheduledForMs);
  const comesAtOnce = trigger === 'schedule' || trigger === 'misfire';
  if (comesAtOnce && lateMs >= 0 && lateMs < splayMs) {
    report('run_early', `${started}, which is splayed by ${splayMs} ms`);
  }
  if (slotNo >= parallel) {
    report('run_beyond_parallel', `ran in slot ${slotNo + 1} of ${parallel} that its job has`);
  }
}

function checkSession({ run, clockSlackMs, report }: Checked, session: SessionRecord | null): void {
  const { launchId, sessionId, startedMs, result } = run;
  if (session === null) {
    const which = sessionId === null ? 'names no session' : `is of session ${sessionId}, unknown`;
    report('run_without_session', which);
    return;
  }
  const { endedMs, isLive, nodeName } = session;
  if (!launchId?.startsWith(`${session.sessionId}:`)) {
    report('launch_foreign', `stands with session ${session.sessionId}`);
  }
  if (startedMs === null) return;
  const isLost = result === 'lost';
  if (isLost && isLive) {
    report('run_lost_alive', `was written off as lost, and ${nodeName} is live`);
  }
  // A start that was under way while the session ended may be committed; it is never acknowledged
  // in time, so that nothing is spawned and its row says so.
  const mayBeLate = isLost || result === 'not_started';
  if (!mayBeLate && endedMs !== null && startedMs > endedMs + clockSlackMs) {
    const started = `started ${instantText(startedMs)}`;
    report('run_after_session', `${started}, after its session ended ${instantText(endedMs)}`);
  }
}
