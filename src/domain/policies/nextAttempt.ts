import type { JobPolicies, RetryPolicy } from '../job/jobPolicies.ts';
import type { RunResult } from '../run/run.ts';

/** A tick whose nodes are lost again and again must come to an end. */
export const rerunsMax = 10;

/** How long to wait before the next attempt; null: the attempt was the last. */
interface NextAttempt {
  readonly attempt: number;
  readonly delayMs: number;
}

/**
 * The attempt after one that ended so, or null when that is final. `random`: in [0, 1).
 */
export function nextAttempt(
  { retry, nodeLoss }: Pick<JobPolicies, 'retry' | 'nodeLoss'>,
  result: RunResult,
  attempt: number,
  random: number,
): NextAttempt | null {
  const why = retryReason(result);
  if (why === null) return null;
  if (retry?.on.includes(why)) {
    if (attempt > retry.max) return null;
    return { attempt: attempt + 1, delayMs: delayOf(retry, attempt, random) };
  }
  const isRerun = why === 'node-loss' && nodeLoss === 'rerun' && attempt <= rerunsMax;
  return isRerun ? { attempt: attempt + 1, delayMs: 0 } : null;
}

/** Which of the causes of a retry a result is, or null. */
export function retryReason(result: string): RetryPolicy['on'][number] | null {
  if (result === 'failed') return 'failure';
  if (result === 'timed_out') return 'timeout';
  return result === 'lost' ? 'node-loss' : null;
}

function delayOf(retry: RetryPolicy, attempt: number, random: number): number {
  const { backoff, delayMs, delayMsMax, jitter } = retry;
  // 2 ** 1023 is the largest finite power; attempts are bounded far below.
  const grownMs = backoff === 'fixed' ? delayMs : delayMs * 2 ** (attempt - 1);
  const wholeMs = Math.min(grownMs, delayMsMax);
  return Math.round(jitter ? wholeMs * (1 - random / 2) : wholeMs);
}
