import { OperatorError } from '../../domain/errors.ts';
import { reasons } from '../../domain/policies/reasons.ts';
import { auditJob } from '../audit/auditJob.ts';
import type { Channel, Row } from '../channel.ts';
import { changeOnce } from '../jobs/changeOnce.ts';
import { recordUnfinished, releaseSlots } from '../slots/releaseSlots.ts';
import { runMissing } from './showRun.ts';

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
  const [seen] = await channel.query<Row[]>(selectStripe, [launchId]);
  if (seen === undefined) return requireStopped(channel, launchId);
  const outcome = await changeOnce<StopAnswer>(channel, {
    ...{ name: 'stopRun', lock: [seen.stripe as number], isIdempotent: true },
    work: async (connection) => {
      const [slot] = await connection.query<Row[]>(selectSlot, [launchId]);
      if (slot === undefined) return { commit: 'ended' };
      const jobId = slot.job_id as number;
      if (slot.state === 'prepare') {
        const slotIds = [slot.slot_id as number];
        const reason = reasons.stoppedByOperator;
        await recordUnfinished(connection, slotIds, { result: 'stopped', isFinal: true, reason });
        await releaseSlots(connection, slotIds);
        await auditJob(connection, jobId, stopOf(launchId, 'withdrawn'));
        return { commit: 'withdrawn' };
      }
      const affected = await connection.change(requestStop, [slot.slot_id, launchId]);
      if (affected !== 1) throw new Error('stopRun: the row changed under its lock');
      const isNew = slot.stop_requested_at === null;
      if (isNew) await auditJob(connection, jobId, stopOf(launchId, 'asked'));
      return { commit: 'asked' };
    },
    look: `statecron run show ${launchId}`,
    answers: { action, target: launchId },
  });
  if (outcome.outcome === 'refused') throw new Error('stopRun refuses nothing');
  return outcome.value === 'ended' ? requireStopped(channel, launchId) : outcome.value;
}

const action = 'run.stop';

function stopOf(launchId: string, after: StopAnswer) {
  return { action, target: launchId, before: null, after };
}

/** A launch that no slot holds has a run row, was taken back without one, or never was. */
async function requireStopped(channel: Channel, launchId: string): Promise<StopAnswer> {
  const [run] = await channel.query<Row[]>(selectRun, [launchId]);
  if (run === undefined) throw runMissing(launchId);
  if (run.result === 'stopped') return 'ended';
  throw new OperatorError({
    code: 'run_ended',
    message: `The run ${launchId} has ended already (${run.result}).`,
    hint: `There is nothing to stop; see it with: statecron run show ${launchId}`,
  });
}

const selectStripe = '/* stopRun stripe */ SELECT stripe FROM slot WHERE launch_id = ?';
const selectSlot = `/* stopRun read */ SELECT slot_id, job_id, state, stop_requested_at
  FROM slot WHERE launch_id = ?`;
const requestStop = `/* stopRun */ UPDATE slot
  SET stop_requested_at = IFNULL(stop_requested_at, NOW(3))
  WHERE slot_id = ? AND launch_id = ? AND state = 'executing'`;
const selectRun = '/* stopRun run */ SELECT result FROM run WHERE launch_id = ?';
