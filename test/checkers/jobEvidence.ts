import type {
  JobRecord,
  Operation,
  PendingRecord,
  ProcessRecord,
  RunRecord,
  SlotRecord,
} from './history.ts';
import type { NamedTicks } from './namedTicks.ts';
import type { LaunchTrail } from './readTrails.ts';
import type { TickLedger } from './tickLedger.ts';

/** What the ledgers tell of one job. */
export interface JobEvidence {
  readonly record: JobRecord;
  readonly named: NamedTicks;
  readonly launches: readonly LaunchTrail[];
  readonly launchesByTick: ReadonlyMap<number, readonly LaunchTrail[]>;
  readonly processes: readonly ProcessRecord[];
  readonly runs: readonly RunRecord[];
  readonly slots: readonly SlotRecord[];
  readonly pending: readonly PendingRecord[];
  /** In the order in which they were asked. */
  readonly operations: readonly Operation[];
}

/** The same for one cursor: the job's, or that of one node of a job that runs on every node. */
export interface CursorEvidence extends JobEvidence {
  /** '': the job's own. */
  readonly nodeName: string;
  readonly ledger: TickLedger;
}
