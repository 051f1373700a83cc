import { handMade, policyRules, type VerifyRule } from './policyRules.ts';

/** What a verification looks for. The codes are stable: programs read them in `--json`. */
export const verifyRules = {
  tick_missing: {
    promise: 'P19',
    meaning: `The job was due and nothing says what became of it: ${handMade}, or a cursor.`,
    look: 'statecron runs --job JOB; then the database’s own log for deletes at that time',
  },
  tick_twice: {
    promise: 'P19',
    meaning: `One tick stands in two rows: ${handMade}, or a backup was loaded over newer rows.`,
    look: 'statecron runs --job JOB',
  },
  tick_started_twice: {
    promise: 'P5',
    meaning: 'The same attempt of a tick was started twice: the command may have run twice.',
    look: 'statecron runs --job JOB; statecron run log LAUNCH; see what the command did',
  },
  tick_unnamed: {
    promise: 'P19',
    meaning: `Its schedule does not name it: ${handMade}, or nodes differ in time zone data.`,
    look: 'statecron job show JOB; statecron cluster (it warns when time zone data differ)',
  },
  range_miscounted: {
    promise: 'P19',
    meaning: `A row for several ticks says another number than there are: ${handMade}.`,
    look: 'statecron runs --job JOB',
  },
  cursor_no_tick: {
    promise: 'P19',
    meaning: `The job will start at an instant that its schedule does not name: ${handMade}.`,
    look: 'statecron job show JOB; a statecron job pause and resume set the cursor anew',
  },
  cursor_behind: {
    promise: 'P5',
    meaning: 'Ticks that were dealt with are due again: they may run a second time.',
    look: 'statecron job show JOB; a statecron job pause and resume set the cursor anew',
  },
  cursor_lost: {
    promise: 'P19',
    meaning: 'The job has a schedule, but no next tick: it will never run again by itself.',
    look: 'statecron job show JOB; a statecron job pause and resume set the cursor anew',
  },
  slot_missing: {
    promise: 'P19',
    meaning: `The job has no slot to run in, so it never runs: ${handMade}.`,
    look: 'statecron job show JOB; remove the job and add it again',
  },
  slot_orphan: {
    promise: 'P2',
    meaning: `A slot, or a requested launch, belongs to no job: ${handMade}.`,
    look: 'the tables slot and pending for that job id; nodes leave them alone',
  },
  slot_not_due: {
    promise: 'P19',
    meaning: 'Nodes look for due slots by next_run_at, so that this one is found late or never.',
    look: 'statecron job show JOB; a statecron job pause and resume set it anew',
  },
  slot_half_held: {
    promise: 'P3',
    meaning: `A slot is held by nobody, or idle with a launch in it: ${handMade}.`,
    look: 'statecron job show JOB; statecron cluster',
  },
  slot_without_session: {
    promise: 'P3',
    meaning: 'Who holds the slot is not known, and no reaper will ever free it.',
    look: 'statecron job show JOB; was the table session restored or cleaned by hand?',
  },
  slot_recorded: {
    promise: 'P10',
    meaning: 'The run row and the idle slot are one transaction, so that one was written by hand.',
    look: 'statecron run show LAUNCH; statecron job show JOB',
  },
  slot_stripe: {
    promise: 'P1',
    meaning: 'No lock guards the slot, so that no node may touch it: the job never runs.',
    look: 'statecron job show JOB; stripes are 0 to 63',
  },
  slot_stuck: {
    promise: 'P11',
    meaning: 'A live node ought to have freed it by now: it cannot get that stripe’s lock.',
    look: 'statecron cluster; SHOW PROCESSLIST and information_schema.innodb_trx for old ones',
  },
  slot_waiting: {
    promise: 'P11',
    isWarning: true,
    meaning: 'No node is live long enough to free it.',
    look: 'statecron cluster; start a node: statecron node',
  },
  run_early: {
    promise: 'P12',
    meaning: `A start before its tick cannot be committed: ${handMade}.`,
    look: 'statecron run show LAUNCH',
  },
  run_overlap: {
    promise: 'P6',
    meaning: 'Two launches of one slot ran at once, or the database’s clock was set back.',
    look: 'statecron runs --job JOB; statecron run log LAUNCH; the clock of the database machine',
  },
  ...policyRules,
  run_backwards: {
    promise: 'P17',
    isWarning: true,
    meaning: 'It ended before it began: the database’s clock was set back, or rows were changed.',
    look: 'statecron run show LAUNCH; the clock of the database machine',
  },
  run_of_no_revision: {
    promise: 'P14',
    meaning: `What was run is not known: ${handMade}.`,
    look: 'statecron runs --job JOB; statecron job show JOB',
  },
  run_after_revision: {
    promise: 'P14',
    meaning: 'A definition that had been replaced was started: an acknowledged edit did not hold.',
    look: 'statecron run show LAUNCH; statecron job show JOB --json',
  },
  run_before_revision: {
    promise: 'P14',
    meaning: `A definition was started before it was in force: ${handMade}, or a clock was set.`,
    look: 'statecron run show LAUNCH; statecron job show JOB --json',
  },
  run_in_pause: {
    promise: 'P14',
    meaning: 'The schedule of a paused, observed or removed job was started.',
    look: 'statecron run show LAUNCH; statecron job show JOB --json',
  },
  run_without_session: {
    promise: 'P9',
    meaning: `Which node had it is not known: ${handMade}.`,
    look: 'statecron run show LAUNCH; was the table session restored or cleaned by hand?',
  },
  launch_foreign: {
    promise: 'P9',
    meaning: `A launch id begins with the id of the session that made it: ${handMade}.`,
    look: 'statecron run show LAUNCH',
  },
  run_malformed: {
    promise: 'P10',
    meaning: `The row contradicts itself, which no node writes: ${handMade}.`,
    look: 'statecron runs --job JOB --json',
  },
  run_after_session: {
    promise: 'P7',
    meaning: 'A session that had ended went on writing: it was not fenced.',
    look: 'statecron run show LAUNCH; statecron cluster; the log of that node',
  },
  run_lost_alive: {
    promise: 'P8',
    meaning: 'Its slot was given to others while its node may still have run it.',
    look: 'statecron run show LAUNCH; statecron cluster; the log of that node',
  },
  run_orphan: {
    promise: 'P19',
    meaning: `History of a job that the database does not know: ${handMade}.`,
    look: 'the tables job, job_revision and run for that job id',
  },
  revision_gap: {
    promise: 'P19',
    meaning: `What the job was at some time is not known, nor its ticks then: ${handMade}.`,
    look: 'statecron job show JOB --json',
  },
  revision_not_in_force: {
    promise: 'P14',
    meaning: 'The job’s row and its revisions disagree about what is in force.',
    look: 'statecron job show JOB --json; a statecron job edit makes a new revision',
  },
  schedule_unreadable: {
    promise: 'P19',
    isWarning: true,
    meaning: 'This version cannot read the schedule, so that ticks of that time are not verified.',
    look: 'statecron doctor; verify with the version that wrote it',
  },
  pending_stray: {
    promise: 'P14',
    meaning: `A launch is requested of a job that was removed: ${handMade}.`,
    look: 'statecron runs --job JOB; the table pending',
  },
  lock_row_missing: {
    promise: 'P1',
    meaning: 'Nothing of those jobs is scheduled, since nobody may act without the lock.',
    look: 'stop all nodes and run: statecron doctor --fix',
  },
  session_stale: {
    promise: 'P11',
    isWarning: true,
    meaning: 'Its node is away, and no other has ended it yet; what it held waits.',
    look: 'statecron cluster; start a node: statecron node',
  },
  session_twin: {
    promise: 'P9',
    isWarning: true,
    meaning: 'Two live nodes have one name, which joining refuses.',
    look: 'statecron cluster; end one of them',
  },
} as const satisfies Record<string, VerifyRule>;

export type RuleCode = keyof typeof verifyRules;
