import type { ApiOperator } from '../../http/views/apiOperator.ts';
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
