import type { Upstream } from '../job/fieldTable/upstream.ts';
import type { JobDefinition } from '../job/jobDefinition.ts';
import type { PendingLaunch } from '../policies/claimDecision.ts';
import type { SlotState } from '../run/arrows.ts';
import type { RunResult, Trigger } from '../run/run.ts';
import type { Placement } from '../targeting/mayTake.ts';
import type { LiveNode, NodeGroups } from '../targeting/nodeFacts.ts';

/** What is known of a job when somebody wants to know why it has not run: read without locks. */
export interface WhyFacts {
  /** The database's clock; all instants are by it. */
  readonly nowMs: number;
  readonly job: JobFacts;
  readonly slots: readonly SlotFacts[];
  /** Its earliest requested launches, by node name. */
  readonly pending: readonly PendingFacts[];
  readonly place: PlaceFacts;
  readonly upstreams: readonly UpstreamFacts[];
  /** How far the database's clock is ahead of this machine's; null: by no more than can be said. */
  readonly clockAheadMs: number | null;
  /** Why no node may join the database; null: every node may. */
  readonly whyClosed: string | null;
}

export interface JobFacts {
  readonly jobId: number;
  readonly name: string;
  readonly revision: number;
  readonly definition: JobDefinition;
  readonly inForceFromMs: number;
  readonly removedMs: number | null;
  readonly isPaused: boolean;
  readonly resumeAtMs: number | null;
  /** Why there is the revision in force, where no operator made it. */
  readonly reason: string | null;
  /** Of the limits `max-runs` and `pause-after-failures`. */
  readonly ticksRun: number;
  readonly failuresInRow: number;
  /** How many launches are requested, and how many of them are ticks that wait their turn. */
  readonly pending: number;
  readonly waiting: number;
  /** The last row of its history, of ticks up to now. */
  readonly last: LastRow | null;
}

export interface LastRow {
  readonly runId: number;
  readonly launchId: string | null;
  readonly node: string | null;
  readonly trigger: Trigger;
  readonly result: RunResult;
  readonly reason: string | null;
  readonly scheduledForMs: number;
  readonly startedMs: number | null;
  readonly endedMs: number;
}

/** One slot of the job, and the launch that it holds. */
export interface SlotFacts {
  readonly nodeName: string;
  readonly slotNo: number;
  readonly state: SlotState;
  readonly cursorMs: number | null;
  /** While a launch is prepared: when it ought to start. */
  readonly nextRunMs: number | null;
  readonly trigger: Trigger | null;
  readonly attempt: number | null;
  readonly launchId: string | null;
  readonly scheduledForMs: number | null;
  readonly startedMs: number | null;
  readonly lastStartedMs: number | null;
  readonly endedMs: number | null;
  /** Who holds the launch. */
  readonly sessionId: string | null;
  readonly node: string | null;
}

export interface PendingFacts extends PendingLaunch {
  readonly nodeName: string;
  /** The only node that shall run it; null: any that may. */
  readonly wantedNode: string | null;
}

/** Where it may run. */
export interface PlaceFacts {
  readonly targetId: number;
  readonly placement: Placement;
  readonly isEveryNode: boolean;
  readonly groups: NodeGroups;
  /** The sessions that are there, and those that were when its ticks were due. */
  readonly sessions: readonly SessionFacts[];
  /** There are more of them than were looked at. */
  readonly isCut: boolean;
  /** The limit of its group of jobs, and how many launches each target of the group has. */
  readonly limit: {
    readonly group: string;
    readonly launchesMax: number;
    readonly held: ReadonlyMap<number, number>;
  } | null;
  /** What nodes hold, by their sessions; of as many as are shown. */
  readonly held: ReadonlyMap<string, HeldLaunches>;
}

export interface HeldLaunches {
  readonly prepared: number;
  readonly executing: number;
}

/** One life of a node, up to its last sign of life. */
export interface SessionFacts extends LiveNode {
  readonly fromMs: number;
  readonly untilMs: number;
  /** `gone`: it has ended. `silent`: it should have ended, since it does not renew its lease. */
  readonly state: 'live' | 'silent' | 'gone';
  /** Why it ended; null: nobody noted it, or it has not. */
  readonly endedWhy: string | null;
  readonly ttlMs: number;
  /** How long ago it renewed its lease. */
  readonly renewedAgoMs: number;
  readonly capacity: number;
  readonly concurrency: number;
}

/** A job that it follows. */
export interface UpstreamFacts extends Upstream {
  /** False: it is of a group of jobs that whoever wants to know may not see. */
  readonly isShown: boolean;
  /** So much has come since that it was not looked for any further. */
  readonly isCut: boolean;
  /** The last end of it since the job follows it; null: there was none. */
  readonly last: { readonly result: RunResult; readonly endedMs: number } | null;
}
