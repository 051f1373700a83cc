import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import { stripeOfJob } from '../../domain/run/stripes.ts';
import { runsBeside } from '../../domain/targeting/mayTake.ts';
import { noTarget, targetsOf } from '../../domain/targeting/takeable.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import type { Queryable } from '../connection/queryable.ts';
import { joinedRevision } from '../rows/joinedRevision.ts';
import { partition } from '../rows/partition.ts';
import {
  type Decoder,
  each,
  flag,
  instantMs,
  integer,
  jsonOf,
  only,
  rowOf,
  text,
} from '../rows/row.ts';
import { takeFreeStripes } from '../transaction/takeStripes.ts';
import { transact } from '../transaction/transact.ts';
import {
  createNodeSlots,
  nodeSlot,
  nodeSlotColumns,
  type PlacedJob,
  placedJob,
  removeIdleSlots,
  wholeIdle,
} from './nodeSlots.ts';
import { readLiveNodes } from './readLiveNodes.ts';
import type { TargetingCache } from './targetingCache.ts';

/** Of one transaction: about a hundred milliseconds. */
const jobsMax = 200;

/** The ids of jobs. */
interface Work {
  /** Those that the node is to have slots of, and has not. */
  readonly missing: readonly number[];
  /** Those that it is to have none of, and has, all of them idle. */
  readonly obsolete: readonly number[];
  /** Those of which one is not idle yet: they are left for a later time. */
  readonly busy: readonly number[];
}

/**
 * Gives the own node its slots of every every-node job that it may run, or of every job when it
 * runs each tick beside the chosen node, and takes away those that it is not to have any more, with
 * their ticks accounted for. An unlocked look finds whether there is anything to do; it is decided
 * anew under the stripes, of which busy ones are left for the next time, as are slots that execute.
 * Resolves to whether nothing is left to do.
 */
export async function ensureNodeSlots(
  channel: Channel,
  cache: TargetingCache,
  sessionId: string,
): Promise<boolean> {
  const seen = await readWork(channel, cache, sessionId, null);
  const jobIds = [...new Set([...seen.missing, ...seen.obsolete])];
  if (jobIds.length === 0) return seen.busy.length === 0;
  const stripes = [...new Set(jobIds.map(stripeOfJob))].sort((a, b) => a - b);
  const outcome = await transact(channel, 'ensureNodeSlots', async (connection) => {
    const held = await takeFreeStripes(connection, stripes);
    const [session] = await connection.rows(ownSession, readSession, [sessionId]);
    if (!session?.isLive) return { refuse: 'the session has ended' };
    const free = jobIds.filter((jobId) => held.has(stripeOfJob(jobId)));
    if (free.length > 0) {
      const work = await readWork(connection, cache, sessionId, free);
      await writeSlots(connection, work, session.nodeName);
    }
    return { commit: null };
  });
  if (outcome.outcome === 'unknown') throw outcome.cause;
  return false; // The next look finds nothing more, or what is left.
}

/** `jobIds`: only of these, whose stripes are held; null: of all, without locks. */
async function readWork(
  database: Queryable,
  cache: TargetingCache,
  sessionId: string,
  jobIds: readonly number[] | null,
): Promise<Work> {
  const { nodes, version } = await readLiveNodes(database, sessionId);
  const me = nodes.find((node) => node.sessionId === sessionId);
  if (me === undefined) return { missing: [], obsolete: [], busy: [] };
  const targeting = await cache.read(database, version);
  const targets = [noTarget, ...targetsOf({ ...me, isDraining: false }, targeting)];
  const isBeside = runsBeside(me, nodes);
  const ofThese = jobIds === null ? '' : 'AND job.job_id IN (?)';
  const given = jobIds === null ? [] : [jobIds];
  const find = <T>(decode: Decoder<T>, sql: string): Promise<T[]> => {
    const parameters = [me.nodeName, isBeside, targets, ...given, jobsMax];
    return database.rows(decode, sql.replace('/* only */', ofThese), parameters);
  };
  // A node that is cordoned stays, so that its ticks are accounted for.
  const isLeaving = me.isDraining && !me.isCordoned;
  const missing = isLeaving ? [] : await find(only(integer), selectMissing);
  const [obsolete, busy] = partition(
    await find(obsoleteJob, selectObsolete),
    ({ isAllIdle }) => isAllIdle,
  );
  const idOf = ({ jobId }: { readonly jobId: number }) => jobId;
  return { missing, obsolete: obsolete.map(idOf), busy: busy.map(idOf) };
}

