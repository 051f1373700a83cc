import type { RunShown } from '../store/runs/runRow.ts';
import { isoOf } from './print.ts';

/** A run as `--json` shows it everywhere: instants are ISO in UTC with milliseconds. */
export function runJson(run: RunShown) {
  return {
    job: run.job,
    runId: run.runId,
    nodeName: run.nodeName,
    slotNo: run.slotNo,
    launchId: run.launchId,
    trigger: run.trigger,
    attempt: run.attempt,
    scheduledFor: isoOf(run.scheduledForMs),
    startedAt: isoOf(run.startedMs),
    endedAt: isoOf(run.endedMs),
    result: run.result,
    exitCode: run.exitCode,
    signal: run.signal,
    node: run.node,
    outputBytes: run.outputBytes,
    scheduledUntil: isoOf(run.scheduledUntilMs),
    ticks: run.ticks,
    reason: run.reason,
    isFinal: run.result !== null && run.isFinal,
    requestId: run.requestId,
    revision: run.revision,
  };
}
