import { isMuted, isUnheardRecovery, type Mutable } from '../../../domain/notifications/mute.ts';
import type { NotificationFacts } from '../../../domain/notifications/notification.ts';
import { isFailure } from '../../../domain/run/run.ts';
import type { Channel } from '../../connection/channel.ts';
import { instantMs, rowOf, text } from '../../rows/row.ts';
import { readMutes } from './readMutes.ts';

/** A notification of the outbox that is due. */
interface Due extends Omit<Mutable, 'target'> {
  readonly facts: NotificationFacts;
  /** When it was first due. */
  readonly sinceMs: number;
  readonly nowMs: number;
}

/**
 * Those of the notifications of a target that a mute holds back: one that is in force, or was when
 * they became due, however late a node looks at them. So the end of a mute sends nothing.
 */
export async function findMuted<T extends Due>(
  channel: Channel,
  target: string,
  due: readonly T[],
): Promise<Set<T>> {
  const muted = new Set<T>();
  if (due.length === 0) return muted;
  const jobs = new Set(due.flatMap(({ facts: { job } }) => job ?? []));
  const groups = new Set(due.map(({ facts: { group = 'default' } }) => group));
  const names = { jobs: [...jobs], groups: [...groups], targets: [target] };
  const mutes = await readMutes(channel, names, true);
  if (mutes.length === 0) return muted;
  for (const each of due) {
    const seen = { ...each, target };
    if (isMuted(seen, mutes, [each.sinceMs, each.nowMs])) muted.add(each);
    if (each.event !== 'recovery' || muted.has(each)) continue;
    const failedMs = await readFailures(channel, each.facts.launchId ?? '');
    if (isUnheardRecovery(seen, mutes, failedMs)) muted.add(each);
  }
  return muted;
}

/** When the runs ended that failed one after the other before the launch; the last first. */
async function readFailures(channel: Channel, launchId: string): Promise<number[]> {
  const runs = await channel.rows(endedRun, selectBefore, [launchId, runsMax]);
  const since = runs.findIndex(({ result }) => result === 'succeeded');
  const failed = (since === -1 ? runs : runs.slice(0, since)).filter((run) =>
    isFailure(run.result),
  );
  return failed.map(({ endedMs }) => endedMs);
}

const runsMax = 100;

const endedRun = rowOf({ result: text, endedMs: instantMs });
const selectBefore = `/* findMuted failures */ SELECT STRAIGHT_JOIN run.result,
    run.ended_at AS ended
  FROM run AS recovered JOIN run FORCE INDEX (run_by_job) ON run.job_id = recovered.job_id
  WHERE recovered.launch_id = ? AND run.node_name = recovered.node_name AND run.is_final = 1
    AND run.started_at IS NOT NULL AND run.ended_at <= recovered.ended_at
    AND run.run_id <> recovered.run_id
  ORDER BY run.ended_at DESC, run.run_id DESC LIMIT ?`;
