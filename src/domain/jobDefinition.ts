/** What a job is: every edit of it makes a new revision. Plain JSON, stored as such. */
export interface JobDefinition {
  name: string;
  /** The schedule's text as the operator wrote it. */
  schedule: string;
  /** IANA zone that the schedule is computed in. */
  timezone: string;
  command: string;
  env: Record<string, string>;
  cwd: string | null;
  /** Text for standard input; null: closed. */
  stdin: string | null;
  timeoutMs: number | null;
  graceMs: number;
  outputBytesMax: number;
  leftovers: 'kill' | 'wait' | 'leave';
}

export const jobDefaults = {
  timezone: 'UTC',
  env: {},
  cwd: null,
  stdin: null,
  timeoutMs: null,
  graceMs: 5_000,
  outputBytesMax: 64 * 1024,
  leftovers: 'kill',
} as const satisfies Partial<JobDefinition>;
