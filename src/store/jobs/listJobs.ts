import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { RunResult } from '../../domain/run.ts';
import type { Channel, Row } from '../channel.ts';

/** A job as a list shows it. */
export interface JobListed {
  readonly jobId: number;
  readonly name: string;
  readonly isPaused: boolean;
  readonly revision: number;
  readonly definition: JobDefinition;
  /** When it is due next, epoch milliseconds, or null. */
  readonly nextRunMs: number | null;
  /** How many of its slots are claimed or executing. */
  readonly prepared: number;
  readonly executing: number;
  readonly last: { readonly result: RunResult; readonly endedMs: number } | null;
}

/** Which jobs a list shows: those that meet every condition that is given. */
export interface JobFilter {
  /** Their name has this in it. */
  readonly text?: string;
  /** They belong to this namespace; `default`: to none other. */
  readonly group?: string;
  /** They have every one of these tags. */
  readonly tags?: readonly string[];
  readonly jobsMax: number;
}

/**
 * Jobs by name, those after the given one, whose name has `text` in it; read page by page, so that
 * a list of any length needs no more memory than a page.
 */
export async function* listJobs(channel: Channel, options: JobFilter): AsyncGenerator<JobListed> {
  const { where, parameters } = conditionsOf(options);
  const sql = `${selectJobs} ${where.join(' ')} ORDER BY job.name LIMIT ?`;
  const pattern = `%${(options.text ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  let after = '';
  let left = options.jobsMax;
  while (left > 0) {
    const rowsMax = Math.min(left, pageMax);
    const rows = await channel.query<Row[]>(sql, [after, pattern, ...parameters, rowsMax]);
    yield* rows.map(jobOf);
    left -= rows.length;
    if (rows.length < pageMax) return;
    after = rows.at(-1)?.name as string;
  }
}

/** A million jobs fit in no packet: a definition may have a command of a megabyte. */
const pageMax = 200;

/** Group and tags are read out of the definitions, and only when they are asked for. */
function conditionsOf({ group, tags = [] }: JobFilter) {
  const where: string[] = tags.map(() => hasTag);
  const parameters: string[] = tags.map((tag) => JSON.stringify(tag));
  if (group === 'default') where.push(hasNoGroup);
  else if (group !== undefined) {
    where.push(hasGroup);
    parameters.push(JSON.stringify(group));
  }
  return { where, parameters };
}

function jobOf(row: Row): JobListed {
  return {
    jobId: row.job_id as number,
    name: row.name as string,
    isPaused: row.paused === 1,
    revision: row.revision as number,
    definition: JSON.parse(row.definition as string) as JobDefinition,
    nextRunMs: (row.next_run_at as Date | null)?.getTime() ?? null,
    prepared: Number(row.prepared ?? 0),
    executing: Number(row.executing ?? 0),
    last:
      row.last_result === null
        ? null
        : {
            result: row.last_result as RunResult,
            endedMs: (row.last_ended_at as Date).getTime(),
          },
  };
}

const hasTag = "AND JSON_CONTAINS(job_revision.definition, ?, '$.tags')";
const hasGroup = "AND JSON_CONTAINS(job_revision.definition, ?, '$.group')";
const hasNoGroup = "AND JSON_EXTRACT(job_revision.definition, '$.group') IS NULL";
const lastRun = `FROM run WHERE run.job_id = job.job_id AND run.result NOT IN ('skipped', 'missed')
      ORDER BY run.ended_at DESC, run.run_id DESC LIMIT 1`;
const selectJobs = `/* listJobs */ SELECT job.job_id, job.name, job.paused, job.revision,
    job_revision.definition,
    (SELECT MIN(IF(state = 'idle', next_run_at, scheduled_for)) FROM slot
      WHERE slot.job_id = job.job_id AND state <> 'executing') AS next_run_at,
    (SELECT SUM(state = 'prepare') FROM slot WHERE slot.job_id = job.job_id) AS prepared,
    (SELECT SUM(state = 'executing') FROM slot WHERE slot.job_id = job.job_id) AS executing,
    (SELECT run.result ${lastRun}) AS last_result,
    (SELECT run.ended_at ${lastRun}) AS last_ended_at
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.removed_no = 0 AND job.name > ? AND job.name LIKE ?`;
