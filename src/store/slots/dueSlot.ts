import { instantMs, integer, nullable, rowOf, text } from '../rows/row.ts';
import type { Revision } from './revisionCache.ts';

/** A slot that a claim may take, and the definition in force of its job. */
export interface Due {
  readonly slot: DueSlot;
  readonly revision: Revision;
}

export type DueSlot = ReturnType<typeof dueSlot>;
export const dueSlot = rowOf({
  slotId: integer,
  jobId: integer,
  stripe: integer,
  nodeName: text,
  slotNo: integer,
  targetId: integer,
  cursorMs: nullable(instantMs),
  nextRunMs: nullable(instantMs),
  endedMs: nullable(instantMs),
  lastStartedMs: nullable(instantMs),
  jobRevision: integer,
  nowMs: instantMs,
});
