import { jobFields } from './fields.ts';
import type { BaseFields, JobPolicies } from './jobPolicies.ts';

/**
 * What a job is: every edit of it makes a new revision. Plain JSON, stored as such. Its fields are
 * described in the table of job fields.
 */
export interface JobDefinition extends BaseFields, JobPolicies {
  name: string;
  /** The least format that can express it, see `definitionFormat`; absent: 1. */
  format?: number;
  /** Where an imported job came from, e.g. `web1:/etc/crontab`; absent when it was made by hand. */
  origin?: string;
}

/** The largest number of a revision that another one can follow: its column is an INT UNSIGNED. */
export const revisionMax = 2 ** 32 - 2;

const defaults = jobFields.filter((field) => field.format === 1 && 'default' in field);

/** What a definition says that its maker does not. */
export const jobDefaults = Object.fromEntries(
  defaults.map((field) => [field.stored, field.default]),
) as Readonly<Omit<BaseFields, 'schedule' | 'command'>>;
