import { accuse, spanText } from '../accuse.ts';
import { type Evidence, policiesOf } from '../evidence.ts';
import type { ProcessRecord, RunRecord } from '../history.ts';
import type { CursorEvidence, JobEvidence } from '../jobEvidence.ts';
import { isTick } from '../launchKinds.ts';
import { findLimit, stretchesOf } from '../runLimits.ts';
import type { Violation } from '../violation.ts';
import { aliveUntil, givesUpOverlap } from './overlaps.ts';

/**
 * C12, the numbers of a job: no more of its launches live at once than may run in parallel (P6),
 * and when its ticks have run, or have failed one after the other, as often as it allows, it is
 * paused there and then, and nothing of its schedule starts (P14).
 */
export function checkLimits(evidence: Evidence): Violation[] {
  return [
    ...evidence.cursors.flatMap((job) => checkParallel(evidence, job)),
    // Of a job that runs on every node, too: its ticks are counted over all of them.
    ...evidence.jobs.flatMap((job) => checkCounts(evidence, job)),
  ];
}

function checkParallel(evidence: Evidence, job: CursorEvidence): Violation[] {
  const ticks = job.processes
    .filter((process) => isOfTick(evidence, process) && !givesUpOverlap(evidence, process))
    .sort((a, b) => a.startedMs - b.startedMs);
  let alive: ProcessRecord[] = [];
  return ticks.flatMap((process) => {
    alive = alive.filter((other) => aliveUntil(other) > process.startedMs);
    alive.push(process);
    // What executes when the job is edited goes on under the number that it was started with.
    const allowed = alive.map(
      ({ launchId, revision }) =>
        policiesOf(job, evidence.trails.launches.get(launchId)?.revision ?? revision).parallel ?? 1,
    );
    const most = Math.max(...allowed);
    if (alive.length <= most) return [];
    const { name } = job.record;
    return [
      accuse(evidence, {
        rule: 'C12',
        promise: 'P6',
        what: `Job ${name}: ${alive.length} launches lived at once, and ${most} may.`,
        atMs: process.startedMs,
        job: name,
        launchId: process.launchId,
        launches: alive.map(({ launchId }) => launchId),
      }),
    ];
  });
}

function isOfTick({ runsByLaunch }: Evidence, { launchId }: ProcessRecord): boolean {
  const [run] = runsByLaunch.get(launchId) ?? [];
  return run === undefined || isTick(run);
}

function checkCounts(evidence: Evidence, job: JobEvidence): Violation[] {
  const { name, revisions } = job.record;
  return stretchesOf(job).flatMap((stretch) => {
    const reached = findLimit(evidence, job, stretch.revisions);
    if (reached === null) return [];
    const say = (what: string, launchId: string | null, atMs: number): Violation =>
      accuse(evidence, { rule: 'C12', promise: 'P14', what, atMs, job: name, launchId });
    const { run, why, idle } = reached;
    const isLast = stretch.revisions.includes(revisions.at(-1)?.revision ?? -1);
    const isRemoved = (revisions.at(-1)?.inForceUntilDatabaseMs ?? null) !== null;
    if (isLast && !isRemoved) {
      const what = `Job ${name}: ${run.launchId} ${why}, and the job was not paused.`;
      return [say(what, run.launchId, idle.latestMs)];
    }
    const own = new Set(stretch.revisions);
    return job.launches
      .filter((launch) => {
        const { start, revision } = launch;
        if (start === null || revision === null || !own.has(revision)) return false;
        return start.row.order > idle.row.order && isTickRun(evidence, launch.launchId);
      })
      .slice(0, 1)
      .map(({ launchId, start }) => {
        const startedMs = start?.earliestMs ?? idle.latestMs;
        const late = spanText(startedMs - idle.earliestMs);
        const what = `Job ${name}: ${run.launchId} ${why}, and ${launchId} started ${late} later.`;
        return say(what, launchId, startedMs);
      });
  });
}

function isTickRun({ runsByLaunch }: Evidence, launchId: string): boolean {
  const run: RunRecord | undefined = runsByLaunch.get(launchId)?.[0];
  return run === undefined || isTick(run);
}
