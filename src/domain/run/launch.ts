import type { JobDefinition } from '../job/jobDefinition.ts';
import type { Trigger } from './run.ts';

/** A launch that this process has claimed, as the acknowledged claim returned it. */
export interface Launch {
  readonly launchId: string;
  readonly slotId: number;
  readonly jobId: number;
  readonly stripe: number;
  /** '' unless the slot is pinned to a node. */
  readonly slotNodeName: string;
  readonly slotNo: number;
  readonly revision: number;
  readonly trigger: Trigger;
  readonly attempt: number;
  readonly requestId: string | null;
  /** The tick, epoch milliseconds by the database's clock. */
  readonly scheduledForMs: number;
  /** When it ought to start: the tick, or later by a splay or a retry's delay; never before. */
  readonly startAtMs: number;
  /** The next tick after this one, or null: by it a finish knows whether to wake the scheduler. */
  readonly cursorMs: number | null;
  readonly definition: JobDefinition;
}
