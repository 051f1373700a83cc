import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import {
  notificationsOfEnd,
  notificationsOfLostNode,
} from '../../domain/policies/decideNotifications.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
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
} from '../rows/row.ts';
import { endFacts, insertNotifications } from './insertNotifications.ts';
import type { NotificationCache } from './notificationCache.ts';

/**
 * Notifies that a run which was called lost had succeeded after all, in the transaction that
 * completes its row: whoever was notified of the loss is of the recovery. A late failure is nothing
 * new, and an attempt that was followed by another says nothing of the tick.
 */
export async function notifyLate(
  connection: ChannelConnection,
  notifications: NotificationCache,
  launchId: string,
  result: RunResult,
): Promise<void> {
  if (result !== 'succeeded') return;
  const rules = await notifications.rules(connection);
  const [run] = await connection.rows(lateRun, selectRun, [launchId]);
  if (run === undefined || !run.isFinal) return;
  const { definition, reason } = run;
  if (whyNotUnderstood(definition) !== null) return;
  const due = notificationsOfEnd(definition, rules, { result, isFinal: true, wasFailing: true });
  const facts = { ...endFacts(definition, run, run.endedMs), result, reason };
  const drafts = due.map((one) => ({ ...one, subject: launchId, facts }));
  await insertNotifications(connection, drafts);
}

const lateRun = rowOf({
  ...each(text, 'launchId', 'trigger'),
  attempt: integer,
  isFinal: flag,
  ...each(instantMs, 'scheduledForMs', 'endedMs'),
  startedMs: nullable(instantMs),
  reason: nullable(text),
  definition: jsonOf<JobDefinition>(),
});
const selectRun = `/* notifyLate */ SELECT run.launch_id, run.attempt,
    run.triggered_by AS 'trigger', run.is_final, run.scheduled_for, run.started_at AS started,
    run.ended_at AS ended, run.reason, job_revision.definition
  FROM run JOIN job ON job.job_id = run.job_id JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE run.launch_id = ?`;

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
