import type {
  NotificationFacts,
  NotificationKind,
  NotificationState,
} from '../../../domain/notifications/notification.ts';
import { shellWord } from '../../../domain/text/quoteForShell.ts';
import { formatDuration } from '../../../domain/time/duration.ts';
import type { Channel } from '../../connection/channel.ts';
import type { Queryable } from '../../connection/queryable.ts';
import { asciiText } from '../../rows/asciiText.ts';
import { each, instantMs, integer, jsonOf, nullable, rowOf, text, wordOf } from '../../rows/row.ts';
import { selectTarget, targetColumns } from '../notificationCache.ts';
import { findMuted } from './findMuted.ts';

/** A target without its secret, and how it is with it. */
type TargetListed = ReturnType<typeof targetListed>;

/** All targets by name. Read without locks. */
export function listNotificationTargets(channel: Channel): Promise<TargetListed[]> {
  return channel.rows(targetListed, selectTargets);
}

/** A notification of the outbox, as it is now. */
type NotificationListed = Omit<ReturnType<typeof notificationListed>, 'sinceMs' | 'nowMs'>;

interface NotificationQuery {
  readonly target: string | null;
  /** Without, in any. */
  readonly state?: NotificationState;
  readonly notificationsMax: number;
}

/**
 * The notifications of one target or of all, the newest first, as far as they are kept. What waits
 * and is held back by a mute is listed as muted, before a node has looked at it.
 */
export async function listNotifications(
  channel: Channel,
  options: NotificationQuery,
): Promise<NotificationListed[]> {
  const { notificationsMax, state = null, target } = options;
  const wanted = target === null ? null : asciiText(target);
  const values = [wanted, wanted, state, state, notificationsMax];
  const listed = await channel.rows(notificationListed, selectNotifications, values);
  const waiting = listed.filter((one) => one.state === 'waiting');
  const targets = new Set(waiting.map((one) => one.target));
  const held = new Set<string>();
  for (const name of targets) {
    const due = waiting.filter((one) => one.target === name);
    for (const { id } of await findMuted(channel, name, due)) held.add(id);
  }
  return listed.map(({ sinceMs: _since, nowMs: _now, ...one }) =>
    held.has(one.id) ? { ...one, state: 'muted' } : one,
  );
}

const { secret: _, ...shownColumns } = targetColumns;
const targetListed = rowOf({
  ...shownColumns,
  waiting: integer,
  givenUp: integer,
  lastSentMs: nullable(instantMs),
  /** Of the last try, when that failed. */
  lastError: nullable(text),
});
const selectTargets = `/* listNotificationTargets */ SELECT ${selectTarget},
    notice_target.last_sent_at AS last_sent, notice_target.last_error,
    (SELECT COUNT(*) FROM notice WHERE notice.target_name = notice_target.target_name
      AND notice.state = 'waiting' AND (notice.tries > 0 OR notice.due_at <= NOW(3))) AS waiting,
    (SELECT COUNT(*) FROM notice WHERE notice.target_name = notice_target.target_name
      AND notice.state = 'given_up') AS given_up
  FROM notice_target ORDER BY target_name`;
const notificationListed = rowOf({
  id: text,
  target: text,
  event: wordOf<NotificationKind>(),
  state: wordOf<NotificationState>(),
  facts: jsonOf<NotificationFacts>(),
  createdMs: instantMs,
  /** When it is tried next, or was tried last. */
  dueMs: instantMs,
  endedMs: nullable(instantMs),
  tries: integer,
  lastError: nullable(text),
  ...each(instantMs, 'sinceMs', 'nowMs'),
});
const selectNotifications = `/* listNotifications */ SELECT stable_id AS id,
    target_name AS target, event,
    state, facts, created_at AS created, due_at AS due, ended_at AS ended, tries, last_error,
    since_at AS since, NOW(3) AS now
  FROM notice
  WHERE (? IS NULL OR target_name = ?) AND (? IS NULL OR state = ?)
  ORDER BY notice_id DESC LIMIT ?`;

/** So long a notification may wait before somebody should hear of it. */
const waitMinutes = 5;
const targetsMax = 5;

/**
 * What is wrong with notifications: what was given up, what failed twice, what waits too long, and
 * targets whose last try failed though nothing waits for them any more.
 */
export async function targetWarnings(database: Queryable): Promise<string[]> {
  const troubles = await database.rows(trouble, selectTroubles, [waitMinutes, targetsMax]);
  const failing = await database.rows(failingTarget, selectFailing, [targetsMax]);
  const ofTroubles = troubles.map((trouble) => {
    const { target, kind, state, notifications, lastError } = trouble;
    const isOne = notifications === 1;
    const many = `${notifications} ${isOne ? 'notification' : 'notifications'}`;
    const needs = kind === 'mail' ? ', as mail needs one with --smtp-url-file' : '';
    const error = lastError ?? `no live node can send to it${needs}`;
    const givenUp = isOne ? 'was given up' : 'were given up';
    const how = state === 'given_up' ? givenUp : waitingText(trouble);
    return `${many} to ${target} ${how}: ${error}; ${seeLog(target)}`;
  });
  const ofTargets = failing.map(({ lastError, target }) => {
    return `${target} could not be notified at the last try: ${lastError}; ${seeLog(target)}`;
  });
  return [...ofTroubles, ...ofTargets];
}

/** For how long, and after how many tries: of several the longest and the most. */
function waitingText({ notifications, seconds, tries }: ReturnType<typeof trouble>): string {
  const isOne = notifications === 1;
  const spanMs = (seconds < 60 ? seconds : seconds - (seconds % 60)) * 1000;
  const waits = isOne ? 'has waited for' : 'have waited for up to';
  const most = isOne ? '' : 'up to ';
  const after = tries === 0 ? '' : `, after ${most}${tries === 1 ? '1 try' : `${tries} tries`}`;
  return `${waits} ${formatDuration(spanMs)}${after}`;
}

function seeLog(target: string): string {
  return `see: statecron notify log ${shellWord(target)}`;
}

const trouble = rowOf({
  target: text,
  kind: nullable(text),
  state: text,
  ...each(integer, 'notifications', 'seconds', 'tries'),
  lastError: nullable(text),
});
const selectTroubles = `/* targetWarnings */ SELECT target_name AS target, state,
    COUNT(*) AS notifications, MAX(tries) AS tries, MAX(last_error) AS last_error,
    GREATEST(0, MAX(TIMESTAMPDIFF(SECOND, since_at, NOW(3)))) AS seconds,
    (SELECT kind FROM notice_target WHERE target_name = notice.target_name) AS kind
  FROM notice WHERE (state = 'given_up' AND ended_at > NOW(3) - INTERVAL 1 DAY)
    OR (state = 'waiting' AND (since_at < NOW(3) - INTERVAL ? MINUTE OR tries > 1))
  GROUP BY target_name, state ORDER BY target_name, state LIMIT ?`;

const failingTarget = rowOf({ target: text, lastError: text });
/** What was muted after it failed is neither sent nor given up. */
const selectFailing = `/* targetWarnings failing */ SELECT target_name AS target, last_error
  FROM notice_target WHERE last_error IS NOT NULL AND NOT EXISTS (SELECT 1 FROM notice
    WHERE notice.target_name = notice_target.target_name AND (notice.state = 'waiting'
      OR (notice.state = 'given_up' AND notice.ended_at > NOW(3) - INTERVAL 1 DAY)))
  ORDER BY target_name LIMIT ?`;
