import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { notificationId } from '../../domain/notifications/notificationId.ts';
import {
  notificationsOfEnd,
  notificationsOfLostNode,
} from '../../domain/policies/decideNotifications.ts';
import type { RunResult, Trigger } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { partition } from '../rows/partition.ts';
import {
  each,
  flag,
  instantMs,
  integer,
  jsonOf,
  nullable,
  only,
  rowOf,
  text,
  wordOf,
} from '../rows/row.ts';
import { endFacts, insertNotifications } from './insertNotifications.ts';
import type { NotificationCache } from './notificationCache.ts';
import { notifyEnds } from './notifyLaunches.ts';

/**
 * Notifies of what a run came to that was called lost, in the transaction that completes its row:
 * as of any end where nobody was notified of the loss yet. Whoever was is notified of the recovery
 * when it had succeeded after all; a late failure is nothing new, and an attempt that was followed
 * by another says nothing of the tick.
 */
export async function notifyLate(
  connection: ChannelConnection,
  notifications: NotificationCache,
  launchId: string,
  result: RunResult,
): Promise<void> {
  const rules = await notifications.rules(connection);
  const [run] = await connection.rows(lateRun, selectRun, [launchId]);
  if (run === undefined || !run.isFinal) return;
  const { definition, endedMs, exitCode, node, reason, signal } = run;
  if (whyNotUnderstood(definition) !== null) return;
  const loss = { result: 'lost', reason, isFinal: true, wasFailing: false } as const;
  const [atOnce, delayed] = partition(
    notificationsOfEnd(definition, rules, loss),
    ({ event }) => event === 'node-lost',
  );
  const ids = delayed.map((one) => notificationId({ ...one, subject: launchId }));
  const withdrawn = ids.length === 0 ? 0 : await connection.change(withdrawDelayed, [ids]);
  if (withdrawn > 0) {
    const facts = { ...(node === null ? {} : { node }), exitCode, signal, reason };
    const end = { slot: run, definition, isUnderstood: true, next: null, endedMs, result, facts };
    await notifyEnds(connection, notifications, [end]);
  }
  if (result !== 'succeeded') return;
  const late = { result, reason, isFinal: true, wasFailing: true };
  const due = notificationsOfEnd(definition, rules, late).filter(({ target }) => {
    return withdrawn === 0 || atOnce.some((one) => one.target === target);
  });
  const facts = { ...endFacts(definition, run, endedMs), result, reason };
  const drafts = due.map((one) => ({ ...one, subject: launchId, facts }));
  await insertNotifications(connection, drafts);
}

const lateRun = rowOf({
  ...each(text, 'launchId', 'nodeName'),
  trigger: wordOf<Trigger>(),
  ...each(integer, 'attempt', 'jobId'),
  isFinal: flag,
  ...each(instantMs, 'scheduledForMs', 'endedMs', 'nowMs'),
  startedMs: nullable(instantMs),
  exitCode: nullable(integer),
  ...each(nullable(text), 'reason', 'signal', 'node'),
  definition: jsonOf<JobDefinition>(),
});
const selectRun = `/* notifyLate */ SELECT run.launch_id, run.attempt,
    run.triggered_by AS 'trigger', run.is_final, run.scheduled_for, run.started_at AS started,
    run.ended_at AS ended, NOW(3) AS now, run.reason, run.job_id, run.node_name, run.exit_code,
    run.term_signal AS 'signal', session.node_name AS node, job_revision.definition
  FROM run JOIN job ON job.job_id = run.job_id JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
    LEFT JOIN session ON session.session_id = run.session_id
  WHERE run.launch_id = ?`;
/** What is due already may be on its way. */
const withdrawDelayed = `/* notifyLate withdraw */ DELETE FROM notice
  WHERE stable_id IN (?) AND state = 'waiting' AND tries = 0 AND due_at > NOW(3)`;

/** Notifies that a node was lost, in the transaction that ends its session. */
export async function notifyLostNode(
  connection: ChannelConnection,
  notifications: NotificationCache,
  sessionId: string,
  why: string,
): Promise<void> {
  const due = notificationsOfLostNode(await notifications.rules(connection));
  if (due.length === 0) return;
  const [node] = await connection.rows(only(text), selectNode, [sessionId]);
  if (node === undefined) return;
  const facts = { node, sessionId, reason: why };
  const drafts = due.map((one) => ({ ...one, subject: sessionId, facts }));
  await insertNotifications(connection, drafts);
}

const selectNode = '/* notifyLostNode */ SELECT node_name FROM session WHERE session_id = ?';
