import type { JobPolicies, Upstream } from '../jobPolicies.ts';

const orderBounds = {
  upstreamsMax: 100,
  tagsMax: 50,
  tagCharactersMax: 64,
} as const;

/** What is wrong with `after` or `tags` of a definition. */
interface OrderFault {
  readonly field: 'after' | 'tags';
  readonly message: string;
}

const ends: readonly Upstream['on'][] = ['success', 'failure', 'end'];

/**
 * Everything that is wrong with the jobs that a job follows, and with its tags, by its definition
 * alone: whether the upstream jobs are there, and go round in no circle, is the database's to say.
 */
export function checkOrder(
  definition: Pick<JobPolicies, 'after' | 'tags'> & { readonly name: string },
): OrderFault[] {
  const { after, tags, name } = definition;
  return [
    ...(after === undefined ? [] : checkUpstreams(after, name)).map((message) => ({
      field: 'after' as const,
      message,
    })),
    ...(tags === undefined ? [] : checkTags(tags)).map((message) => ({
      field: 'tags' as const,
      message,
    })),
  ];
}

function checkUpstreams(after: unknown, name: string): string[] {
  if (!Array.isArray(after) || after.length === 0) return ['names no job'];
  const { upstreamsMax } = orderBounds;
  if (after.length > upstreamsMax) {
    return [`has ${after.length} jobs; ${upstreamsMax} are allowed`];
  }
  const seen = new Set<string>();
  return after.flatMap((upstream: Partial<Upstream> | null) => {
    const { job, on } = upstream ?? {};
    if (typeof job !== 'string' || job === '') return ['a job is missing its name'];
    const shown = JSON.stringify(job);
    if (on === undefined || !ends.includes(on)) {
      return [`${shown} is followed on ${JSON.stringify(on)}; allowed are ${ends.join(', ')}`];
    }
    if (job === name) return [`${shown} would follow itself`];
    // Two edges to one job would start two launches for one end that both are about.
    if (seen.has(job)) return [`${shown} is named twice; "end" stands for success and failure`];
    seen.add(job);
    return [];
  });
}

function checkTags(tags: unknown): string[] {
  if (!Array.isArray(tags) || tags.length === 0) return ['names nothing'];
  const { tagsMax, tagCharactersMax } = orderBounds;
  if (tags.length > tagsMax) return [`has ${tags.length} tags; ${tagsMax} are allowed`];
  if (new Set(tags).size < tags.length) return ['names a tag twice'];
  return tags.flatMap((tag: unknown) => {
    if (typeof tag !== 'string') return ['a tag is no text'];
    const shown = JSON.stringify(tag.slice(0, tagCharactersMax));
    if ([...tag].length > tagCharactersMax) {
      return [`${shown}… is too long; ${tagCharactersMax} characters are allowed`];
    }
    const isWord = /^[\p{L}\p{N}][\p{L}\p{N}._:/=-]*$/u.test(tag);
    return isWord ? [] : [`${shown} is no tag: letters, digits and . _ : / = - are allowed`];
  });
}
