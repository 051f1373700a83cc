import { isDeepStrictEqual } from 'node:util';
import { FieldError } from '../errors/errors.ts';
import { checked, definitionOf } from '../job/edit/buildDefinition.ts';
import { flaggedMessage } from '../job/fieldFault.ts';
import type { JobDefinition } from '../job/jobDefinition.ts';
import { type PauseFields, readPause } from '../job/jobPause.ts';
import type { FileFault } from './parseYaml.ts';
import { type WantedJob, withOrigin } from './planApply.ts';
import { type FileJob, readYamlJobs } from './readYamlJobs.ts';

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

/**
 * Makes a job of its fields, checked as `job add` checks them; but a job that is unchanged is left
 * as it is, though its schedule may have come to its end. A file says all of a job: what it does
 * not say is the default. Where a job was imported from stays.
 */
function wantedJob(
  job: FileJob,
  group: string | null,
  current: JobDefinition | null,
  nowMs: number,
): WantedJob | FileFault {
  const { name, line } = job;
  const named = job.fields.group;
  if (group !== null && typeof named === 'string' && named !== group) {
    const message = `group: it is ${named} here, but ${group} for all of the file`;
    return { line: job.lines.get('group') ?? line, job: name, message };
  }
  const fields = group === null ? job.fields : { ...job.fields, group };
  try {
    const plain = definitionOf(name, fields);
    const hasZone = fields.timezone !== undefined;
    const same = { ...plain, timezone: hasZone ? plain.timezone : (current?.timezone ?? 'UTC') };
    const isSame = current !== null && isDeepStrictEqual(withOrigin(same, current), current);
    const built = isSame
      ? { definition: same, warnings: [] }
      : checked(plain, fields.timezone, nowMs);
    const { definition, warnings } = built;
    const define = (now: JobDefinition | null) => withOrigin(definition, now);
    const { pause, warning } = wantedPause(job.fields, nowMs);
    return {
      ...{ name, line, group: definition.group ?? 'default', define },
      warnings: [...warnings, ...warning],
      ...(pause === undefined ? {} : { pause }),
    };
  } catch (error) {
    return faultOf(job, error as Error);
  }
}

/** A pause that has ended since the file was written no longer counts. */
function wantedPause(fields: PauseFields, nowMs: number) {
  const pause = readPause(fields);
  const untilMs = pause?.untilMs ?? null;
  return untilMs === null || untilMs > nowMs
    ? { pause, warning: [] }
    : { pause: null, warning: [`paused-until: ${fields.pausedUntil} is over: it is not paused`] };
}

/** In the words of the flags, on the line of the field at fault. */
function faultOf({ name, line, lines }: FileJob, error: Error): FileFault {
  const said = error instanceof FieldError ? flaggedMessage(error) : error.message;
  const message = said.replace(/^--/, '').replace(/\.$/, '');
  const flag = /^[a-z-]+/.exec(message)?.[0] ?? '';
  return { line: lines.get(flag) ?? line, job: name, message };
}
