import { whyNotUnderstood } from '../../domain/definitionFormat.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { reasons } from '../../domain/policies/reasons.ts';
import { ticksOfRevision } from '../../domain/revisionTicks.ts';
import { stripeOfJob } from '../../domain/stripes.ts';
import { runsBeside } from '../../domain/targeting/mayTake.ts';
import { noTarget, targetsOf } from '../../domain/targeting/takeable.ts';
import type { Channel, ChannelConnection, Row } from '../channel.ts';
import type { Queryable } from '../queryable.ts';
import { takeFreeStripes } from '../takeStripes.ts';
import { transact } from '../transact.ts';
import { createNodeSlots, type PlacedJob, removeIdleSlots, wholeIdle } from './nodeSlots.ts';
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
 * runs each tick beside the node that is chosen, and takes those away that it is not to have any
 * more, with their ticks accounted for. An unlocked look tells whether there is
 * anything to do; what is done is decided anew under the stripes, of which those that are busy are
 * left for the next time, as are slots that execute. Resolves to whether nothing is left to do.
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
    const [session] = await connection.query<Row[]>(readSession, [sessionId]);
    if (session?.state !== 'live') return { refuse: 'the session has ended' };
    const free = jobIds.filter((jobId) => held.has(stripeOfJob(jobId)));
    if (free.length > 0) {
      const work = await readWork(connection, cache, sessionId, free);
      await writeSlots(connection, work, session.node_name as string);
    }
    return { commit: null };
  });
  if (outcome.outcome === 'unknown') throw outcome.cause;
  return false; // The next look finds nothing more, or what is left.
}

/** `jobIds`: only of these, whose stripes are held; null: of all, without locks. */
async function readWork(
  asker: Queryable,
  cache: TargetingCache,
  sessionId: string,
  jobIds: readonly number[] | null,
): Promise<Work> {
  const { nodes, version } = await readLiveNodes(asker, sessionId);
  const me = nodes.find((node) => node.sessionId === sessionId);
  if (me === undefined) return { missing: [], obsolete: [], busy: [] };
  const targeting = await cache.read(asker, version);
  const targets = [noTarget, ...targetsOf({ ...me, isDraining: false }, targeting)];
  const isBeside = runsBeside(me, nodes);
  const only = jobIds === null ? '' : 'AND job.job_id IN (?)';
  const given = jobIds === null ? [] : [jobIds];
  const find = (sql: string): Promise<Row[]> => {
    const parameters = [me.nodeName, isBeside, targets, ...given, jobsMax];
    return asker.query<Row[]>(sql.replace('/* only */', only), parameters);
  };
  const idsOf = (rows: readonly Row[]) => rows.map((row) => row.job_id as number);
  const missing = me.isDraining ? [] : await find(selectMissing);
  const obsolete = await find(selectObsolete);
  return {
    missing: idsOf(missing),
    obsolete: idsOf(obsolete.filter((row) => Number(row.all_idle) === 1)),
    busy: idsOf(obsolete.filter((row) => Number(row.all_idle) === 0)),
  };
}

async function writeSlots(
  connection: ChannelConnection,
  { missing, obsolete }: Work,
  nodeName: string,
): Promise<void> {
  const jobIds = [...missing, ...obsolete];
  if (jobIds.length === 0) return;
  const { jobs, nowMs } = await readPlacedJobs(connection, jobIds);
  const rows =
    obsolete.length === 0 ? [] : await connection.query<Row[]>(selectSlots, [obsolete, nodeName]);
  const removed = wholeIdle(rows).flatMap((row) => {
    const job = jobs.get(row.job_id as number);
    return job === undefined ? [] : [{ job, row }];
  });
  await removeIdleSlots(connection, removed, nowMs, reasons.nodeNotMeant);
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
  const rows = await connection.query<Row[]>(selectJobs, [jobIds]);
  const jobs = new Map<number, PlacedJob>();
  for (const row of rows) {
    const definition = JSON.parse(row.definition as string) as JobDefinition;
    if (whyNotUnderstood(definition) !== null) continue;
    const jobId = row.job_id as number;
    const inForceFromMs = (row.in_force_from as Date).getTime();
    jobs.set(jobId, {
      jobId,
      stripe: stripeOfJob(jobId),
      targetId: row.target_id as number,
      revision: row.revision as number,
      parallel: definition.parallel ?? 1,
      ticks: row.paused === 1 ? null : ticksOfRevision(definition, inForceFromMs),
    });
  }
  const [clock] = await connection.query<Row[]>(readNow);
  if (clock === undefined) throw new Error('readPlacedJobs: the database told no time');
  return { jobs, nowMs: (clock.now_at as Date).getTime() };
}

const readSession = `/* ensureNodeSlots session */ SELECT state, node_name FROM session
  WHERE session_id = ?`;
const selectMissing = `/* ensureNodeSlots missing */ SELECT job.job_id
  FROM job LEFT JOIN slot
    ON slot.job_id = job.job_id AND slot.node_name = ? AND slot.slot_no = 0
  WHERE (job.every_node = 1 OR ?) AND job.removed_no = 0 AND job.target_id IN (?)
    AND slot.slot_id IS NULL /* only */
  ORDER BY job.job_id LIMIT ?`;
const selectObsolete = `/* ensureNodeSlots obsolete */ SELECT slot.job_id,
    MIN(slot.state = 'idle') AS all_idle
  FROM slot FORCE INDEX (slot_by_node) JOIN job ON job.job_id = slot.job_id
  WHERE slot.node_name = ? AND job.removed_no = 0
    AND NOT ((job.every_node = 1 OR ?) AND job.target_id IN (?)) /* only */
  GROUP BY slot.job_id ORDER BY all_idle DESC, slot.job_id LIMIT ?`;
const selectSlots = `/* ensureNodeSlots slots */ SELECT slot_id, job_id, node_name, slot_no, state,
    cursor_at, ended_at
  FROM slot WHERE job_id IN (?) AND node_name = ?`;
const selectJobs = `/* readPlacedJobs */ SELECT job.job_id, job.revision, job.paused, job.target_id,
    job_revision.definition, job_revision.in_force_from
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.job_id IN (?) AND job.removed_no = 0`;
const readNow = '/* readPlacedJobs now */ SELECT NOW(3) AS now_at';
