import type { RunPlace } from '../../domain/commit/historyKeep.ts';
import { Conditions } from '../connection/conditions.ts';
import type { Queryable } from '../connection/queryable.ts';
import { rowsOfEach, type Select } from '../connection/rowsOfEach.ts';
import { mergeParts } from '../rows/mergeParts.ts';
import { instantMs, integer, rowOf } from '../rows/row.ts';

/** The rows of the history that have a value, which an index has in the order of their ends. */
export type HistoryPart =
  | { readonly index: 'run_by_ended' }
  | { readonly index: 'run_by_job'; readonly value: number }
  | { readonly index: 'run_by_request' | 'run_by_result'; readonly value: string };

interface HistoryRange {
  /** Only what comes before it, in the order of the history. */
  readonly after: RunPlace | null;
  /** Ended at this instant or later, epoch milliseconds. */
  readonly sinceMs?: number;
  /** Ended before. */
  readonly untilMs?: number;
}

/** The first so many places of some parts together, newest first. */
export function readPlaces(
  database: Queryable,
  parts: readonly HistoryPart[],
  range: HistoryRange,
  placesMax: number,
): Promise<RunPlace[]> {
  return mergeParts<HistoryPart, PlaceOfPart>(parts, {
    read: (open, size) =>
      rowsOfEach(
        database,
        placeOfPart,
        open.map(({ part, partNo, after }) =>
          selectOf(part, partNo, { ...range, after: after ?? range.after }, size),
        ),
      ),
    compare: newestFirst,
    rowsMax: placesMax,
  });
}

function newestFirst(one: RunPlace, other: RunPlace): number {
  return other.endedMs - one.endedMs || other.runId - one.runId;
}

function selectOf(
  part: HistoryPart,
  partNo: number,
  range: HistoryRange,
  placesMax: number,
): Select {
  const { after, sinceMs, untilMs } = range;
  const conditions = new Conditions();
  if (part.index !== 'run_by_ended') conditions.need(`${columns[part.index]} = ?`, part.value);
  conditions.need('ended_at >= ?', sinceMs === undefined ? undefined : new Date(sinceMs));
  conditions.need('ended_at < ?', untilMs === undefined ? undefined : new Date(untilMs));
  if (after !== null) {
    const endedAt = new Date(after.endedMs);
    const isBefore = 'ended_at <= ? AND (ended_at < ? OR run_id < ?)';
    conditions.need(isBefore, endedAt, endedAt, after.runId);
  }
  const sql = `/* runPlaces */ SELECT ? AS part_no, run_id, ended_at AS ended
    FROM run FORCE INDEX (${part.index})
    ${conditions.where} ORDER BY ended_at DESC, run_id DESC LIMIT ?`;
  return [sql, [partNo, ...conditions.parameters, placesMax]];
}

const columns = { run_by_job: 'job_id', run_by_request: 'request_id', run_by_result: 'result' };
type PlaceOfPart = ReturnType<typeof placeOfPart>;
const placeOfPart = rowOf({ endedMs: instantMs, ...{ partNo: integer, runId: integer } });
