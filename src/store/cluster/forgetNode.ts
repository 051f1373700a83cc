import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import { writeAudit } from '../audit/writeAudit.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { integer, only, text } from '../rows/row.ts';
import { readPlacedJobs } from '../targeting/ensureNodeSlots.ts';
import { nodeSlot, nodeSlotColumns, removeIdleSlots } from '../targeting/nodeSlots.ts';
import { bumpTargetingVersion } from '../targeting/versions.ts';

interface NodeForgotten {
  readonly nodeName: string;
  /** How many slots of every-node jobs it had. */
  readonly slots: number;
}

/**
 * Takes the slots away that every-node jobs have of a node that is gone for good; what they still
 * owed is `missed`. Stripe by stripe, each its own transaction, so that nobody waits for the whole;
 * a repeat goes on where it was cut off. A node of that name that comes back gets new ones.
 * @throws OperatorError `node_live` (75), `node_not_reaped` (75), and what `settleOutcome` throws.
 */
export async function forgetNode(channel: Channel, nodeName: string): Promise<NodeForgotten> {
  let slots = 0;
  for (const stripe of await channel.rows(only(integer), selectStripes, [nodeName])) {
    slots += await changeOnce<number>(channel, {
      ...{ name: 'forgetNode', lock: [stripe], look: 'statecron cluster --ended 30d' },
      work: (connection) => forgetOnStripe(connection, nodeName, stripe),
      refused: (code) => refusal(nodeName, code),
    });
  }
  return { nodeName, slots };
}

async function forgetOnStripe(connection: ChannelConnection, nodeName: string, stripe: number) {
  const [live] = await connection.rows(only(text), selectLive, [nodeName]);
  if (live !== undefined) return { refuse: 'node_live' };
  const slots = await connection.rows(nodeSlot, selectSlots, [nodeName, stripe]);
  if (slots.some(({ isIdle }) => !isIdle)) return { refuse: 'node_not_reaped' };
  if (slots.length === 0) return { commit: 0 };
  const jobIds = slots.map(({ jobId }) => jobId);
  const { jobs, nowMs } = await readPlacedJobs(connection, jobIds);
  const reason = reasons.nodeForgotten;
  const removed = await removeIdleSlots(connection, slots, jobs, nowMs, reason);
  // One of that name that has come back meanwhile looks again.
  await bumpTargetingVersion(connection);
  const after = { slots: removed };
  await writeAudit(connection, { action: 'node.forget', target: nodeName, after });
  return { commit: removed };
}

function refusal(nodeName: string, code: string): OperatorError {
  const { message, hint } =
    code === 'node_live'
      ? { message: 'is live', hint: 'Only a node that is gone can be forgotten; stop it first.' }
      : {
          message: 'has launches that are not taken back yet',
          hint: 'Nodes take them back when its session has run out; try again after that.',
        };
  const exitCode = exitCodes.tryAgain;
  return new OperatorError({ code, message: `${nodeName} ${message}.`, hint, exitCode });
}

const selectStripes = `/* forgetNode stripes */ SELECT DISTINCT slot.stripe
  FROM slot FORCE INDEX (slot_by_node) JOIN job ON job.job_id = slot.job_id
  WHERE slot.node_name = ? AND job.removed_no = 0 ORDER BY slot.stripe`;
const selectLive = `/* forgetNode live */ SELECT session_id FROM session
  WHERE node_name = ? AND state = 'live' LIMIT 1`;
const selectSlots = `/* forgetNode read */ SELECT ${nodeSlotColumns}
  FROM slot FORCE INDEX (slot_by_node) JOIN job ON job.job_id = slot.job_id
  WHERE slot.node_name = ? AND job.removed_no = 0 AND slot.stripe = ?`;
