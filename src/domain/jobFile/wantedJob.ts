import { isDeepStrictEqual } from 'node:util';
import { checked, definitionOf } from '../job/edit/buildDefinition.ts';
import type { JobDefinition } from '../job/jobDefinition.ts';
import { type JobPause, type PauseFields, readPause } from '../job/jobPause.ts';
import type { FileFault } from './parseYaml.ts';
import type { FileJob } from './readYamlJobs.ts';

/** What a file wants a job to be. */
export interface WantedJob {
  readonly name: string;
  readonly line: number;
  /** The namespace that it belongs to. */
  readonly group: string;
  readonly warnings: readonly string[];
  /** What becomes of the definition in force; null: there is no such job yet. */
  readonly define: (current: JobDefinition | null) => JobDefinition;
  /** Null: it is not to be paused; absent: a new job is not, another stays as it is. */
  readonly pause?: JobPause | null;
}

/**
 * Makes a job of its fields, checked as `job add` checks them; but a job that is unchanged is left
 * as it is, though its schedule may have come to its end. A file says all of a job: what it does
 * not say is the default. Where a job was imported from stays.
 */
export function wantedJob(
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

/** Where a job was imported from is no field of its file, and stays. */
export function withOrigin(
  definition: JobDefinition,
  current: JobDefinition | null,
): JobDefinition {
  const { origin } = current ?? {};
  return origin === undefined ? definition : { ...definition, origin };
}

/** The message of the flags, on the line of the field at fault. */
function faultOf({ name, line, lines }: FileJob, error: Error): FileFault {
  const message = error.message.replace(/^--/, '').replace(/\.$/, '');
  const flag = /^[a-z-]+/.exec(message)?.[0] ?? '';
  return { line: lines.get(flag) ?? line, job: name, message };
}
