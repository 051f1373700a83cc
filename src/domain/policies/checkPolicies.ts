import type { JobPolicies, RetryPolicy } from '../jobPolicies.ts';

type LifecycleField =
  | 'overlap'
  | 'parallel'
  | 'misfire'
  | 'catchUpMs'
  | 'nodeLoss'
  | 'retry'
  | 'startDeadlineMs'
  | 'splayMs'
  | 'runsMax'
  | 'failuresMax';

type WholeField = Exclude<LifecycleField, 'overlap' | 'misfire' | 'nodeLoss' | 'retry'>;

/** What is wrong with what a job says of its launches, and in which field. */
interface PolicyFault {
  readonly field: LifecycleField;
  readonly message: string;
}

export const policyBounds = {
  /**
   * Slots side by side share their cursor, and each tick that it passes writes all of their rows:
   * a claim of one of 1,000 takes 16 ms, of 100 it takes 5 ms, of 1 it takes 2 ms, and an edit of
   * the job 200, 40 and 10 ms under its lock (MariaDB and MySQL on two cores).
   */
  parallelMax: 1_000,
  durationMsMax: 366 * 24 * 3_600_000,
  retriesMax: 100,
  countMax: 1_000_000_000,
} as const;

const overlapPolicies = ['queue', 'queue-all', 'replace', 'terminate'] as const;
const misfirePolicies = ['skip', 'all'] as const;
const backoffs = ['fixed', 'exponential'] as const;
const retryReasons = ['failure', 'timeout', 'node-loss'] as const;

/** Everything that is wrong with when a job's launches start, end, wait and come again. */
export function checkPolicies(policies: JobPolicies): PolicyFault[] {
  const { overlap, misfire, nodeLoss, retry, parallel } = policies;
  const bounds = policyBounds;
  const fault = (field: LifecycleField, message: string | null): PolicyFault[] =>
    message === null ? [] : [{ field, message }];
  const whole = (field: WholeField, least: number, most: number) =>
    fault(field, checkWhole(policies[field], least, most));
  return [
    ...fault('overlap', checkWord(overlap, overlapPolicies)),
    ...fault('misfire', checkWord(misfire, misfirePolicies)),
    ...fault('nodeLoss', checkWord(nodeLoss, ['rerun'])),
    ...whole('parallel', 1, bounds.parallelMax),
    ...whole('catchUpMs', 1, bounds.durationMsMax),
    ...whole('startDeadlineMs', 1, bounds.durationMsMax),
    ...whole('splayMs', 1, bounds.durationMsMax),
    ...whole('runsMax', 1, bounds.countMax),
    ...whole('failuresMax', 1, bounds.countMax),
    ...(retry === undefined ? [] : fault('retry', checkRetry(retry))),
    ...fault('parallel', checkParallel(parallel ?? 1, policies)),
    ...fault('startDeadlineMs', checkDeadline(policies)),
    ...fault(
      'catchUpMs',
      misfire === 'skip' && policies.catchUpMs !== undefined
        ? 'says how much is made up for, but the misfire policy is skip'
        : null,
    ),
  ];
}

function checkRetry(retry: RetryPolicy): string | null {
  const { max, delayMs, backoff, delayMsMax, jitter, on } = retry;
  const faults = [
    prefix('max', checkWhole(max, 1, policyBounds.retriesMax)),
    prefix('delayMs', checkWhole(delayMs, 0, policyBounds.durationMsMax)),
    prefix('delayMsMax', checkWhole(delayMsMax, 0, policyBounds.durationMsMax)),
    prefix('backoff', checkWord(backoff, backoffs)),
    typeof jitter === 'boolean' ? null : 'jitter is neither true nor false',
    Array.isArray(on) && on.length > 0 ? null : 'on says nothing: when is it tried again?',
    ...(Array.isArray(on) ? on.map((word) => prefix('on', checkWord(word, retryReasons))) : []),
    delayMsMax < delayMs ? 'delayMsMax is less than delayMs' : null,
  ];
  return faults.find((message) => message !== null) ?? null;
}

/** Slots side by side never overlap, so there is nothing to wait for or to replace. */
function checkParallel(parallel: number, { overlap }: JobPolicies): string | null {
  if (parallel <= 1 || overlap === undefined) return null;
  return `launches side by side leave nothing to ${overlap}`;
}

function checkDeadline({ splayMs = 0, startDeadlineMs }: JobPolicies): string | null {
  if (startDeadlineMs === undefined || startDeadlineMs > splayMs) return null;
  return `is over before the splay of ${splayMs} ms is`;
}

function checkWord(word: string | undefined, allowed: readonly string[]): string | null {
  if (word === undefined || allowed.includes(word)) return null;
  return `is ${String(word)}, which is none of ${allowed.join(', ')}`;
}

function checkWhole(value: number | undefined, least: number, most: number): string | null {
  if (value === undefined) return null;
  const fits = Number.isInteger(value) && value >= least && value <= most;
  return fits ? null : `is ${value}; ${least} to ${most} are allowed`;
}

function prefix(name: string, message: string | null): string | null {
  return message === null ? null : `${name} ${message}`;
}
