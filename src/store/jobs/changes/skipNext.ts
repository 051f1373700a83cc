import { setImmediate as nextTurn } from 'node:timers/promises';
import { OperatorError } from '../../../domain/errors/errors.ts';
import { reasons } from '../../../domain/reasons/reasons.ts';
import type { TickSource } from '../../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../../domain/schedule/read/revisionTicks.ts';
import { shellWord } from '../../../domain/text/quoteForShell.ts';
import { auditJob } from '../../audit/auditJob.ts';
import type { Channel, ChannelConnection } from '../../connection/channel.ts';
import { dateOf } from '../../connection/queryable.ts';
import { each, instantMs, integer, nullable, rowOf, text } from '../../rows/row.ts';
import { byPlace } from '../../slots/readPasts.ts';
import {
  idleAssignments,
  idsOf,
  recordUnfinished,
  releaseSlots,
} from '../../slots/releaseSlots.ts';
import { insertTickRanges } from '../../slots/tickRanges.ts';
import { changeJobInForce } from '../changeJobInForce.ts';
import type { JobInForce } from '../findJob.ts';

/** What was skipped, of one node name; '' for a job that any node runs. */
interface TicksSkipped {
  readonly nodeName: string;
  /** Epoch milliseconds, ascending. */
  readonly ticks: readonly number[];
  /** The first tick after them, or null. */
  readonly nextMs: number | null;
}

const action = 'job.skipNext';
const reason = reasons.skipped;

/**
 * Skips the job's next ticks, so many for each node name that it has slots of: those that are
 * prepared are withdrawn, the cursor passes the others, and the history says so of every one, in
 * one transaction under the job's stripes. What executes goes on. Not safe to repeat.
 * @throws OperatorError `job_missing`, `job_paused`, `no_tick`, `outcome_unknown`.
 */
export function skipNext(channel: Channel, name: string, count: number): Promise<TicksSkipped[]> {
  return changeJobInForce(channel, name, {
    ...{
      name: 'skipNext',
      action,
      isIdempotent: false,
      look: `statecron runs --job ${shellWord(name)}`,
    },
    work: async (connection, job) => {
      if (job.isPaused) throw paused(name);
      const skipped = await skipOfJob(connection, job, count);
      if (skipped.every(({ ticks }) => ticks.length === 0)) throw noTick(name);
      await auditJob(connection, job, { action, after: skipped.map(ticksShown) });
      return skipped;
    },
  });
}

function ticksShown({ nodeName, ticks }: TicksSkipped) {
  return { node: nodeName, ticks: ticks.map((tickMs) => new Date(tickMs).toISOString()) };
}

async function skipOfJob(connection: ChannelConnection, job: JobInForce, count: number) {
  const ticks = ticksOfRevision(job.definition, job.inForceFromMs);
  const slots = await connection.rows(slotToPass, selectSlots, [job.jobId]);
  const skipped: TicksSkipped[] = [];
  for (const siblings of byPlace(slots).values()) {
    skipped.push(await skipOfNode(connection, job, { siblings, ticks, count }));
  }
  return skipped;
}

interface NodeSlots {
  /** Slots side by side have one cursor, which each of their rows holds. */
  readonly siblings: readonly SlotToPass[];
  readonly ticks: TickSource;
  readonly count: number;
}

async function skipOfNode(
  connection: ChannelConnection,
  { jobId, revision }: JobInForce,
  { siblings, ticks, count }: NodeSlots,
): Promise<TicksSkipped> {
  const [{ nodeName = '', slotNo = 0 } = {}] = siblings;
  const prepared = siblings.filter(isPreparedTick).slice(0, count);
  const preparedIds = idsOf(prepared);
  await recordUnfinished(connection, preparedIds, { result: 'skipped', isFinal: true, reason });
  await releaseSlots(connection, preparedIds);
  const taken = prepared.flatMap(({ scheduledForMs }) => scheduledForMs ?? []);
  const cursors = siblings.flatMap(({ cursorMs: at }) => at ?? []);
  let cursorMs = cursors.length === 0 ? null : Math.min(...cursors);
  const passed: number[] = [];
  while (cursorMs !== null && prepared.length + passed.length < count) {
    passed.push(cursorMs);
    cursorMs = ticks.next(cursorMs);
    // Some take a millisecond each, and heartbeats wait for nobody.
    if (passed.length % ticksPerTurn === 0) await nextTurn();
  }
  const [fromMs] = passed;
  if (fromMs !== undefined) {
    const untilMs = passed.at(-1) ?? fromMs;
    const range = { result: 'skipped', fromMs, untilMs, ticks: passed.length, reason } as const;
    const slot = { jobId, revision, nodeName, slotNo };
    await insertTickRanges(connection, [{ slot, range }]);
    const cursor = dateOf(cursorMs);
    await connection.change(moveBusy, [cursor, jobId, nodeName]);
    await connection.change(moveIdle, [cursor, jobId, nodeName]);
  }
  return { nodeName, ticks: [...taken, ...passed], nextMs: cursorMs };
}

function isPreparedTick({ state, trigger, scheduledForMs }: SlotToPass): boolean {
  const isTick = trigger === 'schedule' || trigger === 'misfire';
  return state === 'prepare' && isTick && scheduledForMs !== null;
}

const ticksPerTurn = 20;

function paused(name: string): OperatorError {
  const message = `${name} is paused: it has no next tick.`;
  const hint = `Resume it first: statecron job resume ${shellWord(name)}`;
  return new OperatorError({ code: 'job_paused', message, hint });
}

function noTick(name: string): OperatorError {
  const message = `The schedule of ${name} names no further tick.`;
  const hint = `See its schedule: statecron job show ${shellWord(name)}`;
  return new OperatorError({ code: 'no_tick', message, hint });
}

const slotToPass = rowOf({
  ...each(integer, 'slotId', 'jobId', 'slotNo'),
  ...each(text, 'nodeName', 'state'),
  ...each(nullable(instantMs), 'cursorMs', 'scheduledForMs'),
  trigger: nullable(text),
});
type SlotToPass = ReturnType<typeof slotToPass>;
const selectSlots = `/* skipNext read */ SELECT slot_id, job_id, node_name, slot_no, state,
    cursor_at AS 'cursor', triggered_by AS 'trigger', scheduled_for
  FROM slot WHERE job_id = ? ORDER BY node_name, scheduled_for, slot_no`;
const moveBusy = `/* skipNext cursor */ UPDATE slot SET cursor_at = ?
  WHERE job_id = ? AND node_name = ? AND state <> 'idle'`;
const moveIdle = `/* skipNext idle */ UPDATE slot SET cursor_at = ?, ${idleAssignments}
  WHERE job_id = ? AND node_name = ? AND state = 'idle'`;
