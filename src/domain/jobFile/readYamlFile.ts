import type { JobDefinition } from '../job/jobDefinition.ts';
import type { FileFault } from './parseYaml.ts';
import { readYamlJobs } from './readYamlJobs.ts';
import { type WantedJob, wantedJob } from './wantedJob.ts';

/** A file of jobs that has been read but not been compared with anything. */
export interface JobFile {
  readonly format: 'yaml' | 'crontab';
  /** Names that have to be looked up before the jobs can be made. */
  readonly names: readonly string[];
  /** The one group that the file is about; null: the groups of its jobs. */
  readonly group: string | null;
  readonly faults: readonly FileFault[];
  /** The jobs, given the definitions in force of those that there are; each is made as it comes. */
  readonly make: (current: ReadonlyMap<string, JobDefinition>) => Iterable<WantedJob | FileFault>;
}

/** The same with where its jobs stand, and in which groups they are to be. */
export interface YamlFile extends JobFile {
  readonly jobs: readonly {
    readonly name: string;
    readonly line: number;
    readonly group: string;
  }[];
}

/** Reads a file of jobs in YAML, which JSON is too; `group`: the one that it shall be about. */
export function readYamlFile(text: string, options: { group?: string }, nowMs: number): YamlFile {
  const read = readYamlJobs(text);
  const group = options.group ?? read.group;
  const isOther = read.group !== null && read.group !== group;
  const message = `group: the file is about ${read.group}, not about ${group}`;
  return {
    format: 'yaml',
    names: read.jobs.flatMap(({ name, fields }) => [
      name,
      ...(fields.after || []).flatMap((text) => [text, text.replace(/:[a-z]+$/, '')]),
    ]),
    group,
    jobs: read.jobs.map(({ name, line, fields }) => {
      return { name, line, group: group ?? (fields.group || 'default') };
    }),
    faults: isOther ? [...read.faults, { line: 1, job: null, message }] : read.faults,
    *make(current) {
      for (const job of read.jobs) {
        yield wantedJob(job, group, current.get(job.name) ?? null, nowMs);
      }
    },
  };
}
