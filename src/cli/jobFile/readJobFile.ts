import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { chooseFormat } from '../importAction.ts';
import type { FileFault } from './fileFault.ts';
import { readYamlJobs } from './readYamlJobs.ts';
import { wantedCrontab } from './wantedCrontab.ts';
import { type WantedJob, wantedJob } from './wantedJob.ts';

/** How `apply` reads its file. */
export interface FileOptions {
  readonly group?: string;
  readonly format?: 'yaml' | 'crontab';
  readonly system?: boolean;
  readonly timezone?: string;
}

/** A file of jobs that has been read but not been compared with anything. */
export interface JobFile {
  readonly format: 'yaml' | 'crontab';
  /** Names that have to be looked up before the jobs can be made. */
  readonly names: readonly string[];
  /** The one group that the file is about; null: the groups of its jobs. */
  readonly group: string | null;
  readonly faults: readonly FileFault[];
  /** The jobs, given the definitions in force of those that there are. */
  readonly make: (current: ReadonlyMap<string, JobDefinition>) => (WantedJob | FileFault)[];
}

/** Reads the text of a file as YAML or as a crontab, as asked for or as it looks. */
export function readJobFile(
  file: string,
  text: string,
  options: FileOptions,
  nowMs: number,
): JobFile {
  const format = options.format ?? (looksLikeYaml(file, text) ? 'yaml' : 'crontab');
  return format === 'yaml'
    ? readYaml(text, options, nowMs)
    : readCrontabFile(file, text, options, nowMs);
}

function looksLikeYaml(file: string, text: string): boolean {
  return /\.ya?ml$/i.test(file) || /^(jobs|group)[ \t]*:/m.test(text) || /^---\s*$/m.test(text);
}

function readYaml(text: string, options: FileOptions, nowMs: number): JobFile {
  const read = readYamlJobs(text);
  const group = options.group ?? read.group;
  const isOther = read.group !== null && read.group !== group;
  const message = `group: the file is about ${read.group}, not about ${group}`;
  return {
    format: 'yaml',
    names: read.jobs.flatMap(({ name, words }) => [
      name,
      ...(words.after || []).flatMap((text) => [text, text.replace(/:[a-z]+$/, '')]),
    ]),
    group,
    faults: isOther ? [...read.faults, { line: 1, job: null, message }] : read.faults,
    make: (current) =>
      read.jobs.map((job) => wantedJob(job, group, current.get(job.name) ?? null, nowMs)),
  };
}

function readCrontabFile(file: string, text: string, options: FileOptions, nowMs: number): JobFile {
  const { format } = chooseFormat(file, text, options);
  const timezone = options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const group = options.group ?? 'default';
  const { jobs, faults } = wantedCrontab(text, { format, timezone, group }, nowMs);
  const names = jobs.map(({ name }) => name);
  return { format: 'crontab', names, group, faults, make: () => [...jobs] };
}
