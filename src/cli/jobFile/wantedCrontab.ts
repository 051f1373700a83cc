import { type CrontabJob, readCrontab } from '../../domain/crontab/readCrontab.ts';
import type { CrontabFormat } from '../../domain/crontab/readJobLine.ts';
import { checkDefinition } from '../../domain/job/checkDefinition.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../domain/job/jobDefinition.ts';
import type { FileFault } from '../../domain/jobFile/fileFault.ts';
import type { WantedJob } from '../../domain/jobFile/wantedJob.ts';
import { checkSchedule } from '../../domain/schedule/read/checkSchedule.ts';

/** How a crontab is read. */
interface CrontabReading {
  readonly format: CrontabFormat;
  /** Of lines without CRON_TZ. */
  readonly timezone: string;
  readonly group: string;
}

/**
 * The jobs of a crontab, or all that is wrong with it. What a crontab cannot say of a job stays as
 * it is set; a schedule among several that it does not name goes.
 */
export function wantedCrontab(
  text: string,
  reading: CrontabReading,
  nowMs: number,
): { readonly jobs: readonly WantedJob[]; readonly faults: readonly FileFault[] } {
  const jobs: WantedJob[] = [];
  const faults: FileFault[] = [];
  for (const { number, reading: line } of readCrontab(text, reading.format)) {
    if (line.kind === 'fault') faults.push({ line: number, job: null, message: line.message });
    if (line.kind !== 'job') continue;
    const wanted = wantedLine(line.job, number, reading, nowMs);
    if ('message' in wanted) faults.push(wanted);
    else jobs.push(wanted);
  }
  return { jobs, faults };
}

/** The job of one line, or what is wrong with it. */
export function wantedLine(
  job: CrontabJob,
  line: number,
  { group, timezone }: Omit<CrontabReading, 'format'>,
  nowMs: number,
): WantedJob | FileFault {
  const { name, schedule } = job;
  const options = { timezone: job.timezone ?? timezone, jobName: name };
  const read = checkSchedule(schedule, options, nowMs);
  if ('error' in read) return { line, job: name, message: read.error };
  const define = (current: JobDefinition | null): JobDefinition => {
    const base: Omit<JobDefinition, 'name' | 'schedule' | 'command'> = current ?? {
      ...jobDefaults,
      env: {},
    };
    const { moreSchedules: _, group: __, ...kept } = base;
    const { command, stdin, env, cwd, user } = job;
    return withLowestFormat({
      ...kept,
      ...{ name, schedule, timezone: read.timezone, command, stdin, env: { ...env }, cwd },
      ...(group === 'default' ? {} : { group }),
      ...(user === null ? {} : { user }),
    });
  };
  const [fault] = checkDefinition(define(null));
  if (fault !== undefined) return { line, job: name, message: `${fault.field} ${fault.message}` };
  return { name, line, group, warnings: read.warnings, define };
}
