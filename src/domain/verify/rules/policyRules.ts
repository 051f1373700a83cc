/** One thing that a database can show to be wrong: the promise, what it may mean, where to look. */
export interface VerifyRule {
  /** The promise of ARCHITECTURE.md that it breaks or is about. */
  readonly promise: string;
  readonly isWarning?: true;
  readonly meaning: string;
  readonly look: string;
}

/** What nodes do not do themselves. */
export const handMade = 'rows were changed, deleted or restored by hand';

/** What the policies of a job forbid: attempts, limits, deadlines. */
export const policyRules = {
  run_beyond_parallel: {
    promise: 'P6',
    meaning: 'More launches of the job may have run at once than it allows.',
    look: 'statecron runs --job JOB; statecron job show JOB',
  },
  run_too_late: {
    promise: 'P12',
    meaning: 'It was too late to be worth it, as the job’s start deadline has it, and ran.',
    look: 'statecron run show LAUNCH; statecron job show JOB --json',
  },
  run_beyond_limit: {
    promise: 'P14',
    meaning: 'The job had to be paused by its own limit, and its schedule went on.',
    look: 'statecron runs --job JOB; statecron job show JOB --json',
  },
  backfill_ahead: {
    promise: 'P12',
    meaning: 'It holds its slot until then, and what is due before it has to wait or is skipped.',
    look: 'statecron job show JOB; take it back with: statecron run stop REQUEST_ID',
  },
  backfill_order: {
    promise: 'P12',
    isWarning: true,
    meaning: 'Ticks of one request run in their order, unless their range was requested in parts.',
    look: 'statecron runs --job JOB; statecron run show LAUNCH',
  },
  run_without_reason: {
    promise: 'P19',
    meaning: `Ticks ended without a launch, and nothing says why: ${handMade}.`,
    look: 'statecron runs --job JOB',
  },
  attempt_gap: {
    promise: 'P5',
    meaning: `The attempts of one tick are numbered without a gap: ${handMade}.`,
    look: 'statecron runs --job JOB',
  },
  attempt_open: {
    promise: 'P19',
    meaning: `What was requested was to be tried again, and is not: ${handMade}.`,
    look: 'statecron runs --job JOB; statecron job run JOB',
  },
  attempt_beyond: {
    promise: 'P5',
    meaning: 'It was tried more often than the job’s retries and node losses allow.',
    look: 'statecron runs --job JOB; statecron job show JOB --json',
  },
  attempt_early: {
    promise: 'P12',
    meaning: 'A new attempt did not wait as long as the job’s retries have it.',
    look: 'statecron run show LAUNCH; statecron job show JOB --json',
  },
  attempt_lacking: {
    promise: 'P5',
    meaning: 'It was to be tried again, as the job’s retries have it, and was given up.',
    look: 'statecron run show LAUNCH; statecron job show JOB --json',
  },
  attempt_unasked: {
    promise: 'P5',
    meaning: 'It is tried again, which no policy of the job says: the command may run twice.',
    look: 'statecron runs --job JOB; statecron job show JOB --json',
  },
} as const satisfies Record<string, VerifyRule>;
