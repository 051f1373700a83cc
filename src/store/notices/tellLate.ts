import { whyNotUnderstood } from '../../domain/definitionFormat.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { tellOfEnd } from '../../domain/notices/decideNotices.ts';
import type { NoticeDraft } from '../../domain/notices/notice.ts';
import type { RunResult } from '../../domain/run.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { insertNotices } from './insertNotices.ts';
import type { NoticeCache } from './noticeCache.ts';
import { endFacts } from './noticeFacts.ts';

/**
 * Tells that a run which was called lost had succeeded after all, in the transaction that completes
 * its row: those who were told of the loss hear of a recovery. Of a late failure nothing more is to
 * be told, and an attempt that was followed by another says nothing of the tick.
 */
export async function tellLate(
  connection: ChannelConnection,
  notices: NoticeCache,
  launchId: string,
  result: RunResult,
): Promise<void> {
  if (result !== 'succeeded') return;
  const rules = await notices.rules(connection);
  const [row] = await connection.query<Row[]>(selectRun, [launchId]);
  if (row === undefined || row.is_final !== 1) return;
  const definition = JSON.parse(row.definition as string) as JobDefinition;
  if (whyNotUnderstood(definition) !== null) return;
  const told = tellOfEnd(definition, rules, { result, isFinal: true, wasFailing: true });
  const facts = { ...endFacts(definition, row), result, reason: row.reason as string | null };
  const drafts = told.map((one): NoticeDraft => {
    return { ...one, subject: launchId, facts, launchId: null, delayMs: 0 };
  });
  await insertNotices(connection, drafts);
}

const selectRun = `/* tellLate */ SELECT run.launch_id, run.attempt, run.triggered_by, run.is_final,
    run.scheduled_for, run.started_at, run.ended_at AS now_at, run.reason, job_revision.definition
  FROM run JOIN job ON job.job_id = run.job_id JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE run.launch_id = ?`;
