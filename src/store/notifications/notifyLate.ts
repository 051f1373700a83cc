import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { notificationsOfEnd } from '../../domain/policies/decideNotifications.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { flag, instantMs, integer, jsonOf, nullable, rowOf, text } from '../rows/row.ts';
import { insertNotifications } from './insertNotifications.ts';
import type { NotificationCache } from './notificationCache.ts';
import { endFacts } from './notificationFacts.ts';

/**
 * Tells that a run which was called lost had succeeded after all, in the transaction that completes
 * its row: those who were told of the loss hear of a recovery. Of a late failure nothing more is to
 * be told, and an attempt that was followed by another says nothing of the tick.
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
  const told = notificationsOfEnd(definition, rules, { result, isFinal: true, wasFailing: true });
  const facts = { ...endFacts(definition, run, run.endedMs), result, reason };
  await insertNotifications(
    connection,
    told.map((one) => ({ ...one, subject: launchId, facts })),
  );
}

const lateRun = rowOf({
  launchId: text,
  attempt: integer,
  trigger: text,
  isFinal: flag,
  scheduledForMs: instantMs,
  startedMs: nullable(instantMs),
  endedMs: instantMs,
  reason: nullable(text),
  definition: jsonOf<JobDefinition>(),
});
const selectRun = `/* notifyLate */ SELECT run.launch_id, run.attempt,
    run.triggered_by AS 'trigger', run.is_final, run.scheduled_for, run.started_at AS started,
    run.ended_at AS ended, run.reason, job_revision.definition
  FROM run JOIN job ON job.job_id = run.job_id JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE run.launch_id = ?`;
