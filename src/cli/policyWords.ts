import { formatDuration } from '../domain/duration.ts';
import type { JobPolicies, NotifyPolicy, RetryPolicy, Target } from '../domain/jobPolicies.ts';
import { targetWords } from '../domain/words/mergePolicies.ts';

/** What a job asks for besides its schedule and command, in words; null: it does not. */
export function policyWords(policies: JobPolicies): [string, string | null][] {
  const { parallel, catchUpMs, splayMs, startDeadlineMs, runsMax, failuresMax } = policies;
  const { memoryBytesMax, cpuSecondsMax, keepDays, keepRuns } = policies;
  return [
    ['group', policies.group ?? null],
    ['tags', policies.tags?.join(', ') ?? null],
    ...(policies.moreSchedules ?? []).map((text): [string, string] => ['and', text]),
    ['weekdays', policies.dialect === 'quartz' ? 'quartz: 1 is Sunday' : null],
    ['clock gaps', when(policies.gap, gaps)],
    ['clock folds', when(policies.fold, folds)],
    ['not before', policies.notBefore ?? null],
    ['not after', policies.notAfter ?? null],
    ...(policies.exclude ?? []).map((text): [string, string] => ['except', text]),
    ['splay', splayMs === undefined ? null : `up to ${formatDuration(splayMs)} later`],
    ['overlap', when(policies.overlap, overlaps)],
    ['parallel', parallel === undefined ? null : `up to ${parallel} at once`],
    ['misfire', when(policies.misfire, misfires)],
    ['catch-up', catchUpMs === undefined ? null : `at most ${formatDuration(catchUpMs)} old`],
    ['node loss', policies.nodeLoss === 'rerun' ? 'rerun: a lost run is run again' : null],
    ['retry', policies.retry === undefined ? null : retryWords(policies.retry)],
    ['deadline', startDeadlineMs === undefined ? null : within(startDeadlineMs)],
    ['max runs', runsMax === undefined ? null : `pauses after ${runsMax} ticks that ran`],
    ['failures', failuresMax === undefined ? null : `pauses after ${failuresMax} in a row`],
    ['kind', policies.kind === 'every-node' ? 'every-node: each node runs every tick' : null],
    ...targetFields(policies.target ?? {}),
    ...(policies.after ?? []).map(({ job, on }): [string, string] => [
      'after',
      `${job}, ${ends[on]}`,
    ]),
    ['user', policies.user ?? null],
    ['umask', policies.umask ?? null],
    ['nice', policies.nice === undefined ? null : `${policies.nice}`],
    ['memory', memoryBytesMax === undefined ? null : `at most ${memoryBytesMax} bytes a process`],
    ['CPU time', cpuSecondsMax === undefined ? null : `at most ${cpuSecondsMax}s a process`],
    ['keep', keepWords(keepDays, keepRuns)],
    ...notifyFields(policies.notify),
  ];
}

const gaps = {
  skip: 'skip: times that the clock jumps over are no ticks',
  shift: 'shift: times that the clock jumps over run right after the jump',
} as const;
const folds = {
  first: 'first: a time that comes twice runs the first time',
  second: 'second: a time that comes twice runs the second time',
  both: 'both: a time that comes twice runs twice',
} as const;
const overlaps = {
  queue: 'queue: a tick waits for the run before, one at most',
  'queue-all': 'queue-all: every tick waits its turn',
  replace: 'replace: a tick stops the run before, then runs',
  terminate: 'terminate: a tick kills the run before, then runs',
} as const;
const misfires = {
  skip: 'skip: ticks that nobody was there for are not made up for',
  all: 'all: every tick that nobody was there for is made up for, in order',
} as const;
const ends = {
  success: 'when it succeeds',
  failure: 'when it fails',
  end: 'when it ends',
} as const;

function when<K extends string>(value: K | undefined, words: Record<K, string>): string | null {
  // A value of a later version has no words here, and is shown as it is.
  return value === undefined ? null : (words[value] ?? String(value));
}

function within(ms: number): string {
  return `starts within ${formatDuration(ms)} of its tick, or not at all`;
}

function retryWords({ max, delayMs, backoff, delayMsMax, jitter, on }: RetryPolicy): string {
  const grows =
    backoff === 'exponential' ? `, doubled up to ${formatDuration(delayMsMax)}` : ' each time';
  const drawn = jitter ? ', with jitter' : '';
  return `${max} times after ${on.join(', ')}: in ${formatDuration(delayMs)}${grows}${drawn}`;
}

const targetLabels: Record<keyof Target, string> = {
  nodes: 'on nodes',
  labels: 'on labels',
  groups: 'on groups',
  excludeNodes: 'not on nodes',
  excludeLabels: 'not on labels',
  excludeGroups: 'not on groups',
};

function targetFields(target: Target): [string, string | null][] {
  return (Object.keys(targetWords) as (keyof Target)[]).map((list) => [
    targetLabels[list],
    target[list]?.join(', ') ?? null,
  ]);
}

function notifyFields(notify: NotifyPolicy | undefined): [string, string | null][] {
  if (notify === undefined) return [];
  const { on, to, longMs, ping = [] } = notify;
  const longer = longMs === undefined ? '' : ` (longer than ${formatDuration(longMs)})`;
  const told = to.length === 0 ? null : `${to.join(', ')} of ${on.join(', ')}${longer}`;
  return [
    ['tells', told],
    ['pings', ping.length === 0 ? null : ping.join(', ')],
  ];
}

function keepWords(keepDays: number | undefined, keepRuns: number | undefined): string | null {
  const parts = [
    ...(keepDays === undefined ? [] : [`${keepDays} days`]),
    ...(keepRuns === undefined ? [] : [`the last ${keepRuns} rows`]),
  ];
  return parts.length === 0 ? null : `${parts.join(' and ')} of its history`;
}
