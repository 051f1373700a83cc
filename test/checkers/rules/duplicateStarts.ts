import { accuse, tickText } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import { groupBy } from '../groupBy.ts';
import type { ProcessRecord } from '../history.ts';
import { isTick } from '../launchKinds.ts';
import type { Violation } from '../violation.ts';

/**
 * C3: a (tick, attempt) starts at most once (P5), and so does a launch. A launch that was reset
 * before its child was spawned puts its tick back; that is no start, since starts are told by
 * children here. What a policy starts again is another attempt.
 */
export function checkDuplicateStarts(evidence: Evidence): Violation[] {
  const byTick = groupBy(evidence.history.processes, (process) => keyOf(evidence, process));
  return [...byTick.values()].flatMap((processes) => {
    const [first, second] = [...processes].sort((a, b) => a.startedMs - b.startedMs);
    if (first === undefined || second === undefined) return [];
    const { job, attempt, scheduledForDatabaseMs: tickMs } = first;
    const how =
      first.launchId === second.launchId
        ? `by the one launch ${first.launchId}`
        : `by ${first.launchId} and ${second.launchId}`;
    return [
      accuse(evidence, {
        rule: 'C3',
        promise: 'P5',
        what:
          `Job ${job}: attempt ${attempt} of ${tickText(tickMs)} started ` +
          `${processes.length} times, ${how}.`,
        atMs: second.startedMs,
        job,
        launchId: second.launchId,
        launches: processes.map(({ launchId }) => launchId),
      }),
    ];
  });
}

/** Launches that were asked for in one millisecond are told apart by their request. */
function keyOf(evidence: Evidence, process: ProcessRecord): string {
  const { launchId, attempt, scheduledForDatabaseMs } = process;
  const jobId = evidence.jobOfProcess(process)?.record.jobId ?? process.job;
  const [run] = evidence.runsByLaunch.get(launchId) ?? [];
  const isAsked = run !== undefined && !isTick(run);
  const request = isAsked ? (run.requestId ?? launchId) : 'tick';
  const nodeName = nodeNameOf(evidence, process);
  return `${jobId} ${nodeName} ${scheduledForDatabaseMs} ${attempt} ${request}`;
}

/** The node that its slot is for; '': any. */
function nodeNameOf({ runsByLaunch, slotByLaunch }: Evidence, { launchId }: ProcessRecord): string {
  const [run] = runsByLaunch.get(launchId) ?? [];
  if (run !== undefined) return run.nodeName ?? '';
  return slotByLaunch.get(launchId)?.nodeName ?? '';
}
