import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import { runsBeside } from '../../domain/targeting/mayTake.ts';
import type { LiveNode, NodeFacts } from '../../domain/targeting/nodeFacts.ts';
import { hasOwnSlots } from '../../domain/targeting/takeable.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { ensureTarget } from './ensureTarget.ts';
import {
  createNodeSlots,
  type NodeSlot,
  nodeSlot,
  nodeSlotColumns,
  type PlacedRevision,
  placedJob,
  removeIdleSlots,
  wholeIdle,
} from './nodeSlots.ts';
import { readLastFacts, readLiveNodes } from './readLiveNodes.ts';
import { readTargeting } from './targetingCache.ts';
import { bumpTargetingVersion } from './versions.ts';

/**
 * Writes where a job may run, as its new revision says, in the transaction that makes it and holds
 * its stripe: the target of its slots, and which slots there are. A job that one node runs has one
 * without a name, and one for each node that runs every tick beside that; an every-node job has one
 * for each node that is live, or was, and may run it.
 */
export async function placeJob(
  connection: ChannelConnection,
  next: Omit<PlacedRevision, 'targetId'>,
): Promise<void> {
  const { jobId, definition, inForceFromMs } = next;
  const targetId = await ensureTarget(connection, definition);
  const isEveryNode = definition.kind === 'every-node';
  await setTarget(connection, { jobId, isEveryNode, targetId });
  const slots = await connection.rows(nodeSlot, selectSlots, [jobId]);
  const named = slots.filter(({ nodeName }) => nodeName !== '');
  const { nodes: live } = await readLiveNodes(connection);
  const isAnyBeside = live.some((node) => runsBeside(node, live));
  if (!isEveryNode && named.length === 0 && !isAnyBeside) return;

  const job = placedJob({ ...next, targetId });
  const wanted = await namesOfOwn(connection, { isEveryNode, targetId }, named, live);
  if (!isEveryNode) wanted.add('');
  const present = new Set(slots.map(({ nodeName }) => nodeName));
  const missing = [...wanted].filter((nodeName) => !present.has(nodeName));
  const gone = wholeIdle(slots).filter(({ nodeName }) => !wanted.has(nodeName));
  const isSameKind = isEveryNode !== present.has('');
  const reason = isSameKind ? reasons.nodeNotMeant : reasons.kindChanged;
  const jobs = new Map([[jobId, job]]);
  await removeIdleSlots(connection, gone, jobs, inForceFromMs - 1, reason);
  const made = missing.map((nodeName) => ({ job, nodeName }));
  await createNodeSlots(connection, made, inForceFromMs);
  // A node that joins now is not seen here: it looks when it sees another version.
  if (isEveryNode) await bumpTargetingVersion(connection);
}

/** Writes it into the job and its slots, whatever they hold. The caller holds the job's stripe. */
export async function setTarget(
  connection: ChannelConnection,
  job: { readonly jobId: number; readonly isEveryNode: boolean; readonly targetId: number },
): Promise<void> {
  const { isEveryNode, jobId, targetId } = job;
  await connection.change(updateJob, [isEveryNode, targetId, jobId, isEveryNode, targetId]);
  await connection.change(updateSlots, [targetId, jobId, targetId]);
}

/**
 * A slot that executes cannot become another one.
 * @throws OperatorError (75) when an edit changes the kind of a job while it executes.
 */
export function requireSameKind(
  before: JobDefinition,
  after: JobDefinition,
  slots: readonly { readonly state: string }[],
): void {
  if (before.kind === after.kind || slots.every(({ state }) => state !== 'executing')) return;
  const message = `${before.name} executes now: its kind cannot change meanwhile.`;
  const hint = 'Pause it, wait for the end or stop the run, and try again.';
  throw new OperatorError({ code: 'job_executing', message, hint, exitCode: exitCodes.tryAgain });
}

/** The nodes that have slots of it: some that are live, and some that are away and have some. */
async function namesOfOwn(
  connection: ChannelConnection,
  job: { readonly isEveryNode: boolean; readonly targetId: number },
  named: readonly NodeSlot[],
  live: readonly LiveNode[],
): Promise<Set<string>> {
  const targeting = await readTargeting(connection);
  const facts = new Map<string, NodeFacts>(live.map((node) => [node.nodeName, node]));
  for (const { nodeName } of named) {
    if (facts.has(nodeName)) continue;
    const last = await readLastFacts(connection, nodeName);
    if (last !== null) facts.set(nodeName, last);
  }
  const own = [...facts.values()].filter((node) => hasOwnSlots(node, job, live, targeting));
  return new Set(own.map(({ nodeName }) => nodeName));
}

const updateJob = `/* placeJob */ UPDATE job SET every_node = ?, target_id = ?
  WHERE job_id = ? AND (every_node <> ? OR target_id <> ?)`;
const updateSlots = `/* placeJob slots */ UPDATE slot SET target_id = ?
  WHERE job_id = ? AND target_id <> ?`;
const selectSlots = `/* placeJob read */ SELECT ${nodeSlotColumns}
  FROM slot WHERE job_id = ? ORDER BY slot_id`;
