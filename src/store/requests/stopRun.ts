import { OperatorError } from '../../domain/errors/errors.ts';
import { reasons } from '../../domain/reasons/reasons.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel } from '../connection/channel.ts';
import { changeOnce } from '../idempotency/changeOnce.ts';
import { flag, integer, only, rowOf, text } from '../rows/row.ts';
import { runMissing } from '../runs/showRun.ts';
import { recordUnfinished, releaseSlots } from '../slots/releaseSlots.ts';

/**
 * `withdrawn`: it had not started and never will. `asked`: its node will stop it. `ended`: an
 * earlier stop of it has been done.
 */
export type StopAnswer = 'withdrawn' | 'asked' | 'ended';

/**
 * Stops one launch, named by its id, so that never the wrong one is hit. One that is prepared is
 * withdrawn with its run row; for one that executes the wish is written down, and its node's next
 * look, within seconds, ends it. Asking again changes nothing.
 * @throws OperatorError `run_missing`, and what `settleOutcome` throws.
 */
export async function stopRun(channel: Channel, launchId: string): Promise<StopAnswer> {
  const [stripe] = await channel.rows(only(integer), selectStripe, [launchId]);
  if (stripe === undefined) return requireStopped(channel, launchId);
  const answer = await changeOnce<StopAnswer>(channel, {
    ...{ name: 'stopRun', lock: [stripe], isIdempotent: true },
    work: async (connection) => {
      const [slot] = await connection.rows(heldSlot, selectSlot, [launchId]);
      if (slot === undefined) return { commit: 'ended' };
      const { jobId, slotId } = slot;
      if (slot.isPrepared) {
        const slotIds = [slotId];
        const reason = reasons.stoppedByOperator;
        await recordUnfinished(connection, slotIds, { result: 'stopped', isFinal: true, reason });
        await releaseSlots(connection, slotIds);
        await auditJob(connection, jobId, stopOf(launchId, 'withdrawn'));
        return { commit: 'withdrawn' };
      }
      const affected = await connection.change(requestStop, [slotId, launchId]);
      if (affected !== 1) throw new Error('stopRun: the row changed under its lock');
      if (slot.isNew) await auditJob(connection, jobId, stopOf(launchId, 'asked'));
      return { commit: 'asked' };
    },
    look: `statecron run show ${launchId}`,
    answers: { action, target: launchId },
  });
  return answer === 'ended' ? requireStopped(channel, launchId) : answer;
}

const action = 'run.stop';

function stopOf(launchId: string, after: StopAnswer) {
  return { action, target: launchId, before: null, after };
}

/** A launch that no slot holds has a run row, was taken back without one, or never was. */
async function requireStopped(channel: Channel, launchId: string): Promise<StopAnswer> {
  const [result] = await channel.rows(only(text), selectRun, [launchId]);
  if (result === undefined) throw runMissing(launchId);
  if (result === 'stopped') return 'ended';
  throw new OperatorError({
    code: 'run_ended',
    message: `The run ${launchId} has ended already (${result}).`,
    hint: `There is nothing to stop; see it with: statecron run show ${launchId}`,
  });
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
