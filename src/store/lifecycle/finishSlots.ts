import { done, type FinishRequest, refusedAs, type Verdict } from '../../domain/commit/batch.ts';
import type { NotificationFacts } from '../../domain/notifications/notification.ts';
import type { RunResult } from '../../domain/run/run.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { dateOf, type Parameter } from '../connection/queryable.ts';
import { notifyEnds } from '../notifications/notifyLaunches.ts';
import { integer, nullable, rowOf, text } from '../rows/row.ts';
import { endingColumns, selectEnding } from '../slots/endingSlot.ts';
import { failureOf, keepLastFailure } from '../slots/lastFailure.ts';
import { idleAssignments, idsOf } from '../slots/releaseSlots.ts';
import { countEnded, decideAttempts, requestAttempts } from './endAttempts.ts';
import type { SlotContext } from './slotContext.ts';

/**
 * executing → idle with the run row, in one transaction (P10). A row in another state or with
 * another launch id was finished, reaped or claimed anew before: refused, which counts as done.
 * Run and slot end when the command did, which may be long before: what came due since was missed.
 * The cursor was moved by the claim, so the slot is due again at the earlier of cursor and pending.
 * A new attempt of what went wrong, the pause of a job that has had enough, and the notifications
 * of it, go along.
 */
export async function finishSlots(
  connection: ChannelConnection,
  context: Pick<SlotContext, 'notifications' | 'nodeName' | 'revisions'>,
  requests: readonly FinishRequest[],
): Promise<Verdict[]> {
  if (requests.length === 0) return [];
  const { notifications, nodeName, revisions } = context;
  const slotIds = requests.map((request) => request.slotId);
  const slots = await connection.rows(executingSlot, readExecuting, [slotIds]);
  const slotByLaunch = new Map(slots.map((slot) => [slot.launchId, slot]));
  const matched = requests.flatMap((request) => {
    const slot = slotByLaunch.get(request.launchId);
    const result = resultOf(request);
    if (slot === undefined) return [];
    const endedMs = endOf(slot, request);
    return [{ slot, request, result, endedMs, facts: factsOf(request, nodeName) }];
  });
  if (matched.length > 0) {
    const ended = await decideAttempts(connection, revisions, matched);
    const values = ended.map((each) => runValues(each, each.next === null));
    await notifyEnds(connection, notifications, ended);
    await connection.change(insertRuns, [values]);
    await requestAttempts(connection, ended);
    const launchIds = matched.map(({ request }) => request.launchId);
    const affected = await connection.change(finishStatement, [
      launchIds,
      matched.map(({ endedMs }) => new Date(endedMs)),
      idsOf(matched.map(({ slot }) => slot)),
      launchIds,
    ]);
    if (affected !== matched.length) throw new Error('finishSlots: a row changed under its lock');
    const other = ended.filter(isOtherThanLast);
    await keepLastFailure(
      connection,
      other.map(({ slot }) => slot.jobId),
    );
    await countEnded(connection, ended);
  }
  return requests.map(({ launchId }) =>
    slotByLaunch.has(launchId) ? done : refusedAs('the launch is not executing any more'),
  );
}

/** Most runs end as the one before did: then nothing is written, nor if a first one succeeds. */
function isOtherThanLast({ slot, result }: { slot: ExecutingSlot; result: RunResult }): boolean {
  return (slot.lastFailure ?? '') !== failureOf(result);
}

/** Never before its start, nor in the future: the estimate of the host may be off. */
function endOf({ nowMs, startedMs }: ExecutingSlot, { endedMs = nowMs }: FinishRequest): number {
  return Math.min(nowMs, Math.max(startedMs ?? endedMs, endedMs));
}

function resultOf({ execution }: FinishRequest): RunResult {
  return execution.result === 'spawn_failed' ? 'failed' : execution.result;
}

function factsOf({ execution }: FinishRequest, node: string): NotificationFacts {
  const { exitCode, signal, reason } = execution;
  return { node, exitCode, signal, reason: reason?.slice(0, reasonCharactersMax) ?? null };
}

interface Matched {
  readonly slot: ExecutingSlot;
  readonly request: FinishRequest;
  readonly endedMs: number;
}

function runValues({ slot, request, endedMs }: Matched, isFinal: boolean): Parameter[] {
  const { execution } = request;
  const neverLived = execution.result === 'spawn_failed';
  return [
    slot.jobId,
    slot.revision,
    slot.nodeName,
    slot.slotNo,
    slot.launchId,
    slot.sessionId,
    slot.trigger,
    slot.requestId,
    slot.attempt,
    new Date(slot.scheduledForMs),
    dateOf(slot.startedMs),
    new Date(endedMs),
    resultOf(request),
    neverLived ? null : execution.exitCode,
    execution.signal,
    execution.reason?.slice(0, reasonCharactersMax) ?? null,
    execution.outputBytes,
    isFinal,
  ];
}

const reasonCharactersMax = 500;

type ExecutingSlot = ReturnType<typeof executingSlot>;
const executingSlot = rowOf({
  ...endingColumns,
  revision: integer,
  slotNo: integer,
  sessionId: nullable(text),
});
const readExecuting = `/* finishSlots read */ SELECT ${selectEnding}, slot.revision, slot.slot_no,
    slot.session_id
  FROM slot JOIN job ON job.job_id = slot.job_id
  WHERE slot.slot_id IN (?) AND slot.state = 'executing'`;
const insertRuns = `/* finishSlots run */ INSERT INTO run (job_id, revision, node_name, slot_no,
    launch_id, session_id, triggered_by, request_id, attempt, scheduled_for, started_at, ended_at,
    result, exit_code, term_signal, reason, output_bytes, is_final)
  VALUES ?`;
const finishStatement = `/* finishSlots */ UPDATE slot FORCE INDEX (PRIMARY)
  SET last_started_at = started_at,
    ended_at = CAST(ELT(FIELD(launch_id, ?), ?) AS DATETIME(3)),
    ${idleAssignments}
  WHERE slot_id IN (?) AND launch_id IN (?) AND state = 'executing'`;
