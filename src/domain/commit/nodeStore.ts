import type { Outcome } from '../errors/outcome.ts';
import type { DueLook, HeldLook, HeldParts } from '../run/heldSlot.ts';
import type { Share } from '../run/share.ts';
import type { OutputPlaces } from '../run/wholeOutput.ts';
import type { NodeFacts } from '../targeting/nodeFacts.ts';
import type { BatchRequest, Verdict } from './batch.ts';
import type { HistoryStore } from './historyKeep.ts';
import type { NodeActivity } from './nodeActivity.ts';

/** What a node says of itself when it joins. */
export interface SessionIntroduction {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly ttlMs: number;
  readonly host: string;
  readonly processId: number;
  readonly guardianProcessId: number | null;
  readonly version: string;
  readonly timezoneData: string;
  readonly capacity: number;
  readonly concurrency: number;
  /** Its rank, see `NodeFacts`; absent: 1. */
  readonly level?: number;
  /** `name` or `name=value`; absent: none. */
  readonly labels?: readonly string[];
  /** Those that it runs jobs as which name a user; absent: it does not say. */
  readonly users?: readonly string[];
  /** Where it writes whole outputs; absent: nowhere. */
  readonly outputPlaces?: OutputPlaces | null | undefined;
}

/** A session that is live, or ended with slots that may still have to be freed. */
export interface SessionSeen extends Partial<NodeFacts> {
  readonly sessionId: string;
  readonly nodeName: string;
  readonly isLive: boolean;
  readonly beats: number;
  readonly ttlMs: number;
}

export interface SessionsLook {
  readonly sessions: readonly SessionSeen[];
  /** The database's clock when it answered, epoch milliseconds; null when no session was there. */
  readonly databaseNowMs: number | null;
  /** Another one than before: groups, targets or every-node jobs have changed. */
  readonly targetingVersion?: number;
  /** Another one than before: a session has come, has ended, or takes work or none. */
  readonly sessionsVersion?: number;
  /** Somebody looks at what the actors of nodes do, see `reportActivity`. */
  readonly isActivityWatched?: boolean;
}

/** The horizon of a look: the own share far ahead, all others shortly before the tick. */
export interface Horizon {
  readonly nodeName: string;
  readonly share: Share;
  readonly aheadMs: number;
  readonly aheadAnywhereMs: number;
  /** Stripes that the last claim could not get: a claim requests them anyway, a look need not. */
  readonly busyStripes?: readonly number[];
}

export interface RunOutput {
  readonly launchId: string;
  readonly output: Uint8Array;
}

/**
 * Everything that a running node needs of the database, for one session. Writes resolve to
 * outcomes; looks and outputs reject with the driver's error, and the caller looks again.
 */
export interface NodeStore extends HistoryStore {
  joinSession(introduction: SessionIntroduction): Promise<Outcome<null>>;
  renewSession(ackedBeats: number, beats: number): Promise<Outcome<null>>;
  /** `beatsSeen`: the value that stood still, for a reaper; null for somebody who knows. */
  endSession(sessionId: string, why: string, beatsSeen: number | null): Promise<Outcome<null>>;
  /** `only`: of these ids; absent: all that are live, or not reaped. */
  listSessions(only?: readonly string[]): Promise<SessionsLook>;
  /** Has every node read the live sessions again. */
  bumpSessionsVersion(): Promise<unknown>;
  markReaped(sessionId: string): Promise<unknown>;
  /** Says that this node is about to leave and claims nothing more. */
  markDraining(): Promise<unknown>;
  /**
   * Gives this node its slots of every-node jobs, and takes away those that it may not run any
   * more; resolves to whether nothing is left to do. Rejects with the driver's error.
   */
  ensureNodeSlots(): Promise<boolean>;
  peekDue(horizon: Horizon, slotsMax: number): Promise<DueLook>;
  /** Absent: all parts. */
  lookAtHeld(parts?: HeldParts): Promise<HeldLook>;
  writeOutputs(outputs: readonly RunOutput[]): Promise<void>;
  commitBatch(requests: readonly BatchRequest[]): Promise<Outcome<Verdict[]>>;
  /**
   * One bounded round of what is due and is no tick: starts by chains, pauses that end by
   * themselves, requests for nodes that are gone. Resolves to how much was done; any node does it.
   */
  runMaintenance(): Promise<number>;
  /** Keeps what the actors of a node do where every node finds it. */
  reportActivity(sessionId: string, activity: NodeActivity): Promise<void>;
  /** Statements sent so far, for benches and metrics. */
  statements(): number;
  close(): Promise<void>;
}
