import { rowsWith, under } from './field.ts';

const { choice, choices, count, duration, toggle } = rowsWith({ format: 3 });

const counted = { least: 1, most: 1_000_000_000 } as const;
const hourMs = 3_600_000;

/**
 * Slots side by side share their cursor, and each tick that it passes writes all of their rows: a
 * claim of one of 1,000 takes 16 ms, of 100 it takes 5 ms, of 1 it takes 2 ms, and an edit of the
 * job 200, 40 and 10 ms under its lock (MariaDB and MySQL on two cores).
 */
const parallelMax = 1_000;

const noLimit = { without: 'no limit' } as const;

/** What becomes of ticks that overlap, are missed, or whose runs go wrong. */
export const executionFields = under('Overlap, misfire, failure:', {
  overlap: choice('overlap', 'what happens to a tick that comes while the job runs (skip)', {
    default: 'skip',
    isAlwaysShown: true,
    choices: {
      skip: 'the tick is skipped',
      queue: 'a tick waits for the run before, one at most',
      'queue-all': 'every tick waits its turn',
      replace: 'a tick stops the run before, then runs',
      terminate: 'a tick kills the run before, then runs',
    },
  }),
  parallel: count(
    'parallel',
    'how many runs there may be at once; with every-node on each node (1)',
    {
      default: 1,
      isAlwaysShown: true,
      least: 1,
      most: parallelMax,
      shown: 'up to {} at once',
    },
  ),
  misfire: choice('misfire', 'what happens to ticks that no node was there for (once)', {
    default: 'once',
    isAlwaysShown: true,
    choices: {
      once: 'the last missed tick runs when a node is there again',
      skip: 'missed ticks do not run',
      all: 'every missed tick runs when a node is there again, in order',
    },
  }),
  catchUp: duration(
    'catchUpMs',
    'how old a missed tick may be and still run (any age; with all: 1h)',
    { without: 'the default', shown: 'at most {} old' },
  ),
  nodeLoss: choice('nodeLoss', 'what happens to a run whose node is lost (skip)', {
    default: 'skip',
    isAlwaysShown: true,
    choices: {
      skip: 'the run is lost, and the job goes on with its next tick',
      rerun: 'a lost run is run again',
    },
  }),
  onFence: rowsWith({ format: 2 }).choice(
    'onFence',
    'what happens to its processes when a node is fenced (kill)',
    {
      default: 'kill',
      isAlwaysShown: true,
      choices: {
        kill: 'they are killed before anybody may start the next run',
        // Two runs of the job may live at once: it gives up P6.
        finish: 'a run goes on when its node is lost, so two may live at once',
      },
    },
  ),
  retries: count('retry.max', 'how often a failed run is tried again (0)', {
    default: 0,
    isAlwaysShown: true,
    without: '0',
    least: 1,
    most: 100,
  }),
  retryDelay: duration('retry.delayMs', 'the delay before the first retry (10s)', {
    default: 10_000,
    least: 0,
  }),
  retryBackoff: choice('retry.backoff', 'how the delay between retries grows (exponential)', {
    value: 'rule',
    default: 'exponential',
    choices: {
      fixed: 'each delay is the same',
      exponential: 'each delay is twice the one before, up to the longest',
    },
  }),
  retryDelayMax: duration('retry.delayMsMax', 'the longest delay between retries (1h)', {
    default: hourMs,
    least: 0,
  }),
  retryJitter: toggle(
    'retry.jitter',
    'draw each delay at random between half of it and the whole (on)',
    {
      default: true,
      without: 'exact delays',
    },
  ),
  retryOn: choices('retry.on', 'which ends of a run are retried (failure,timeout)', {
    default: ['failure', 'timeout'],
    choices: ['failure', 'timeout', 'node-loss'],
  }),
  startDeadline: duration('startDeadlineMs', 'do not start later than this after the tick', {
    ...noLimit,
    shown: 'starts within {} of its tick, or not at all',
  }),
  maxRuns: count('runsMax', 'pause the job after so many ticks that ran', {
    ...noLimit,
    ...counted,
    shown: 'pauses after {} ticks that ran',
  }),
  pauseAfterFailures: count('failuresMax', 'pause the job after so many failures in a row', {
    without: 'never',
    ...counted,
    shown: 'pauses after {} in a row',
  }),
});
