import { isMuted, isUnheardRecovery, type Mutable } from '../../../domain/notifications/mute.ts';
import type { NotificationFacts } from '../../../domain/notifications/notification.ts';
import { notificationId } from '../../../domain/notifications/notificationId.ts';
import { isFailure } from '../../../domain/run/run.ts';
import type { Channel } from '../../connection/channel.ts';
import { each, instantMs, rowOf, text } from '../../rows/row.ts';
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
  for (const one of due) {
    const seen = { ...one, target };
    if (isMuted(seen, mutes, [one.sinceMs, one.nowMs])) muted.add(one);
    if (one.event !== 'recovery' || muted.has(one)) continue;
    const failures = await readFailures(channel, one.facts.launchId ?? '');
    const held = await readHeld(channel, target, failures);
    const isHeldNow = isMuted({ ...seen, event: 'failure' }, mutes, [one.nowMs]);
    const isHeld = ({ launchId }: EndedRun) => {
      const state = held.get(launchId);
      return state === 'muted' || (state === 'waiting' && isHeldNow);
    };
    const others = failures.filter((failure) => !isHeld(failure)).map(({ endedMs }) => endedMs);
    const isUnheard = failures.length > 0 && others.length === 0;
    if (isUnheard || isUnheardRecovery(seen, mutes, others)) muted.add(one);
  }
  return muted;
}

type EndedRun = ReturnType<typeof endedRun>;

/** The runs that failed one after the other before the launch; the last first. */
async function readFailures(channel: Channel, launchId: string): Promise<EndedRun[]> {
  const runs = await channel.rows(endedRun, selectBefore, [launchId, runsMax]);
  const since = runs.findIndex(({ result }) => result === 'succeeded');
  return (since === -1 ? runs : runs.slice(0, since)).filter((run) => isFailure(run.result));
}

/** By their launches, what became of the notifications of those failures that were not sent. */
async function readHeld(channel: Channel, target: string, failures: readonly EndedRun[]) {
  const byId = new Map(
    failures.map(({ launchId }) => {
      return [notificationId({ subject: launchId, event: 'failure', target }), launchId] as const;
    }),
  );
  if (byId.size === 0) return new Map<string, string>();
  const rows = await channel.rows(heldNotification, selectHeld, [[...byId.keys()]]);
  return new Map(rows.map(({ id, state }) => [byId.get(id) ?? '', state]));
}

const runsMax = 100;

const heldNotification = rowOf(each(text, 'id', 'state'));
const selectHeld = `/* findMuted held */ SELECT stable_id AS id, state FROM notice
  WHERE stable_id IN (?) AND state IN ('muted', 'waiting')`;
const endedRun = rowOf({ ...each(text, 'launchId', 'result'), endedMs: instantMs });
const selectBefore = `/* findMuted failures */ SELECT STRAIGHT_JOIN run.result, run.launch_id,
    run.ended_at AS ended
  FROM run AS recovered JOIN run FORCE INDEX (run_by_job) ON run.job_id = recovered.job_id
  WHERE recovered.launch_id = ? AND run.node_name = recovered.node_name AND run.is_final = 1
    AND run.started_at IS NOT NULL AND run.ended_at <= recovered.ended_at
    AND run.run_id <> recovered.run_id
  ORDER BY run.ended_at DESC, run.run_id DESC LIMIT ?`;
