import { OperatorError } from '../../domain/errors/errors.ts';
import { replacesRun } from '../../domain/policies/passOverlapped.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel, ChannelConnection } from '../connection/channel.ts';
import { changeJobInForce } from '../jobs/changeJobInForce.ts';
import { integer, nullable, rowOf } from '../rows/row.ts';
import {
  chosenSlots,
  insertPending,
  keepDetails,
  type RequestDetails,
  readRequested,
  slotsOfNode,
  wakeJob,
} from './requestLaunch.ts';
import { requireNode } from './requireNode.ts';

interface RunRequested {
  readonly jobId: number;
  readonly requestId: string;
  /** False: this request id was taken before, and nothing was added. */
  readonly isNew: boolean;
}

/** Options of one requested run. */
interface RunOptions extends Partial<RequestDetails> {
  /** Start now beside whatever the job has running, or not at all. */
  readonly ignoresOverlap?: boolean;
}

/**
 * Requests one launch now, of a paused job too. A launch of the job that is prepared for a later
 * tick is withdrawn, so that it holds nothing up; its tick is claimed again afterwards. Idempotent
 * by the request id: a repeat adds nothing, whether the launch is pending, held by a slot, or
 * history.
 * @throws OperatorError `job_missing`, `node_away`, `node_not_eligible`, `overlap`, and what
 * `settleOutcome` throws.
 */
export async function runJob(
  channel: Channel,
  name: string,
  requestId: string,
  options: RunOptions = {},
): Promise<RunRequested> {
  const { env = {}, wantedNode = null, ignoresOverlap = false } = options;
  return changeJobInForce<RunRequested>(channel, name, {
    ...{ name: 'runJob', action, look: `statecron runs --job ${shellWord(name)}` },
    work: async (connection, job) => {
      const { jobId, definition } = job;
      const [known] = await readRequested(connection, jobId, requestId);
      if (known !== undefined) return { jobId, requestId, isNew: false };
      const slotNodeName = await requireNode(connection, job, { env, wantedNode });
      if (ignoresOverlap) await requireFreeSlot(connection, { jobId, name, slotNodeName });
      if (wantedNode !== null || Object.keys(env).length > 0) {
        await keepDetails(connection, jobId, requestId, { env, wantedNode });
      }
      const place = slotNodeName === undefined ? {} : { slotNodeName };
      const request = { jobId, requestId, trigger: 'manual', ...place } as const;
      const added = await insertPending(connection, request);
      if (added === 0) throw noSlot(name, wantedNode);
      await wakeJob(connection, jobId);
      if (replacesRun(definition.overlap)) {
        await connection.change(stopReplaced, [jobId, jobId, requestId]);
      }
      // What variables hold is the caller's own affair: only their names are kept.
      const after = { requestId, env: Object.keys(env), node: wantedNode, ignoresOverlap };
      await auditJob(connection, job, { action, after });
      return { jobId, requestId, isNew: true };
    },
  });
}

const action = 'job.run';

/**
 * Two launches of one slot never live at once (P6), so what ignores an overlap needs a slot that is
 * free. It is refused rather than queued: that would be the respecting of the overlap.
 */
async function requireFreeSlot(
  connection: ChannelConnection,
  { jobId, name, slotNodeName }: { jobId: number; name: string; slotNodeName: string | undefined },
): Promise<void> {
  const [counted] = await (slotNodeName === undefined
    ? connection.rows(slotsCounted, countSlots(chosenSlots), [jobId])
    : connection.rows(slotsCounted, countSlots(slotsOfNode), [jobId, slotNodeName]));
  const { slots = 0, free = null } = counted ?? {};
  if (free !== null && free > 0) return;
  const message = `${name} is running already, as often at once as it may (${slots}).`;
  const hint =
    'Leave --ignore-overlap out to queue it, or allow more: statecron job edit … --parallel';
  throw new OperatorError({ code: 'overlap', message, hint });
}

function noSlot(name: string, wantedNode: string | null): OperatorError {
  return new OperatorError({
    code: 'node_not_eligible',
    message: `${name} has no place to run${wantedNode === null ? '' : ` on ${wantedNode}`} now.`,
    hint: 'It runs on every eligible node, and none is live: statecron job show, statecron cluster',
  });
}

/** `free` is null where there are no slots. */
const slotsCounted = rowOf({ slots: integer, free: nullable(integer) });
const countSlots = (
  slots: string,
) => `/* runJob slots */ SELECT COUNT(*) AS slots, SUM(slot.state = 'idle'
    OR (slot.state = 'prepare' AND slot.scheduled_for > NOW(3) + INTERVAL 1 SECOND)) AS free
  FROM ${slots}`;
/** With `overlap: replace` what executes gives way: its node stops it. */
const stopReplaced = `/* stopReplaced */ UPDATE slot
  SET stop_requested_at = IFNULL(stop_requested_at, NOW(3))
  WHERE job_id = ? AND node_name IN (SELECT node_name FROM pending
    WHERE pending.job_id = ? AND pending.request_id = ?) AND state = 'executing'`;
