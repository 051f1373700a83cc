import type { NotificationFacts } from '../../domain/notifications/notification.ts';
import {
  hasRule,
  isTrouble,
  isWatched,
  type NotificationRules,
  notificationsOfEnd,
  notificationsOfStart,
} from '../../domain/policies/decideNotifications.ts';
import type { Launch } from '../../domain/run/launch.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { each, flag, nullable, rowOf, text } from '../rows/row.ts';
import type { EndingSlot, NextAttempt } from '../slots/endingSlot.ts';
import { pastKey } from '../slots/readPasts.ts';
import { endFacts, insertNotifications, iso, jobFacts } from './insertNotifications.ts';
import type { NotificationCache } from './notificationCache.ts';

/** Notifies of launches that have started, in the transaction that starts them. */
export async function notifyStarts(
  connection: ChannelConnection,
  notifications: NotificationCache,
  launches: readonly Launch[],
  nodeName: string,
): Promise<void> {
  if (launches.length === 0) return;
  const rules = await notifications.rules(connection);
  const drafts = launches.flatMap((launch) => {
    const { definition, launchId } = launch;
    const facts = startFacts(launch, nodeName);
    return notificationsOfStart(definition, rules).map((due) => {
      const draft = { ...due, subject: launchId, facts };
      if (due.event !== 'long-running') return draft;
      return { ...draft, launchId, facts: { ...facts, longMs: due.delayMs } };
    });
  });
  await insertNotifications(connection, drafts);
}

type PlaceOfEnd = 'jobId' | 'nodeName' | 'nowMs';

/** A launch that ends, and what notifications say of it besides what its slot says. */
interface EndedLaunch extends NextAttempt {
  readonly slot: Pick<EndingSlot, PlaceOfEnd | keyof Parameters<typeof endFacts>[1]>;
  readonly result: RunResult;
  /** Absent: now. */
  readonly endedMs?: number;
  readonly facts: NotificationFacts;
}

/**
 * Notifies of launches that end, in the transaction that ends them and before their history rows
 * are written, and takes back what waits to say that one of them takes long. Jobs that nobody
 * watches cost nothing.
 */
export async function notifyEnds(
  connection: ChannelConnection,
  notifications: NotificationCache,
  ended: readonly EndedLaunch[],
): Promise<void> {
  if (ended.length === 0) return;
  const rules = await notifications.rules(connection);
  const watched = ended.filter(
    ({ definition, isUnderstood }) => isUnderstood && isWatched(definition, rules),
  );
  const long = watched.filter(({ definition }) => hasRule(definition, rules, 'long-running'));
  if (long.length > 0) {
    await connection.change(dropLong, [long.map(({ slot }) => slot.launchId)]);
  }
  const failing = await readFailing(connection, watched, rules);
  const drafts = watched.flatMap((each) => {
    const { slot, result, next, definition } = each;
    const isFinal = next === null;
    const place = pastKey(slot);
    const wasFailing = failing.get(place) ?? false;
    const { reason = null } = each.facts;
    if (isFinal && isOutcome(result, reason)) failing.set(place, result !== 'succeeded');
    const due = notificationsOfEnd(definition, rules, { result, reason, isFinal, wasFailing });
    const { endedMs = slot.nowMs } = each;
    const facts = { ...endFacts(definition, slot, endedMs), result, ...each.facts };
    return due.map((one) => {
      const delayMs = result === 'lost' && one.event !== 'node-lost' ? lateResultMs : 0;
      return { ...one, subject: slot.launchId, facts, delayMs };
    });
  });
  await insertNotifications(connection, drafts);
}

/** So long its next process has for the result of a lost run, before its loss is sent. */
const lateResultMs = 10_000;

/**
 * Whether the last tick that ran had failed, of the jobs of which somebody wants to know; each node
 * of an every-node job fails and recovers on its own.
 */
async function readFailing(
  connection: ChannelConnection,
  watched: readonly EndedLaunch[],
  rules: NotificationRules,
): Promise<Map<string, boolean>> {
  const failing = new Map<string, boolean>();
  for (const { slot, result, definition } of watched) {
    const place = pastKey(slot);
    if (result !== 'succeeded' || failing.has(place)) continue;
    if (!hasRule(definition, rules, 'recovery')) continue;
    const latest = await connection.rows(latestRun, selectLatest, [slot.jobId, rowsLookedAt]);
    const last = latest.find(
      ({ launchId, nodeName, isFinal, isStarted, reason, result: before }) => {
        const isOther = launchId !== slot.launchId && nodeName === slot.nodeName;
        return isOther && isFinal && isStarted && isOutcome(before, reason);
      },
    );
    failing.set(place, last !== undefined && last.result !== 'succeeded');
  }
  return failing;
}

/** Ticks that were skipped or missed since are in between. */
const rowsLookedAt = 100;

function isOutcome(result: string, reason: string | null): boolean {
  return result === 'succeeded' || isTrouble(result, reason);
}

function startFacts(launch: Launch, node: string): NotificationFacts {
  const { definition, launchId, attempt, trigger } = launch;
  const scheduledFor = iso(launch.scheduledForMs);
  return { ...jobFacts(definition), node, launchId, attempt, trigger, scheduledFor };
}

const dropLong = `/* notifyEnds long */ DELETE FROM notice
  WHERE launch_id IN (?) AND state = 'waiting'`;
const latestRun = rowOf({
  ...each(text, 'result', 'nodeName'),
  ...each(flag, 'isFinal', 'isStarted'),
  ...each(nullable(text), 'launchId', 'reason'),
});
const selectLatest = `/* notifyEnds latest */ SELECT result, is_final, node_name, launch_id, reason,
    started_at IS NOT NULL AS is_started
  FROM run FORCE INDEX (run_by_job) WHERE job_id = ? ORDER BY ended_at DESC, run_id DESC LIMIT ?`;
