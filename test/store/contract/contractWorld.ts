import type { JobDefinition } from '../../../src/domain/job/jobDefinition.ts';
import type { JobChangeKind } from '../../../src/domain/policies/jobChange.ts';
import type { SlotState } from '../../../src/domain/run/arrows.ts';
import type { TestNode } from '../../support/testNode.ts';

/** What every store of jobs can be asked, whatever keeps it: MariaDB, MySQL or memory. */
export interface ContractWorld {
  /** A job whose cursor stands where it is told, by the store's clock. */
  addJob(name: string, options?: { schedule?: string; dueInMs?: number }): Promise<unknown>;
  /** A node's store with a live session of its own. */
  join(
    nodeName: string,
    options?: {
      ttlMs?: number;
      facts?: { level?: number; labels?: readonly string[]; users?: readonly string[] };
    },
  ): Promise<TestNode>;
  /** A job with the given fields, added as operators do it; its cursor stands where it is told. */
  place(name: string, fields: Partial<JobDefinition>, dueInMs?: number): Promise<unknown>;
  /** An operator's edit of the given fields. */
  editFields(name: string, fields: Partial<JobDefinition>): Promise<unknown>;
  /** Sets the members of a group of nodes, null removes it; resolves to what was withdrawn. */
  group(group: string, members: readonly string[] | null): Promise<number>;
  /** Sets, or with null takes away, how many launches a group of jobs may have at once. */
  limit(group: string, concurrencyMax: number | null): Promise<unknown>;
  /** Forgets a node; resolves to how many slots it had, or why it was refused. */
  forget(nodeName: string): Promise<number | string>;
  /** Keeps a node from new work, or lets it take work; resolves to what it gave back. */
  holdNode(how: 'cordon' | 'drain' | 'uncordon', nodeName: string): Promise<number>;
  /** The node names that the job has slots of, sorted, with their states. */
  nodeSlots(name: string): Promise<string[]>;
  /** An operator's change; resolves to the job's revision after it. */
  change(kind: JobChangeKind, name: string, schedule?: string): Promise<number>;
  /** Pauses a job until so much later. */
  pauseFor(name: string, forMs: number): Promise<unknown>;
  /** Asks for a run now; resolves to whether the request was new. */
  run(name: string, requestId: string): Promise<boolean>;
  stop(launchId: string): Promise<'withdrawn' | 'asked'>;
  /** Somebody else's transaction that holds the stripes, until what it resolves to is called. */
  hold(stripes: readonly number[]): Promise<() => Promise<void>>;
  /** As if what the job's slot holds had been claimed, and started, so much earlier. */
  age(name: string, seconds: number): Promise<void>;
  /** As if the session had been renewed for the last time so long ago. */
  ageSession(sessionId: string, seconds: number): Promise<void>;
  /** As if everything that has ended had ended so much earlier. */
  ageHistory(seconds: number): Promise<void>;
  /** Somebody follows the output of a launch, and asked for it so long ago. */
  followLive(launchId: string, secondsAgo: number): Promise<void>;
  /** What followers can read; null: nobody has asked. */
  live(launchId: string): Promise<{ text: string | null; outputBytes: number } | null>;
  /** From when on the job's history is whole; null: from its beginning. */
  historyFrom(name: string): Promise<number | null>;
  slot(name: string): Promise<ContractSlot>;
  /** The job's history in the order in which it was written. */
  runs(name: string): Promise<ContractRun[]>;
  /** The request ids of the launches that are asked for and not claimed. */
  pending(name: string): Promise<string[]>;
}

export interface ContractSlot {
  readonly state: SlotState;
  readonly launchId: string | null;
  readonly sessionId: string | null;
  readonly revision: number | null;
  readonly nextRunMs: number | null;
  readonly cursorMs: number | null;
}

export interface ContractRun {
  readonly launchId: string | null;
  readonly trigger: string;
  readonly requestId: string | null;
  readonly revision: number;
  readonly isFinal: boolean;
  readonly scheduledForMs: number;
  readonly scheduledUntilMs: number | null;
  readonly ticks: number;
  readonly startedMs: number | null;
  readonly endedMs: number;
  readonly result: string;
  readonly exitCode: number | null;
}
