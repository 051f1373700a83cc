import type { RuleCode } from '../../../src/domain/verify/rules/verifyRules.ts';

/** One change by hand, and exactly what a verification must say of it. */
export interface Corruption {
  /** A fact: what is found. */
  readonly found: string;
  readonly sql: readonly string[];
  readonly codes: readonly RuleCode[];
  /** The job that the first finding names; null: none. */
  readonly job?: string | null;
  /** What its sentence has in it. */
  readonly says?: RegExp;
}

const jobNamed = (name: string) => `job_id = (SELECT job_id FROM job WHERE name = '${name}')`;
const minutes = jobNamed('minutes');
/** The launch of the run before the last but three: long ended, and nothing special. */
const aMinute = `${minutes} AND launch_id = 'sminutes:75'`;

/** Changes that break the accounting of ticks. */
export const tickCorruptions: readonly Corruption[] = [
  {
    found: 'a deleted run row',
    sql: [`DELETE FROM run WHERE ${aMinute}`],
    codes: ['tick_missing'],
    job: 'minutes',
    says: /^tick \d{4}-\d\d-\d\dT\d\d:\d\d:00Z is accounted for nowhere$/,
  },
  {
    found: 'a tick in a second row',
    sql: [
      `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for, ended_at, result,
         reason)
       SELECT job_id, revision, triggered_by, attempt, scheduled_for, ended_at, 'skipped', 'why'
       FROM run WHERE ${aMinute}`,
    ],
    codes: ['tick_twice'],
    says: /is accounted for twice, the second time by history row \d+$/,
  },
  {
    found: 'an attempt that was started twice',
    sql: [
      `INSERT INTO run (job_id, revision, launch_id, session_id, triggered_by, attempt,
         scheduled_for, started_at, ended_at, result)
       SELECT job_id, revision, 'sminutes:9999', session_id, triggered_by, attempt, scheduled_for,
         ended_at, ended_at, result FROM run WHERE ${aMinute}`,
    ],
    codes: ['tick_started_twice', 'tick_twice'],
    says: /was started as launch sminutes:75 and as launch sminutes:9999$/,
  },
  {
    found: 'a tick shifted by a second',
    sql: [`UPDATE run SET scheduled_for = scheduled_for - INTERVAL 1 SECOND WHERE ${aMinute}`],
    codes: ['tick_unnamed', 'tick_missing'],
    says: /^launch sminutes:75 is for .*:59Z, which no revision names$/,
  },
  {
    found: 'a range that counts one tick too many',
    sql: [`UPDATE run SET ticks = ticks + 1 WHERE ${jobNamed('seconds')} AND ticks > 1000`],
    codes: ['range_miscounted'],
    job: 'seconds',
    says: /counts 3\d{3} ticks for .* to .*; there are 3\d{3}$/,
  },
  {
    found: 'a range that reaches over its neighbour',
    sql: [
      `UPDATE run SET scheduled_until = scheduled_until + INTERVAL 1 SECOND, ticks = ticks + 1
       WHERE ${jobNamed('seconds')} AND ticks > 1000`,
    ],
    codes: ['tick_twice'],
  },
  {
    found: 'a range that is cut short',
    sql: [
      `UPDATE run SET scheduled_until = scheduled_until - INTERVAL 60 SECOND, ticks = ticks - 60
       WHERE ${jobNamed('seconds')} AND ticks > 1000`,
    ],
    codes: ['tick_missing'],
    says: /^60 ticks, .* to .*, are accounted for nowhere$/,
  },
  {
    found: 'a final row that is made not final',
    sql: [`UPDATE run SET is_final = 0 WHERE ${aMinute}`],
    codes: ['tick_missing', 'attempt_unasked'],
  },
  {
    found: 'a range that says no reason',
    sql: [`UPDATE run SET reason = NULL WHERE ${jobNamed('seconds')} AND ticks > 1000`],
    codes: ['run_without_reason'],
    job: 'seconds',
  },
  {
    found: 'a second attempt without a first',
    sql: [`UPDATE run SET attempt = 2 WHERE ${aMinute}`],
    codes: ['attempt_gap'],
  },
  {
    found: 'a run in a slot that its job does not have',
    sql: [`UPDATE run SET slot_no = 1 WHERE ${aMinute}`],
    codes: ['run_beyond_parallel'],
  },
  {
    found: 'a cursor moved forward over ticks',
    sql: [
      `UPDATE slot SET cursor_at = cursor_at + INTERVAL 3 MINUTE,
         next_run_at = next_run_at + INTERVAL 3 MINUTE WHERE ${minutes}`,
    ],
    codes: ['tick_missing'],
    says: /^3 ticks, /,
  },
  {
    found: 'a cursor moved back',
    sql: [
      `UPDATE slot SET cursor_at = cursor_at - INTERVAL 2 MINUTE,
         next_run_at = next_run_at - INTERVAL 2 MINUTE WHERE ${minutes}`,
    ],
    codes: ['cursor_behind'],
    says: /^the cursor stands at .*, and ticks up to .* are accounted for$/,
  },
  {
    found: 'a cursor beside the ticks',
    sql: [
      `UPDATE slot SET cursor_at = cursor_at - INTERVAL 1 SECOND,
         next_run_at = next_run_at - INTERVAL 1 SECOND WHERE ${minutes}`,
    ],
    codes: ['cursor_no_tick'],
  },
  {
    found: 'a cursor that is gone',
    sql: [`UPDATE slot SET cursor_at = NULL, next_run_at = NULL WHERE ${jobNamed('prepared')}`],
    codes: ['cursor_lost'],
  },
  {
    found: 'a held tick that a row tells of as well',
    sql: [
      `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for, ended_at, result,
         reason)
       SELECT job_id, revision, 'schedule', 1, scheduled_for, NOW(3), 'skipped', 'why'
       FROM slot WHERE ${jobNamed('executing')}`,
    ],
    codes: ['tick_twice'],
  },
];

