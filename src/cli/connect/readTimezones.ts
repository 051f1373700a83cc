import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { InZone } from '../options/readTime.ts';
import { localTimezone } from '../output/formatInstant.ts';

/**
 * Returns the time zone of each job of the names, which its times are shown in; the terminal's for
 * one that has been removed, and for what is about no job.
 */
export async function readTimezones(
  operator: Pick<ApiOperator, 'readDefinitions'>,
  names: Iterable<string | null>,
): Promise<(job: string | null) => string> {
  const jobs = new Set([...names].filter((name) => name !== null));
  const found = await operator.readDefinitions([...jobs]);
  return (job) => found.get(job ?? '')?.definition.timezone ?? localTimezone();
}

/**
 * What a time that was given means in the zone of the job that is named, else of the terminal. The
 * zone is read only where the time needs one, and it is not known.
 */
export async function inZoneOf<Meaning>(
  operator: Pick<ApiOperator, 'readDefinitions'>,
  job: string | undefined,
  time: InZone<Meaning>,
  known?: string,
): Promise<Meaning> {
  if (job === undefined || time.isFixed) return time();
  return time(known ?? (await readTimezones(operator, [job]))(job));
}
