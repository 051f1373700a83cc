import { isDeepStrictEqual } from 'node:util';
import { FieldError } from '../errors/errors.ts';
import {
  checked,
  definitionOf,
  requireReadable,
  withInstants,
} from '../job/edit/buildDefinition.ts';
import { type PauseFields, readPause } from '../job/edit/jobPause.ts';
import { flaggedMessages } from '../job/fieldFault.ts';
import type { JobDefinition } from '../job/jobDefinition.ts';
import { type FileFault, faultsMax } from './parseYaml.ts';
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
  const faults = isOther ? [...read.faults, { line: 1, job: null, message }] : read.faults;
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
    faults: faults.length === 0 ? [] : withFurther(read.jobs, faults).slice(0, faultsMax),
    *make(current) {
      for (const job of read.jobs) {
        yield* wantedJob(job, group, current.get(job.name) ?? null, nowMs);
      }
    },
  };
}

/**
 * The faults, and what else is wrong with the jobs: something stands in for what is missing, since
 * that may be what could not be read. Of a field that has a fault no other is told.
 */
function withFurther(jobs: readonly FileJob[], faults: readonly FileFault[]): FileFault[] {
  const known = new Set(faults.map(placeOf));
  const further = jobs.flatMap((job) => {
    const fields = { cron: ['@hourly'], command: 'true', ...job.fields };
    const checks = [
      () => requireReadable(definitionOf(job.name, fields), fields.timezone),
      () => readPause(fields, 'UTC'),
    ];
    return checks.flatMap((check) => {
      try {
        check();
        return [];
      } catch (error) {
        return faultsOf(job, error as Error);
      }
    });
  });
  return [...faults, ...further.filter((fault) => !known.has(placeOf(fault)))];
}

const placeOf = ({ job, line, message }: FileFault) => `${line} ${job} ${flagIn(message)}`;

/**
 * Makes a job of its fields, checked as `job add` checks them; but a job that is unchanged is left
 * as it is, though its schedule may have come to its end. A file says all of a job: what it does
 * not say is the default. Where a job was imported from stays.
 * @returns the job, or everything that is wrong with it
 */
function wantedJob(
  job: FileJob,
  group: string | null,
  current: JobDefinition | null,
  nowMs: number,
): [WantedJob] | FileFault[] {
  const { name, line } = job;
  const named = job.fields.group;
  if (group !== null && typeof named === 'string' && named !== group) {
    const message = `group: it is ${named} here, but ${group} for all of the file`;
    return withFurther([job], [{ line: job.lines.get('group') ?? line, job: name, message }]);
  }
  const fields = group === null ? job.fields : { ...job.fields, group };
  try {
    const plain = definitionOf(name, fields);
    const hasZone = fields.timezone !== undefined;
    const timezone = hasZone ? plain.timezone : (current?.timezone ?? 'UTC');
    const same = withInstants({ ...plain, timezone });
    const isSame = current !== null && isDeepStrictEqual(withOrigin(same, current), current);
    const built = isSame
      ? { definition: same, warnings: [] }
      : checked(plain, fields.timezone, nowMs);
    const { definition, warnings } = built;
    const define = (now: JobDefinition | null) => withOrigin(definition, now);
    const { pause, warning } = wantedPause(job.fields, definition.timezone, nowMs);
    const made = { name, line, group: definition.group ?? 'default', define };
    const all = [...warnings, ...warning];
    return [{ ...made, warnings: all, ...(pause === undefined ? {} : { pause }) }];
  } catch (error) {
    return withFurther([job], faultsOf(job, error as Error));
  }
}

/** A pause that has ended since the file was written no longer counts. */
function wantedPause(fields: PauseFields, timezone: string, nowMs: number) {
  const pause = readPause(fields, timezone);
  const untilMs = pause?.untilMs ?? null;
  return untilMs === null || untilMs > nowMs
    ? { pause, warning: [] }
    : { pause: null, warning: [`paused-until: ${fields.pausedUntil} is over: it is not paused`] };
}

/** In the words of the flags, each on the line of the field at fault. */
function faultsOf({ name, line, lines }: FileJob, error: Error): FileFault[] {
  const said = error instanceof FieldError ? flaggedMessages(error) : [error.message];
  return said.map((text) => {
    const message = text.replace(/^--/, '').replace(/\.$/, '');
    return { line: lines.get(flagIn(message)) ?? line, job: name, message };
  });
}

/** The flag of the field that it is about. */
function flagIn(message: string): string {
  return /^[a-z-]+/.exec(message)?.[0] ?? '';
}
