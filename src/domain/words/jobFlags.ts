import { fencePolicies, leftoverPolicies } from '../jobDefinition.ts';
import { policyBounds } from '../policies/checkPolicies.ts';
import type { JobFlag } from './jobFlag.ts';
import { noticeFlags } from './noticeFlags.ts';

const what = 'What it is:';
const when = 'When:';
const lateness = 'Overlap, misfire, failure:';
const where = 'Where:';
const process = 'Its process:';
const order = 'Order and history:';
const count = { kind: 'number', least: 0, most: 1_000_000_000 } as const;

/** Every word that a job's definition is written with, in the order of the help and of exports. */
export const jobFlags: readonly JobFlag[] = [
  {
    ...{ flag: 'cron', value: 'expr', kind: 'list', heading: what },
    text: '5, 6 or 7 fields, @daily, @every 90s, @at ISO, @manual; may be repeated',
  },
  { flag: 'command', value: 'text', kind: 'text', heading: what, text: 'what bash -c is given' },
  {
    ...{ flag: 'description', value: 'text', kind: 'text', heading: what },
    ...{ text: 'what it is for', without: 'nothing is said' },
  },
  {
    ...{ flag: 'timezone', value: 'zone', kind: 'text', heading: what },
    text: 'IANA zone that the schedule is computed in (UTC)',
  },
  {
    ...{ flag: 'env', value: 'K=V', kind: 'variables', heading: what },
    text: 'a variable for the job; may be repeated',
  },
  {
    ...{ flag: 'secret-env', value: 'K[=V]', kind: 'variables', heading: what },
    text: 'one that is never shown and masked in outputs; its value from here without =V',
  },
  {
    ...{ flag: 'cwd', value: 'folder', kind: 'text', heading: what },
    ...{ text: "working folder (the home of the node's user)", without: 'the home' },
  },
  {
    ...{ flag: 'stdin', value: 'text', kind: 'text', heading: what },
    ...{ text: 'text for its standard input (closed)', without: 'closed' },
  },

  {
    ...{ flag: 'dialect', value: 'dialect', kind: 'choice', choices: ['unix', 'quartz'] },
    ...{ heading: when, text: 'how weekday numbers are read (unix)' },
  },
  {
    ...{ flag: 'dst-gap', value: 'rule', kind: 'choice', choices: ['skip', 'shift'] },
    ...{ heading: when, text: 'times that a clock change jumps over', without: 'as usual' },
  },
  {
    ...{ flag: 'dst-fold', value: 'rule', kind: 'choice', choices: ['first', 'second', 'both'] },
    ...{ heading: when, text: 'times that a clock change repeats', without: 'as usual' },
  },
  {
    ...{ flag: 'not-before', value: 'instant', kind: 'text', heading: when },
    ...{ text: 'no tick before, e.g. 2030-01-31T09:30:00Z', without: 'no limit' },
  },
  {
    ...{ flag: 'not-after', value: 'instant', kind: 'text', heading: when },
    ...{ text: 'no tick after', without: 'no limit' },
  },
  {
    ...{ flag: 'exclude', value: 'days', kind: 'list', heading: when },
    text: 'no tick on a date, dates A..B, weekdays or a cron expression; may be repeated',
    without: 'nothing is excluded',
  },
  {
    ...{ flag: 'splay', value: 'duration', kind: 'duration', heading: when },
    ...{ text: 'start each tick up to so much later (0s)', without: 'none' },
  },

  {
    ...{ flag: 'overlap', value: 'policy', kind: 'choice', heading: lateness },
    choices: ['skip', 'queue', 'queue-all', 'replace', 'terminate'],
    text: 'what a tick does that comes while the job runs (skip)',
  },
  {
    ...{
      flag: 'parallel',
      value: 'number',
      kind: 'number',
      least: 1,
      most: policyBounds.parallelMax,
    },
    ...{ heading: lateness, text: 'how many launches may run at once, of every-node on each (1)' },
  },
  {
    ...{ flag: 'misfire', value: 'policy', kind: 'choice', choices: ['once', 'skip', 'all'] },
    ...{ heading: lateness, text: 'what becomes of ticks that nobody was there for (once)' },
  },
  {
    ...{ flag: 'catch-up', value: 'duration', kind: 'duration', heading: lateness },
    text: 'how old a missed tick may be to be made up for (any age; with all: 1h)',
    without: 'as usual',
  },
  {
    ...{ flag: 'node-loss', value: 'policy', kind: 'choice', choices: ['skip', 'rerun'] },
    ...{ heading: lateness, text: 'what becomes of a run whose node is lost (skip)' },
  },
  {
    ...{ flag: 'on-fence', value: 'policy', kind: 'choice', choices: fencePolicies },
    ...{ heading: lateness, text: 'what becomes of its processes when a node is fenced (kill)' },
  },
  {
    ...{ flag: 'retries', value: 'number', kind: 'number', least: 0, most: 100 },
    ...{ heading: lateness, text: 'new attempts of a tick that went wrong (0)', without: '0' },
  },
  {
    ...{ flag: 'retry-delay', value: 'duration', kind: 'duration', heading: lateness },
    text: 'before the first of them (10s)',
  },
  {
    ...{ flag: 'retry-backoff', value: 'rule', kind: 'choice', heading: lateness },
    ...{ choices: ['fixed', 'exponential'], text: 'how the delay grows (exponential)' },
  },
  {
    ...{ flag: 'retry-delay-max', value: 'duration', kind: 'duration', heading: lateness },
    text: 'how far it grows (1h)',
  },
  {
    ...{ flag: 'retry-jitter', value: '', kind: 'switch', heading: lateness },
    ...{ text: 'draw each delay between half of it and the whole (on)', without: 'exact delays' },
  },
  {
    ...{ flag: 'retry-on', value: 'what', kind: 'choices', heading: lateness },
    ...{ choices: ['failure', 'timeout', 'node-loss'], text: 'after what (failure,timeout)' },
  },
  {
    ...{ flag: 'start-deadline', value: 'duration', kind: 'duration', heading: lateness },
    ...{ text: 'do not start later than this after the tick', without: 'no limit' },
  },
  {
    ...{ flag: 'max-runs', value: 'number', ...count, least: 1, heading: lateness },
    ...{ text: 'pause after so many ticks that ran', without: 'no limit' },
  },
  {
    ...{ flag: 'pause-after-failures', value: 'number', ...count, least: 1, heading: lateness },
    ...{ text: 'pause after so many failures in a row', without: 'never' },
  },

  {
    ...{ flag: 'kind', value: 'kind', kind: 'choice', choices: ['single', 'every-node'] },
    ...{ heading: where, text: 'one node runs each tick, or every eligible node (single)' },
  },
  {
    ...{ flag: 'on-node', value: 'name', kind: 'list', heading: where },
    ...{ text: 'only on this node; may be repeated', without: 'any' },
  },
  {
    ...{ flag: 'on-label', value: 'label', kind: 'list', heading: where },
    ...{ text: 'only on nodes with the label NAME or NAME=VALUE; repeatable', without: 'any' },
  },
  {
    ...{ flag: 'on-group', value: 'group', kind: 'list', heading: where },
    ...{ text: 'only on nodes of this group; may be repeated', without: 'any' },
  },
  {
    ...{ flag: 'not-on-node', value: 'name', kind: 'list', heading: where },
    ...{ text: 'never on this node; may be repeated', without: 'none' },
  },
  {
    ...{ flag: 'not-on-label', value: 'label', kind: 'list', heading: where },
    ...{ text: 'never on nodes with this label; may be repeated', without: 'none' },
  },
  {
    ...{ flag: 'not-on-group', value: 'group', kind: 'list', heading: where },
    ...{ text: 'never on nodes of this group; may be repeated', without: 'none' },
  },

  {
    ...{ flag: 'timeout', value: 'duration', kind: 'duration', heading: process },
    ...{ text: 'stop a run after this long, e.g. 30s (never)', without: 'no limit' },
  },
  {
    ...{ flag: 'grace', value: 'duration', kind: 'duration', heading: process },
    text: 'between SIGTERM and SIGKILL (5s)',
  },
  {
    ...{ flag: 'leftovers', value: 'policy', kind: 'choice', choices: leftoverPolicies },
    ...{ heading: process, text: 'processes that bash leaves running (kill)' },
  },
  {
    ...{ flag: 'user', value: 'name', kind: 'text', heading: process },
    ...{ text: 'run as this user, where the node is root and allows it', without: "the node's" },
  },
  {
    ...{ flag: 'umask', value: 'octal', kind: 'text', heading: process },
    ...{ text: 'e.g. 027', without: "the node's" },
  },
  {
    ...{ flag: 'nice', value: 'number', kind: 'number', least: -20, most: 19 },
    ...{ heading: process, text: '-20 to 19', without: "the node's" },
  },
  {
    ...{ flag: 'memory-max', value: 'size', kind: 'size', heading: process },
    ...{ text: 'address space of each of its processes, e.g. 512MiB', without: 'no limit' },
  },
  {
    ...{ flag: 'cpu-time-max', value: 'duration', kind: 'duration', heading: process },
    ...{ text: 'CPU time of each of its processes, whole seconds', without: 'no limit' },
  },
  {
    ...{ flag: 'output-max', value: 'size', kind: 'size', heading: process },
    text: 'how much output is kept, head and tail (64KiB)',
  },

  {
    ...{ flag: 'after', value: 'job[:end]', kind: 'list', heading: order },
    text: 'start when JOB ends: :success (if none is given), :failure or :end; repeatable',
    without: 'no other job',
  },
  {
    ...{ flag: 'group', value: 'name', kind: 'text', heading: order },
    ...{ text: 'the namespace it belongs to (default)', without: 'default' },
  },
  {
    ...{ flag: 'tag', value: 'word', kind: 'list', heading: order },
    ...{ text: 'a word to find it by; may be repeated', without: 'none' },
  },
  {
    ...{ flag: 'keep-days', value: 'number', ...count, least: 1, heading: order },
    ...{ text: 'clean its history away after so many days', without: 'as the cluster does' },
  },
  {
    ...{ flag: 'keep-runs', value: 'number', ...count, least: 1, heading: order },
    ...{ text: 'keep only so many rows of its history', without: 'as the cluster does' },
  },
  ...noticeFlags,
];

/** The property that commander and files of jobs give a flag's value: `retry-delay`: retryDelay. */
export function propertyOf(flag: string): string {
  return flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
