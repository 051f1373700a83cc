/** An edge of a chain: whose end starts a job. */
export interface Upstream {
  job: string;
  on: 'success' | 'failure' | 'end';
}

/** The ends that a job can follow, and how they are shown. */
export const upstreamEnds: Readonly<Record<Upstream['on'], string>> = {
  success: 'when it succeeds',
  failure: 'when it fails',
  end: 'when it ends',
};

/**
 * Reads `JOB`, `JOB:success`, `JOB:failure` or `JOB:end`. Names may have colons: one that itself
 * ends in one of these is written with another behind it.
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

/** An edge as people are shown it. */
export function showUpstream({ job, on }: Upstream): string {
  return `${job}, ${upstreamEnds[on]}`;
}