async function writeSlots(
  connection: ChannelConnection,
  { missing, obsolete }: Work,
  nodeName: string,
): Promise<void> {
  const jobIds = [...missing, ...obsolete];
  if (jobIds.length === 0) return;
  const { jobs, nowMs } = await readPlacedJobs(connection, jobIds);
  if (obsolete.length > 0) {
    const slots = await connection.rows(nodeSlot, selectSlots, [obsolete, nodeName]);
    await removeIdleSlots(connection, wholeIdle(slots), jobs, nowMs, reasons.nodeNotMeant);
  }
  const made = missing.flatMap((jobId) => {
    const job = jobs.get(jobId);
    return job === undefined ? [] : [{ job, nodeName }];
  });
  await createNodeSlots(connection, made, nowMs);
}

/** Jobs whose stripes the caller holds, without those that this version does not understand. */
export async function readPlacedJobs(
  connection: ChannelConnection,
  jobIds: readonly number[],
): Promise<{ readonly jobs: ReadonlyMap<number, PlacedJob>; readonly nowMs: number }> {
  const jobs = new Map<number, PlacedJob>();
  for (const job of await connection.rows(jobToPlace, selectJobs, [jobIds])) {
    if (whyNotUnderstood(job.definition) === null) jobs.set(job.jobId, placedJob(job));
  }
  return { jobs, nowMs: await connection.readNow() };
}

const ownSession = rowOf({ isLive: flag, nodeName: text });
const readSession = `/* ensureNodeSlots session */ SELECT state = 'live' AS is_live, node_name
  FROM session WHERE session_id = ?`;
const selectMissing = `/* ensureNodeSlots missing */ SELECT job.job_id
  FROM job LEFT JOIN slot
    ON slot.job_id = job.job_id AND slot.node_name = ? AND slot.slot_no = 0
  WHERE (job.every_node = 1 OR ?) AND job.removed_no = 0 AND job.target_id IN (?)
    AND slot.slot_id IS NULL /* only */
  ORDER BY job.job_id LIMIT ?`;
const obsoleteJob = rowOf({ jobId: integer, isAllIdle: flag });
const selectObsolete = `/* ensureNodeSlots obsolete */ SELECT slot.job_id,
    MIN(slot.state = 'idle') AS is_all_idle
  FROM slot FORCE INDEX (slot_by_node) JOIN job ON job.job_id = slot.job_id
  WHERE slot.node_name = ? AND job.removed_no = 0
    AND NOT ((job.every_node = 1 OR ?) AND job.target_id IN (?)) /* only */
  GROUP BY slot.job_id ORDER BY is_all_idle DESC, slot.job_id LIMIT ?`;
const selectSlots = `/* ensureNodeSlots slots */ SELECT ${nodeSlotColumns}
  FROM slot WHERE job_id IN (?) AND node_name = ?`;
const jobToPlace = rowOf({
  ...each(integer, 'jobId', 'revision', 'targetId'),
  isPaused: flag,
  definition: jsonOf<JobDefinition>(),
  inForceFromMs: instantMs,
});
const selectJobs = `/* readPlacedJobs */ SELECT job.job_id, job.revision, job.paused AS is_paused,
    job.target_id, job_revision.definition, job_revision.in_force_from
  FROM ${joinedRevision}
  WHERE job.job_id IN (?) AND job.removed_no = 0`;
