import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { Muted } from '../../../domain/notifications/mute.ts';
import type { Channel } from '../../connection/channel.ts';
import type { Queryable } from '../../connection/queryable.ts';
import { each, instantMs, nullable, rowOf, text, wordOf } from '../../rows/row.ts';

/** What is muted, until when, by whom and why. */
export type MuteShown = ReturnType<typeof muteShown>;

/** All that is muted now. Read without locks. */
export function listMutes(channel: Channel): Promise<MuteShown[]> {
  return channel.rows(muteShown, selectAll, [listedMax]);
}

const listedMax = 10_000;

/** The names of what may be muted, of each kind. */
interface MuteNames {
  readonly jobs: readonly string[];
  readonly groups: readonly string[];
  readonly targets: readonly string[];
}

/** The mutes of any of these; `isOver`: those too that have ended, as far as they are kept. */
export function readMutes(
  database: Queryable,
  { groups, jobs, targets }: MuteNames,
  isOver = false,
): Promise<MuteShown[]> {
  // No list may be empty, and nothing has the empty name.
  const names = [jobs, groups, targets].map((each) => [...each, '']);
  return database.rows(muteShown, selectOf, [...names, isOver, listedMax]);
}

/** What holds back notifications about a job now: about it, its group, or to whom it names. */
export function readMutesOfJob(
  database: Queryable,
  { group = 'default', name, notify }: Pick<JobDefinition, 'group' | 'name' | 'notify'>,
): Promise<MuteShown[]> {
  const targets = [...(notify?.to ?? []), ...(notify?.ping ?? [])];
  return readMutes(database, { jobs: [name], groups: [group], targets });
}

const muteShown = rowOf({
  kind: wordOf<Muted['kind']>(),
  ...each(text, 'name', 'by', 'note'),
  ...each(instantMs, 'sinceMs', 'untilMs'),
  /** The group of the job, or the group itself; null: it is no group's, or the job was removed. */
  group: nullable(text),
});
const columns = `muted_kind AS kind, muted_name AS name, since_at AS since,
    until_at AS until, muted_by AS 'by', mute_note AS note,
    CASE WHEN muted_kind = 'group' THEN muted_name WHEN job.job_id IS NULL THEN NULL
      ELSE IFNULL(NULLIF(target.job_group, ''), 'default') END AS 'group'`;
const fromMutes = `FROM notice_mute LEFT JOIN job
      ON muted_kind = 'job' AND job.name = muted_name AND job.removed_no = 0
    LEFT JOIN target ON target.target_id = job.target_id
  WHERE (job.job_id IS NULL OR job.job_id = notice_mute.job_id)`;
const isInForce = 'until_at > NOW(3)';
const inOrder = 'ORDER BY muted_kind, muted_name LIMIT ?';
const selectAll = `/* listMutes */ SELECT ${columns} ${fromMutes} AND ${isInForce} ${inOrder}`;
const selectOf = `/* readMutes */ SELECT ${columns} ${fromMutes}
    AND ((muted_kind = 'job' AND muted_name IN (?))
      OR (muted_kind = 'group' AND muted_name IN (?))
      OR (muted_kind = 'target' AND muted_name IN (?)))
    AND (? OR ${isInForce}) ${inOrder}`;
