import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { InZone } from '../options/readTime.ts';
import { localTimezone } from '../output/formatInstant.ts';

/**
 * Returns the time zone of each job of the names, which its times are shown in; the terminal's for
 * one that has been removed, and for what is about no job.
 */
export async function readTimezones(
  operator: ApiOperator,
  names: Iterable<string | null>,
): Promise<(job: string | null) => string> {
  const jobs = new Set([...names].filter((name) => name !== null));
  const found = await operator.readDefinitions([...jobs]);
  return (job) => found.get(job ?? '')?.definition.timezone ?? localTimezone();
}

/** What a time that was given means in the zone of the job that is named, else of the terminal. */
export async function inZoneOf<Meaning>(
  operator: ApiOperator,
  job: string | undefined,
  time: InZone<Meaning> | undefined,
): Promise<Meaning | undefined> {
  if (time === undefined || job === undefined) return time?.();
  return time((await readTimezones(operator, [job]))(job));
}
