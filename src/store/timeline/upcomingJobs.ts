import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { Trigger } from '../../domain/run/run.ts';
import type { TickSource } from '../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import type { Channel } from '../connection/channel.ts';
import { joinedRevision } from '../rows/joinedRevision.ts';
import { each, flag, instantMs, integer, jsonOf, rowOf, text, wordOf } from '../rows/row.ts';
import { readLiveNodes } from '../targeting/readLiveNodes.ts';
import { readRunnable } from '../targeting/unrunnableJobs.ts';
import type { UpcomingSlot } from './upcomingSlots.ts';

/** What there is to know of the job of a slot. */
export interface UpcomingJob {
  readonly name: string;
  readonly group: string;
  readonly timezone: string;
  readonly isPaused: boolean;
  readonly isObserved: boolean;
  readonly isRunnable: boolean;
  readonly overlap: JobDefinition['overlap'];
  readonly ticks: TickSource;
  /** The launches that are requested until the end of the time. */
  readonly pending: {
    readonly launches: number;
    readonly firstMs: number | null;
    readonly lastMs: number | null;
    readonly trigger: Trigger;
  };
}

/** Reads the jobs of the slots; null: the job of a slot is removed. */
export async function readUpcomingJobs(
  channel: Channel,
  slots: readonly UpcomingSlot[],
  untilMs: number,
): Promise<(slot: UpcomingSlot) => UpcomingJob | null> {
  if (slots.length === 0) return () => null;
  const jobIds = [...new Set(slots.map(({ jobId }) => jobId))];
  const rows = await channel.rows(scheduledJob, selectJobs, [jobIds]);
  const jobs = new Map(rows.map((row) => [row.jobId, row]));
  const targetIds = [...new Set(slots.map(({ targetId }) => targetId))];
  const isRunnable = await readRunnable(channel, targetIds);
  const live = new Set((await readLiveNodes(channel)).nodes.map(({ nodeName }) => nodeName));
  const pendingOf = await readPending(channel, jobIds, untilMs);
  return ({ jobId, nodeName, targetId }) => {
    const row = jobs.get(jobId);
    if (row === undefined) return null;
    const { name, isPaused, definition, inForceFromMs } = row;
    const { group = 'default', kind, observed, overlap, timezone } = definition;
    const isPlaced = isRunnable({ targetId, isEveryNode: kind === 'every-node' });
    return {
      ...{ name, group, timezone, isPaused, isObserved: observed === true, overlap },
      isRunnable: isPlaced && (nodeName === '' || live.has(nodeName)),
      ticks: ticksOfRevision(definition, inForceFromMs),
      pending: pendingOf(jobId, nodeName),
    };
  };
}

/** Requested launches of each slot. Of very many the first are counted. */
async function readPending(channel: Channel, jobIds: readonly number[], untilMs: number) {
  const parameters = [jobIds, new Date(untilMs), pendingMax];
  const rows = await channel.rows(pendingOfSlot, selectPending, parameters);
  return (jobId: number, nodeName: string): UpcomingJob['pending'] => {
    const own = rows.filter((row) => row.jobId === jobId && row.nodeName === nodeName);
    const [first] = [...own].sort((a, b) => a.firstMs - b.firstMs);
    return {
      launches: own.reduce((sum, { launches }) => sum + launches, 0),
      firstMs: first?.firstMs ?? null,
      lastMs: own.reduce<number | null>((last, row) => Math.max(last ?? 0, row.lastMs), null),
      trigger: first?.trigger ?? 'manual',
    };
  };
}

const pendingMax = 5_000;

const scheduledJob = rowOf({
  jobId: integer,
  name: text,
  isPaused: flag,
  inForceFromMs: instantMs,
  definition: jsonOf<JobDefinition>(),
});
/** Without what may be long, and secret. */
const selectJobs = `/* readUpcoming jobs */ SELECT job.job_id, job.name, job.paused AS is_paused,
    job_revision.in_force_from, CAST(JSON_REMOVE(job_revision.definition, '$.command', '$.env',
      '$.secretEnv', '$.stdin', '$.description') AS CHAR) AS definition
  FROM ${joinedRevision} WHERE job.job_id IN (?) AND job.removed_no = 0`;
const pendingOfSlot = rowOf({
  ...each(integer, 'jobId', 'launches'),
  nodeName: text,
  trigger: wordOf<Trigger>(),
  ...each(instantMs, 'firstMs', 'lastMs'),
});
const selectPending = `/* readUpcoming pending */ SELECT job_id, node_name,
    triggered_by AS 'trigger', COUNT(*) AS launches, MIN(not_before) AS 'first',
    MAX(not_before) AS 'last'
  FROM (/* pending */ SELECT job_id, node_name, triggered_by, not_before FROM pending
    WHERE job_id IN (?) AND not_before <= ? LIMIT ?) AS requested
  GROUP BY job_id, node_name, triggered_by`;
