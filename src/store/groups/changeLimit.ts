import { jobsCountedMax } from '../../domain/job/jobsCountedMax.ts';
import { allStripes } from '../../domain/run/stripes.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel } from '../connection/channel.ts';
import { rowsOfEach, type Select } from '../connection/rowsOfEach.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { integer, only, rowOf, text } from '../rows/row.ts';
import { bumpTargetingVersion } from '../targeting/versions.ts';

const limitListed = rowOf({
  group: text,
  concurrencyMax: integer,
  /** How many launches its jobs have now, prepared ones included. */
  held: integer,
  /** Of those the runs. */
  running: integer,
  /** What is due and nobody has claimed. */
  waiting: integer,
});
interface LimitListed extends ReturnType<typeof limitListed> {
  /** How many jobs the group has, counted up to `jobsCountedMax`. */
  readonly jobs: number;
}

/**
 * Sets how many launches the jobs of a group may have at once in the whole cluster, or takes the
 * limit away (null). It holds every stripe, as a write, so that after it is acknowledged nothing is
 * claimed by another limit; what is held already goes on. Resolves to whether that was a change.
 * @throws what `settleOutcome` throws.
 */
export async function changeLimit(
  channel: Channel,
  group: string,
  concurrencyMax: number | null,
): Promise<boolean> {
  const named = { action: 'limit.change', target: group };
  return changeOnce<boolean>(channel, {
    ...{ name: 'changeLimit', lock: allStripes, look: 'statecron limit list', answers: named },
    work: async (connection) => {
      const [before = null] = await connection.rows(only(integer), selectLimit, [group]);
      if (before === concurrencyMax) return { commit: false };
      if (concurrencyMax === null) await connection.change(deleteLimit, [group]);
      else await connection.change(writeLimit, [group, concurrencyMax]);
      await bumpTargetingVersion(connection);
      await writeAudit(connection, { ...named, before, after: concurrencyMax });
      return { commit: true };
    },
  });
}

/** All limits by the names of their groups, with what is held of each. Read without locks. */
export async function listLimits(channel: Channel): Promise<LimitListed[]> {
  const limits = await channel.rows(limitListed, selectLimits);
  const selects = limits.map(({ group }): Select => [countJobs, [group, group, jobsCountedMax]]);
  const counts = await rowsOfEach(channel, groupSize, selects);
  const jobsOf = new Map(counts.map(({ group, jobs }) => [group, jobs]));
  return limits.map((each) => ({ ...each, jobs: jobsOf.get(each.group) ?? 0 }));
}

const selectLimit = `/* changeLimit read */ SELECT concurrency_max FROM job_group
  WHERE group_name = ?`;
const deleteLimit = '/* changeLimit remove */ DELETE FROM job_group WHERE group_name = ?';
const writeLimit = `/* changeLimit */ INSERT INTO job_group
    (group_name, concurrency_max, changed_at)
  VALUES (?, ?, NOW(3))
  ON DUPLICATE KEY UPDATE concurrency_max = VALUES(concurrency_max),
    changed_at = VALUES(changed_at)`;
const selectLimits = `/* listLimits */ SELECT group_name AS 'group', concurrency_max,
    IFNULL(slots.held, 0) AS held, IFNULL(slots.running, 0) AS running,
    IFNULL(slots.waiting, 0) AS waiting
  FROM job_group LEFT JOIN (
    SELECT target.job_group, COUNT(IF(slot.state = 'idle', NULL, 1)) AS held,
      COUNT(IF(slot.state = 'executing', 1, NULL)) AS running,
      COUNT(IF(slot.state = 'idle', 1, NULL)) AS waiting
    FROM slot FORCE INDEX (slot_by_due) JOIN target ON target.target_id = slot.target_id
    WHERE slot.state IN ('prepare', 'executing')
      OR (slot.state = 'idle' AND slot.next_run_at <= NOW(3))
    GROUP BY target.job_group
  ) AS slots ON slots.job_group = job_group.group_name
  ORDER BY group_name`;
const groupSize = rowOf({ group: text, jobs: integer });
const countJobs = `/* listLimits jobs */ SELECT ? AS 'group', COUNT(*) AS jobs FROM (
  SELECT STRAIGHT_JOIN 1
  FROM target JOIN job FORCE INDEX (job_by_target) ON job.target_id = target.target_id
  WHERE target.job_group = ? AND job.removed_no = 0 LIMIT ?) AS counted`;
