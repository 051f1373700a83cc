import { OperatorError } from '../../domain/errors/errors.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { findJob } from '../jobs/findJob.ts';
import { flag, integer, only, rowOf, text } from '../rows/row.ts';
import { runMissing } from '../runs/showRun.ts';
import { endPending } from '../slots/endPending.ts';
import { recordUnfinished, releaseSlots } from '../slots/releaseSlots.ts';
import { wakeJob } from './requestLaunch.ts';

/**
 * `withdrawn`: it had not started and never will. `asked`: its node will stop it. `ended`: an
 * earlier stop of it has been done.
 */
export type StopAnswer = 'withdrawn' | 'asked' | 'ended';

const stopped = { result: 'stopped', reason: reasons.stoppedByOperator } as const;

/**
 * Stops one launch, named by its id, so that never the wrong one is hit. One that is prepared is
 * withdrawn with its run row; for one that executes the request is recorded, and its node's next
 * look, within seconds, ends it. A repeat changes nothing.
 * @throws OperatorError `run_missing`, and what `settleOutcome` throws.
 */
export async function stopRun(channel: Channel, launchId: string): Promise<StopAnswer> {
  const [stripe] = await channel.rows(only(integer), selectStripe, [launchId]);
  if (stripe === undefined) return requireStopped(channel, launchId);
  const named = { action: 'run.stop', target: launchId };
  const answer = await changeOnce<StopAnswer>(channel, {
    ...{ name: 'stopRun', lock: [stripe], look: `statecron run show ${launchId}`, answers: named },
    work: async (connection) => {
      const [slot] = await connection.rows(heldSlot, selectSlot, [launchId]);
      if (slot === undefined) return { commit: 'ended' };
      const { isPrepared, jobId, slotId } = slot;
      if (isPrepared) {
        await recordUnfinished(connection, [slotId], { ...stopped, isFinal: true });
        await releaseSlots(connection, [slotId]);
      } else {
        const affected = await connection.change(requestStop, [slotId, launchId]);
        if (affected !== 1) throw new Error('stopRun: the row changed under its lock');
      }
      const after = isPrepared ? 'withdrawn' : 'asked';
      if (isPrepared || slot.isNew) await auditJob(connection, jobId, { ...named, after });
      return { commit: after };
    },
  });
  return answer === 'ended' ? requireStopped(channel, launchId) : answer;
}

/**
 * Takes back every launch that waits for its turn under a request: each gets its history row, and
 * none is ever launched. Resolves to how many; a repeat finds none.
 * @throws what `settleOutcome` throws.
 */
export async function stopRequest(
  channel: Channel,
  job: string,
  requestId: string,
): Promise<number> {
  const { jobId, stripes } = await findJob(channel, job);
  const named = { action: 'request.stop', target: requestId };
  const look = `statecron run show ${requestId}`;
  return changeOnce<number>(channel, {
    ...{ name: 'stopRequest', lock: stripes, look, answers: named },
    work: async (connection) => {
      const ofRequest = 'pending.job_id = ? AND pending.request_id = ?';
      const withdrawn = await endPending(connection, ofRequest, [jobId, requestId], stopped);
      if (withdrawn === 0) return { commit: 0 };
      await wakeJob(connection, jobId);
      await auditJob(connection, jobId, { ...named, after: { withdrawn } });
      return { commit: withdrawn };
    },
  });
}

/** A launch that no slot holds has a run row, was taken back without one, or never was. */
async function requireStopped(channel: Channel, launchId: string): Promise<StopAnswer> {
  const [result] = await channel.rows(only(text), selectRun, [launchId]);
  if (result === undefined) throw runMissing(launchId);
  if (result === 'stopped') return 'ended';
  const message = `The run ${launchId} has ended already (${result}).`;
  const hint = `There is nothing to stop; see it with: statecron run show ${launchId}`;
  throw new OperatorError({ code: 'run_ended', message, hint });
}

const selectStripe = '/* stopRun stripe */ SELECT stripe FROM slot WHERE launch_id = ?';
const heldSlot = rowOf({ slotId: integer, jobId: integer, isPrepared: flag, isNew: flag });
const selectSlot = `/* stopRun read */ SELECT slot_id, job_id, state = 'prepare' AS is_prepared,
    stop_requested_at IS NULL AS is_new
  FROM slot WHERE launch_id = ?`;
const requestStop = `/* stopRun */ UPDATE slot
  SET stop_requested_at = IFNULL(stop_requested_at, NOW(3))
  WHERE slot_id = ? AND launch_id = ? AND state = 'executing'`;
const selectRun = '/* stopRun run */ SELECT result FROM run WHERE launch_id = ?';