/** Changes of runs, slots, revisions, sessions and locks. */
export const rowCorruptions: readonly Corruption[] = [
  {
    found: 'a start before its tick',
    sql: [`UPDATE run SET started_at = scheduled_for - INTERVAL 2000 MICROSECOND WHERE ${aMinute}`],
    codes: ['run_early'],
    says: /^launch sminutes:75 started 2 ms before its tick /,
  },
  {
    found: 'two runs of one slot at once',
    sql: [`UPDATE run SET ended_at = ended_at + INTERVAL 1 MINUTE WHERE ${aMinute}`],
    codes: ['run_overlap'],
  },
  {
    found: 'a run that started while another of its slot executed',
    sql: [
      `UPDATE slot SET started_at = started_at - INTERVAL 1 HOUR,
         scheduled_for = scheduled_for - INTERVAL 1 HOUR, triggered_by = 'manual'
       WHERE ${jobNamed('executing')}`,
      `UPDATE run SET triggered_by = 'manual', started_at = scheduled_for,
         launch_id = 'sminutes:200', session_id = 'sminutes',
         result = 'succeeded', scheduled_until = NULL, ticks = 1
       WHERE ${jobNamed('executing')}`,
    ],
    codes: ['run_overlap', 'tick_missing'],
    says: /while launch s[0-9a-f]+:\d+ executes$/,
  },
  {
    found: 'a run of a session that is not there',
    sql: [`UPDATE run SET launch_id = 'sgone:1', session_id = 'sgone' WHERE ${aMinute}`],
    codes: ['run_without_session'],
    says: /^launch sgone:1 is of session sgone, unknown$/,
  },
  {
    found: 'a launch of another session',
    sql: [`UPDATE run SET launch_id = 'sother:1' WHERE ${aMinute}`],
    codes: ['launch_foreign'],
  },
  {
    found: 'a run of a revision that is not there',
    sql: [`UPDATE run SET revision = 7 WHERE ${aMinute}`],
    codes: ['run_of_no_revision'],
  },
  {
    found: 'a run that succeeded without a start',
    sql: [`UPDATE run SET started_at = NULL WHERE ${aMinute}`],
    codes: ['run_malformed'],
  },
  {
    found: 'a run that started after its session ended',
    sql: [
      `UPDATE session SET ended_at = NOW(3) - INTERVAL 150 SECOND WHERE session_id = 'sminutes'`,
    ],
    codes: ['run_after_session'],
  },
  {
    found: 'a run written off as lost whose session lives',
    sql: [
      `UPDATE session SET state = 'live', ended_at = NULL, reaped_at = NULL
       WHERE node_name = 'dead'`,
    ],
    codes: ['run_lost_alive'],
    job: 'lost',
  },
  {
    found: 'a run that started after its revision was replaced',
    sql: [
      `UPDATE run SET started_at = NOW(3), ended_at = NOW(3)
       WHERE ${jobNamed('edited')} AND triggered_by = 'misfire'`,
    ],
    codes: ['run_after_revision'],
    job: 'edited',
  },
  {
    found: 'a run of the schedule in a pause',
    sql: [
      `UPDATE run SET triggered_by = 'schedule'
       WHERE ${jobNamed('edited')} AND triggered_by = 'manual'`,
    ],
    codes: ['run_in_pause', 'tick_unnamed'],
  },
  {
    found: 'a gap between two revisions',
    sql: [
      `UPDATE job_revision SET in_force_until = in_force_until - INTERVAL 1000 MICROSECOND
       WHERE ${jobNamed('edited')} AND revision = 1`,
    ],
    codes: ['revision_gap'],
  },
  {
    found: 'a revision that is gone',
    sql: [`DELETE FROM job_revision WHERE ${jobNamed('edited')} AND revision = 3`],
    codes: ['revision_gap', 'run_of_no_revision'],
  },
  {
    found: 'a job that says it is paused while its revision is not',
    sql: [`UPDATE job SET paused = 1 WHERE name = 'minutes'`],
    codes: ['revision_not_in_force'],
  },
  {
    found: 'a slot that executes for a session that is not there',
    sql: [
      `UPDATE slot SET launch_id = 'sgone:1', session_id = 'sgone' WHERE ${jobNamed('executing')}`,
    ],
    codes: ['slot_without_session'],
    job: 'executing',
  },
  {
    found: 'an idle slot with a launch in it',
    sql: [`UPDATE slot SET launch_id = 'sminutes:9999' WHERE ${minutes}`],
    codes: ['slot_half_held'],
  },
  {
    found: 'a slot that executes a launch with a run row',
    sql: [
      `INSERT INTO run (job_id, revision, launch_id, session_id, triggered_by, attempt, is_final,
         scheduled_for, started_at, ended_at, result)
       SELECT job_id, revision, launch_id, session_id, triggered_by, attempt, 0, scheduled_for,
         started_at, NOW(3), 'not_started' FROM slot WHERE ${jobNamed('executing')}`,
    ],
    codes: ['slot_recorded'],
  },
  {
    found: 'a launch prepared with a revision that was replaced',
    sql: [`UPDATE slot SET revision = 0 WHERE ${jobNamed('prepared')}`],
    codes: ['run_after_revision'],
  },
  {
    found: 'a slot that no node would find due',
    sql: [`UPDATE slot SET next_run_at = NULL WHERE ${minutes}`],
    codes: ['slot_not_due'],
  },
  {
    found: 'a slot that nobody freed after its session ended',
    sql: [
      `UPDATE session SET started_at = NOW(3) - INTERVAL 1 HOUR WHERE node_name = 'a'`,
      `UPDATE session SET state = 'ended', ended_at = NOW(3) - INTERVAL 10 MINUTE
       WHERE node_name = 'holder'`,
    ],
    codes: ['slot_stuck'],
    job: 'executing',
  },
  {
    found: 'a job without a slot',
    sql: [`DELETE FROM slot WHERE ${jobNamed('manual')}`],
    codes: ['slot_missing'],
    job: 'manual',
  },
  {
    found: 'a slot on a stripe that there is not',
    sql: [`UPDATE slot SET stripe = 64 WHERE ${minutes}`],
    codes: ['slot_stripe'],
  },
  {
    found: 'a slot and a launch asked for of no job',
    sql: [
      `INSERT INTO slot (job_id, stripe) VALUES (900, 1)`,
      `INSERT INTO pending (job_id, triggered_by, scheduled_for, not_before)
       VALUES (901, 'manual', NOW(3), NOW(3))`,
    ],
    codes: ['slot_orphan'],
    job: null,
  },
  {
    found: 'a launch asked for of a removed job',
    sql: [
      `INSERT INTO pending (job_id, triggered_by, scheduled_for, not_before)
       SELECT job_id, 'manual', NOW(3), NOW(3) FROM job WHERE name = 'removed'`,
    ],
    codes: ['pending_stray'],
  },
  {
    found: 'the history of a job that is gone',
    sql: [`DELETE FROM job WHERE name = 'removed'`],
    codes: ['run_orphan'],
    job: null,
  },
  {
    found: 'a lock row that is missing',
    sql: ['DELETE FROM lock_row WHERE lock_id = 7'],
    codes: ['lock_row_missing'],
    job: null,
    says: /^the lock row 7 is missing: the jobs of stripe 7$/,
  },
];
