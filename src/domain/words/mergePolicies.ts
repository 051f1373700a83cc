import type { JobPolicies, RetryPolicy, Target } from '../jobPolicies.ts';
import type { JobWords } from './jobWords.ts';
import { mergeNotify } from './mergeNotify.ts';
import { readUpstream } from './upstreamText.ts';
import { wordFault } from './wordFault.ts';

/**
 * The policies of a definition with the words' changes. A word that is not given changes nothing; a
 * list that is given replaces the one before; `false`, and the value that means what the absence
 * means, take the policy away, so that older nodes can run the job again.
 */
export function mergePolicies<T extends JobPolicies>(definition: T, words: JobWords): T {
  const merged: JobPolicies = { ...definition };
  const set = <K extends keyof JobPolicies>(
    field: K,
    value: JobPolicies[K] | false | undefined,
    absent?: unknown,
  ): void => {
    if (value === undefined) return;
    const isNone = value === false || value === absent || isEmpty(value);
    if (isNone) delete merged[field];
    else merged[field] = value;
  };
  set('dialect', words.dialect as JobPolicies['dialect'], 'unix');
  set('gap', words.dstGap);
  set('fold', words.dstFold);
  set('notBefore', words.notBefore);
  set('notAfter', words.notAfter);
  set('exclude', listOf(words.exclude));
  set('splayMs', words.splay, 0);
  set('overlap', words.overlap as JobPolicies['overlap'], 'skip');
  set('parallel', words.parallel, 1);
  set('misfire', words.misfire as JobPolicies['misfire'], 'once');
  set('catchUpMs', words.catchUp);
  set('nodeLoss', words.nodeLoss as JobPolicies['nodeLoss'], 'skip');
  set('retry', mergeRetry(definition.retry, words));
  set('startDeadlineMs', words.startDeadline);
  set('runsMax', words.maxRuns);
  set('failuresMax', words.pauseAfterFailures);
  set('kind', words.kind as JobPolicies['kind'], 'single');
  set('target', mergeTarget(definition.target, words));
  set('after', words.after === undefined ? undefined : (words.after || []).map(readUpstream));
  set('group', words.group, 'default');
  set('tags', listOf(words.tag));
  set('user', words.user);
  set('umask', words.umask);
  set('nice', words.nice);
  set('memoryBytesMax', words.memoryMax);
  set('cpuSecondsMax', words.cpuTimeMax && words.cpuTimeMax / 1000);
  set('keepDays', words.keepDays);
  set('keepRuns', words.keepRuns);
  set('notify', mergeNotify(definition.notify, words));
  // Every field that was set is one of a policy, so the rest of T is as it was.
  return merged as T;
}

/** What a retry policy is that says no more than how often. */
export const retryDefaults: Omit<RetryPolicy, 'max'> = {
  delayMs: 10_000,
  backoff: 'exponential',
  delayMsMax: 3_600_000,
  jitter: true,
  on: ['failure', 'timeout'],
};

function mergeRetry(
  retry: RetryPolicy | undefined,
  words: JobWords,
): RetryPolicy | false | undefined {
  const { retries, retryDelay, retryBackoff, retryDelayMax, retryJitter, retryOn } = words;
  const details = [retryDelay, retryBackoff, retryDelayMax, retryJitter, retryOn];
  const hasDetails = details.some((detail) => detail !== undefined);
  if (retries === undefined && !hasDetails) return undefined;
  if (retries === 0 || retries === false) {
    if (!hasDetails) return false;
    throw wordFault('--retries', ': is 0, so there is nothing that other retry words are about.', {
      hint: seeHelp,
    });
  }
  const max = retries ?? retry?.max;
  if (max === undefined) {
    throw wordFault('--retries', ' is missing: how often it is tried again.', { hint: seeHelp });
  }
  const base = retry ?? retryDefaults;
  const delayMs = retryDelay ?? base.delayMs;
  return {
    max,
    delayMs,
    backoff: retryBackoff ?? base.backoff,
    // A first delay beyond the usual bound is wanted as it is.
    delayMsMax: retryDelayMax ?? Math.max(base.delayMsMax, delayMs),
    jitter: retryJitter ?? base.jitter,
    on: [...(retryOn ?? base.on)],
  };
}

/** The lists of a target and the words that they are written with. */
export const targetWords = {
  nodes: 'onNode',
  labels: 'onLabel',
  groups: 'onGroup',
  excludeNodes: 'notOnNode',
  excludeLabels: 'notOnLabel',
  excludeGroups: 'notOnGroup',
} as const satisfies Record<keyof Target, keyof JobWords>;

function mergeTarget(target: Target | undefined, words: JobWords): Target | false | undefined {
  const lists = Object.entries(targetWords) as [keyof Target, keyof JobWords][];
  if (lists.every(([, word]) => words[word] === undefined)) return undefined;
  const merged: Target = { ...target };
  for (const [list, word] of lists) {
    const names = listOf(words[word] as readonly string[] | false | undefined);
    if (names === undefined) continue;
    if (names.length === 0) delete merged[list];
    else merged[list] = names;
  }
  return Object.keys(merged).length === 0 ? false : merged;
}

/** Each once: naming a thing twice means no more than once. */
function listOf(list: readonly string[] | false | undefined): string[] | undefined {
  return list === undefined ? undefined : [...new Set(list || [])];
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const seeHelp = 'See: statecron --help';
