import { done, type FinishRequest, refusedAs, type Verdict } from '../../domain/batch.ts';
import type { NoticeFacts } from '../../domain/notices/notice.ts';
import type { RunResult } from '../../domain/run.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { tellEnds } from '../notices/tellLaunches.ts';
import type { Parameter } from '../queryable.ts';
import { askAttempts, countEnded, decideAttempts } from './endAttempts.ts';
import { idleAssignments } from './idleAssignments.ts';
import type { SlotContext } from './slotContext.ts';

/**
 * executing → idle with the run row, in one transaction (P10). A row in another state or with
 * another launch id was finished, reaped or claimed anew before: refused, which counts as done.
 * The cursor was moved by the claim, so the slot is due again at the earlier of cursor and pending.
 * A new attempt of what went wrong, the pause of a job that has had enough, and the notices of it
 * for whoever asks for them, go along.
 */
export async function finishSlots(
  connection: ChannelConnection,
  { notices, nodeName, revisions }: Pick<SlotContext, 'notices' | 'nodeName' | 'revisions'>,
  requests: readonly FinishRequest[],
): Promise<Verdict[]> {
  if (requests.length === 0) return [];
  const slotIds = requests.map((request) => request.slotId);
  const rows = await connection.query<Row[]>(readExecuting, [slotIds]);
  const rowByLaunch = new Map(rows.map((row) => [row.launch_id as string, row]));
  const matched = requests.flatMap((request) => {
    const row = rowByLaunch.get(request.launchId);
    return row === undefined ? [] : [{ row, request }];
  });
  if (matched.length > 0) {
    const results = matched.map(({ row, request }) => ({ row, result: resultOf(request) }));
    const ended = await decideAttempts(connection, revisions, results);
    const values = matched.map(({ row, request }, index) => [
      ...runValues(row, request),
      ended[index]?.next === null,
    ]);
    await tellEnds(
      connection,
      notices,
      ended.map((each, index) => ({ ...each, facts: factsOf(matched[index]?.request, nodeName) })),
    );
    await connection.change(insertRuns, [values]);
    await askAttempts(connection, ended);
    const affected = await connection.change(finishStatement, [
      matched.map(({ row }) => row.slot_id as number),
      matched.map(({ request }) => request.launchId),
    ]);
    if (affected !== matched.length) throw new Error('finishSlots: a row changed under its lock');
    await countEnded(connection, ended);
  }
  return requests.map(({ launchId }) =>
    rowByLaunch.has(launchId) ? done : refusedAs('the launch is not executing any more'),
  );
}

function resultOf({ execution }: FinishRequest): RunResult {
  return execution.result === 'spawn_failed' ? 'failed' : execution.result;
}

function factsOf(request: FinishRequest | undefined, node: string): NoticeFacts {
  if (request === undefined) throw new Error('finishSlots: an end without its request');
  const { exitCode, signal, reason } = request.execution;
  return { node, exitCode, signal, reason: reason?.slice(0, reasonCharactersMax) ?? null };
}

function runValues(row: Row, request: FinishRequest): Parameter[] {
  const { execution } = request;
  const neverLived = execution.result === 'spawn_failed';
  return [
    row.job_id,
    row.revision,
    row.node_name,
    row.slot_no,
    row.launch_id,
    row.session_id,
    row.triggered_by,
    row.request_id,
    row.attempt,
    row.scheduled_for,
    row.started_at,
    row.now_at,
    resultOf(request),
    neverLived ? null : execution.exitCode,
    execution.signal,
    execution.reason?.slice(0, reasonCharactersMax) ?? null,
    execution.outputBytes,
  ];
}

const reasonCharactersMax = 500;

const readExecuting = `/* finishSlots read */ SELECT slot.slot_id, slot.job_id, slot.revision,
    slot.node_name, slot.slot_no, slot.launch_id, slot.session_id, slot.triggered_by,
    slot.request_id, slot.attempt, slot.scheduled_for, slot.started_at, NOW(3) AS now_at,
    job.revision AS job_revision, job.paused AS job_paused
  FROM slot JOIN job ON job.job_id = slot.job_id
  WHERE slot.slot_id IN (?) AND slot.state = 'executing'`;
const insertRuns = `/* finishSlots run */ INSERT INTO run (job_id, revision, node_name, slot_no,
    launch_id, session_id, triggered_by, request_id, attempt, scheduled_for, started_at, ended_at,
    result, exit_code, term_signal, reason, output_bytes, is_final)
  VALUES ?`;
const finishStatement = `/* finishSlots */ UPDATE slot
  SET last_started_at = started_at, ended_at = NOW(3), ${idleAssignments}
  WHERE slot_id IN (?) AND launch_id IN (?) AND state = 'executing'`;
