import type { Upstream } from '../jobPolicies.ts';

/**
 * Reads `JOB`, `JOB:success`, `JOB:failure` or `JOB:end`. Names may have colons: one that itself
 * ends in one of the words is written with the word behind it.
 */
export function readUpstream(text: string): Upstream {
  const match = /^([\s\S]*):(success|failure|end)$/.exec(text);
  if (match === null) return { job: text, on: 'success' };
  return { job: match[1] ?? '', on: match[2] as Upstream['on'] };
}

/** Writes an edge the way that `readUpstream` reads it. */
export function upstreamText({ job, on }: Upstream): string {
  return `${job}:${on}`;
}
