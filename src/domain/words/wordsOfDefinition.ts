import { formatDuration } from '../duration.ts';
import { type JobDefinition, jobDefaults } from '../jobDefinition.ts';
import type { NotifyPolicy, RetryPolicy } from '../jobPolicies.ts';
import { jobFlags } from './jobFlags.ts';
import { retryDefaults } from './mergePolicies.ts';
import { upstreamText } from './upstreamText.ts';

/** A value as a file of jobs has it. */
export type FileValue = string | number | boolean | string[] | Record<string, string>;

/**
 * A definition in the words of the command line, in their order; what is as it would be without
 * being said is left out. Reading them again gives the same definition, but for where it was
 * imported from.
 */
export function wordsOfDefinition(definition: JobDefinition): Map<string, FileValue> {
  const values = allWords(definition);
  return new Map(
    jobFlags.flatMap(({ flag }) => {
      const value = values[flag];
      return value === undefined || value === null || isEmpty(value)
        ? []
        : [[flag, value] as const];
    }),
  );
}

function allWords(definition: JobDefinition): Record<string, FileValue | null | undefined> {
  const { schedule, moreSchedules = [], timezone, target = {} } = definition;
  const { graceMs, outputBytesMax, leftovers, cpuSecondsMax } = definition;
  const unless = <T>(value: T, usual: T): T | null => (value === usual ? null : value);
  return {
    cron: moreSchedules.length === 0 ? schedule : [schedule, ...moreSchedules],
    command: definition.command,
    description: definition.description,
    timezone: unless(timezone, jobDefaults.timezone),
    env: definition.env,
    'secret-env': definition.secretEnv,
    cwd: definition.cwd,
    stdin: definition.stdin,
    dialect: definition.dialect,
    'dst-gap': definition.gap,
    'dst-fold': definition.fold,
    'not-before': definition.notBefore,
    'not-after': definition.notAfter,
    exclude: definition.exclude,
    splay: duration(definition.splayMs),
    overlap: definition.overlap,
    parallel: definition.parallel,
    misfire: definition.misfire,
    'catch-up': duration(definition.catchUpMs),
    'node-loss': definition.nodeLoss,
    'on-fence': definition.onFence,
    ...retryWords(definition.retry),
    'start-deadline': duration(definition.startDeadlineMs),
    'max-runs': definition.runsMax,
    'pause-after-failures': definition.failuresMax,
    kind: definition.kind,
    'on-node': target.nodes,
    'on-label': target.labels,
    'on-group': target.groups,
    'not-on-node': target.excludeNodes,
    'not-on-label': target.excludeLabels,
    'not-on-group': target.excludeGroups,
    timeout: duration(definition.timeoutMs),
    grace: graceMs === jobDefaults.graceMs ? null : duration(graceMs),
    leftovers: unless(leftovers, jobDefaults.leftovers),
    user: definition.user,
    umask: definition.umask,
    nice: definition.nice,
    'memory-max': size(definition.memoryBytesMax),
    'cpu-time-max': duration(cpuSecondsMax === undefined ? undefined : cpuSecondsMax * 1000),
    'output-max': outputBytesMax === jobDefaults.outputBytesMax ? null : size(outputBytesMax),
    after: definition.after?.map(upstreamText),
    group: definition.group,
    tag: definition.tags,
    'keep-days': definition.keepDays,
    'keep-runs': definition.keepRuns,
    ...notifyWords(definition.notify),
  };
}

function notifyWords(notify: NotifyPolicy | undefined): Record<string, FileValue | null> {
  if (notify === undefined) return {};
  const { on, to, longMs, ping = [] } = notify;
  return { 'notify-to': to, 'notify-on': on, 'long-running': duration(longMs), ping };
}

function retryWords(retry: RetryPolicy | undefined): Record<string, FileValue | null> {
  if (retry === undefined) return {};
  const { max, delayMs, backoff, delayMsMax, jitter, on } = retry;
  const usualMost = Math.max(retryDefaults.delayMsMax, delayMs);
  return {
    retries: max,
    'retry-delay': delayMs === retryDefaults.delayMs ? null : formatDuration(delayMs),
    'retry-backoff': backoff === retryDefaults.backoff ? null : backoff,
    'retry-delay-max': delayMsMax === usualMost ? null : formatDuration(delayMsMax),
    'retry-jitter': jitter === retryDefaults.jitter ? null : jitter,
    'retry-on': on.join() === retryDefaults.on.join() ? null : [...on],
  };
}

function duration(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : formatDuration(ms);
}

/** In the largest unit that says it exactly. */
function size(bytes: number | undefined): string | null {
  if (bytes === undefined) return null;
  for (const [unit, power] of [['GiB', 3] as const, ['MiB', 2] as const, ['KiB', 1] as const]) {
    const each = 1024 ** power;
    if (bytes >= each && bytes % each === 0) return `${bytes / each}${unit}`;
  }
  return `${bytes}B`;
}

function isEmpty(value: FileValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
