import type { SlotState } from '../../domain/run/arrows.ts';
import type { Trigger } from '../../domain/run/run.ts';
import { noTarget } from '../../domain/targeting/takeable.ts';
import { Conditions } from '../connection/conditions.ts';
import type { Queryable } from '../connection/queryable.ts';
import { each, instantMs, integer, nullable, rowOf, text, wordOf } from '../rows/row.ts';

/** A slot with something to start. */
export type UpcomingSlot = ReturnType<typeof upcomingSlot>;

/** Where a page ended, in the order of slots: each column of the index that serves it. */
export type SlotPlace = Pick<UpcomingSlot, 'dueMs' | 'stripe' | 'nodeName' | 'targetId' | 'slotId'>;

interface SlotRange {
  readonly nowMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Only of jobs with these targets. */
  readonly targetIds: readonly number[] | null;
  readonly after: SlotPlace | null;
  readonly slotsMax: number;
}

/**
 * The slots whose next launch is due in the range, in order: idle and claimed ones by the index
 * that claims use, and of those that execute, of which there are no more than the cluster can run
 * at once, what comes after. What waits for such a run is due now.
 */
export async function readUpcomingSlots(
  database: Queryable,
  range: SlotRange,
): Promise<UpcomingSlot[]> {
  const parts = (['idle', 'prepare', 'executing'] as const).map((state) => partOf(state, range));
  const sql = `/* readUpcomingSlots */ SELECT * FROM (${parts
    .map((part) => `(${part.sql})`)
    .join(' UNION ALL ')}) AS slots
    ORDER BY due, stripe, node_name, target_id, slot_id LIMIT ?`;
  const parameters = [...parts.flatMap((part) => part.parameters), range.slotsMax];
  return database.rows(upcomingSlot, sql, parameters);
}

function partOf(
  state: SlotState,
  { nowMs, fromMs, untilMs, targetIds, after, slotsMax }: SlotRange,
) {
  const isBusy = state === 'executing';
  const due = isBusy ? 'due' : 'next_run_at';
  const conditions = new Conditions(`state = '${state}'`);
  conditions.need(`${due} >= ?`, new Date(Math.max(fromMs, after?.dueMs ?? fromMs)));
  conditions.need(`${due} <= ?`, new Date(untilMs));
  if (targetIds !== null) conditions.need('target_id IN (?)', [noTarget, ...targetIds]);
  if (after !== null) needBehind(conditions, due, after);
  const now = new Date(nowMs);
  const sql = `/* upcoming ${state} */ SELECT slot_id, job_id, node_name, stripe, target_id, state,
      ${due} AS due, cursor_at AS 'cursor', triggered_by AS 'trigger'
    FROM ${isBusy ? busySlots : 'slot FORCE INDEX (slot_by_due)'} ${conditions.where}
    ORDER BY ${due}, stripe, node_name, target_id, slot_id LIMIT ?`;
  return { sql, parameters: [...(isBusy ? [now] : []), ...conditions.parameters, slotsMax] };
}

const never = "CAST('9999-12-31' AS DATETIME(3))";
/** What starts when the run is over: its next tick, or the first that waits. */
const busySlots = `(SELECT slot.*, LEAST(IFNULL(slot.cursor_at, ${never}),
        IFNULL((SELECT GREATEST(MIN(pending.not_before), CAST(? AS DATETIME(3))) FROM pending
          WHERE pending.job_id = slot.job_id AND pending.node_name = slot.node_name),
          ${never})) AS due
      FROM slot FORCE INDEX (slot_by_due) WHERE slot.state = 'executing') AS busy`;

/** That a slot comes behind a place: a later column counts where those before it are equal. */
function needBehind(conditions: Conditions, due: string, after: SlotPlace): void {
  const columns: [string, string | number | Date][] = [
    [due, new Date(after.dueMs)],
    ['stripe', after.stripe],
    ['node_name', after.nodeName],
    ['target_id', after.targetId],
    ['slot_id', after.slotId],
  ];
  const parts = columns.map(([column], place) => {
    const equal = columns.slice(0, place).map(([before]) => `${before} = ? AND `);
    return `(${equal.join('')}${column} > ?)`;
  });
  const values = columns.flatMap((_, place) => columns.slice(0, place + 1).map(([, at]) => at));
  conditions.need(`(${parts.join(' OR ')})`, ...values);
}

const upcomingSlot = rowOf({
  ...each(integer, 'slotId', 'jobId', 'stripe', 'targetId'),
  nodeName: text,
  state: wordOf<SlotState>(),
  dueMs: instantMs,
  cursorMs: nullable(instantMs),
  /** Of what a claimed slot holds. */
  trigger: nullable(wordOf<Trigger>()),
});
