import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import { stripeOfJob } from '../../domain/run/stripes.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { readJobsInForce } from '../jobs/findJob.ts';
import { joinRevision } from '../rows/joinedRevision.ts';
import { integer, only } from '../rows/row.ts';
import { ensureTarget } from '../targeting/ensureTarget.ts';
import { setTarget } from '../targeting/placeJob.ts';
import { bumpTargetingVersion } from '../targeting/versions.ts';
import { takeFreeStripes } from '../transaction/takeStripes.ts';
import { transact } from '../transaction/transact.ts';

/** Of one transaction. */
const jobsMax = 50;

interface Retargeted {
  readonly jobs: number;
  /** The id after which to go on; null: there are no more. */
  readonly afterId: number | null;
}

/**
 * Gives jobs that name a user, and were last written by a release that did not put it into their
 * target, the target that they have now: so only nodes that allow the user take them. The own
 * slots of every-node jobs follow, as after an edit. A job whose stripe is busy is left for the
 * next call.
 */
export async function retargetUsers(channel: Channel, afterId: number): Promise<Retargeted> {
  const jobIds = await channel.rows(only(integer), selectJobs, [afterId, jobsMax]);
  if (jobIds.length === 0) return { jobs: 0, afterId: null };
  const stripes = [...new Set(jobIds.map(stripeOfJob))].sort((a, b) => a - b);
  const outcome = await transact<Retargeted>(channel, 'retargetUsers', async (connection) => {
    const held = await takeFreeStripes(connection, stripes);
    const isHeld = (jobId: number): boolean => held.has(stripeOfJob(jobId));
    const jobs = await retarget(connection, jobIds.filter(isHeld));
    const left = jobIds.find((jobId) => !isHeld(jobId));
    return { commit: { jobs, afterId: left === undefined ? (jobIds.at(-1) ?? null) : left - 1 } };
  });
  return outcome.outcome === 'committed' ? outcome.value : { jobs: 0, afterId };
}

async function retarget(connection: ChannelConnection, jobIds: readonly number[]): Promise<number> {
  if (jobIds.length === 0) return 0;
  const inForce = await readJobsInForce(connection, jobIds);
  let changed = 0;
  for (const { definition, jobId, targetId: before } of inForce) {
    if (definition.user === undefined || whyNotUnderstood(definition) !== null) continue;
    const targetId = await ensureTarget(connection, definition);
    if (targetId === before) continue;
    await setTarget(connection, { jobId, isEveryNode: definition.kind === 'every-node', targetId });
    changed += 1;
  }
  if (changed > 0) await bumpTargetingVersion(connection);
  return changed;
}

/** A variable of the name `user` finds a job that names no user, which is left as it is. */
const selectJobs = `/* retargetUsers look */ SELECT job.job_id
  FROM target JOIN job ON job.target_id = target.target_id ${joinRevision}
  WHERE target.user_name IS NULL AND target.definition_format >= 3
    AND job.removed_no = 0 AND job.job_id > ? AND job_revision.definition LIKE '%"user":%'
  ORDER BY job.job_id LIMIT ?`;
