import type { BatchEnd } from '../../../statecharts/committer.ts';
import type { HistoryKeep } from '../../domain/commit/historyKeep.ts';
import type { NodeStore, SessionIntroduction } from '../../domain/commit/nodeStore.ts';
import type {
  NotificationSender,
  NotificationStore,
} from '../../domain/notifications/notificationStore.ts';
import type { EndedSession } from '../../domain/reasons/sessionEnd.ts';
import type { LateStore, ResultSpool } from '../../domain/run/lateResult.ts';
import type { Launch } from '../../domain/run/launch.ts';
import type { Execution } from '../../domain/run/run.ts';
import type { Housekeeping } from '../../domain/targeting/housekeepers.ts';
import type { DatabaseClock } from '../../domain/time/databaseClock.ts';
import type { Outages } from '../../domain/time/outages.ts';
import type { ExecutionPool, PoolStats } from '../../exec/pool/pool.ts';
import type { SessionRecords } from '../../exec/session/sessionRecords.ts';
import type { ActivityCounts } from './activityCounts.ts';
import type { Lease } from './lease.ts';
import type { ResultKeeper } from './resultKeeper.ts';
import type { Roster } from './roster.ts';
import type { ActorClock } from './slicedClock.ts';
import type { WatchedLaunches } from './watchedLaunches.ts';

/**
 * What runs commands: the pool in production, a stand-in in benches and simulations. Without `peek`
 * nobody can follow, without `load` it is not known how busy it is.
 */
export interface Executor
  extends Pick<ExecutionPool, 'killEverything' | 'close'>,
    Partial<Pick<ExecutionPool, 'peek' | 'users'>> {
  run(launch: Launch): Promise<Execution>;
  /** `at once`: without the time that SIGTERM would give it. */
  stop(launchId: string, how?: 'with grace' | 'at once'): void;
  load?(): PoolLoad;
}

export type PoolLoad = Pick<PoolStats, 'running' | 'threads'>;

/** Results that outlive an outage of the database, and those that a dead process has left. */
export interface LateResults {
  readonly keeper: ResultKeeper;
  readonly spool: ResultSpool;
  readonly store: LateStore;
}

/** What this host knows of the sessions of the node's name. */
interface OwnSessions extends Pick<SessionRecords, 'sweep' | 'forget'> {
  /** Writes down the one that has just been made live, before it starts anything. */
  write(): void;
}

export interface NodeSettings {
  readonly capacity: number;
  readonly concurrency: number;
  readonly horizonMs: number;
  readonly ttlMs: number;
  readonly drainTimeoutMs: number;
  /** Between two rounds of the courier; absent: a second. */
  readonly courierPeriodMs?: number;
  /** What this node keeps of the history when it is its turn to clean; absent: the defaults. */
  readonly keep?: HistoryKeep;
}

/** What a node reports to whoever watches it. */
export interface NodeReports {
  serving(): void;
  draining(): void;
  /** It waits no longer, and stops so many runs. */
  stoppingRuns?(runs: number): void;
  /** It has ended the session of another node, whose lease was over. */
  nodeLost?(nodeName: string, why: string): void;
  waitingForName(rivalSessionId: string, ttlMs: number): void;
  /** A start was acknowledged, so late by the database's clock, and its child is run now. */
  runStarted?(launch: Launch, lateMs: number): void;
  runEnded(launch: Launch, execution: Execution, tookMs: number): void;
  /** A run's result was recorded by its own process, so long after its end. */
  resultRecorded?(waitedMs: number): void;
  /** The database confirmed a renewal of the lease. */
  databaseAnswered?(): void;
  /** A result that an earlier process had spooled completed its lost run. */
  recordedLate?(launchId: string, job: string, execution: Execution): void;
  /** A batch was committed: how many slots it moved. */
  batchEnded(slots: number): void;
  /** A batch came to an end, whichever. */
  batchSettled?(batch: Pick<BatchEnd, 'report' | 'requests' | 'tookMs'>): void;
  /** So many requests of a committed batch found their stripe held by somebody, and wait for it. */
  stripesBusy?(requests: number): void;
  trouble(what: string, error: unknown): void;
}

/** What the actors of one node share: injected, so that simulations replace each part. */
export interface Runtime {
  readonly introduction: SessionIntroduction;
  readonly settings: NodeSettings;
  readonly store: NodeStore;
  readonly executor: Executor;
  readonly clock: DatabaseClock;
  /** When the database did not answer: the store tells by them why ticks were missed. */
  readonly outages: Outages;
  readonly lease: Lease;
  readonly roster: Roster;
  /** Whether this node works for the cluster, as the reaper sees it. */
  readonly housekeeping: Housekeeping;
  /** What the actors have done so far. */
  readonly activity: ActivityCounts;
  /** What they said of launches, while somebody looks. */
  readonly watched: WatchedLaunches;
  readonly reports: NodeReports;
  /** Sessions of earlier processes of this host that the guardian has cleaned away. */
  readonly endedSessions: readonly EndedSession[];
  /** Sessions of the name that nobody cleaned away; without it they wait for their TTL. */
  readonly ownSessions?: OwnSessions;
  /** Where results wait that the database cannot take; without it they wait in memory only. */
  readonly late?: LateResults;
  /** The outbox and who sends what it holds; without it this node sends no notifications. */
  readonly notifications?: {
    readonly store: NotificationStore;
    readonly sender: NotificationSender;
  };
  /** Where every delay of every chart waits. */
  readonly actorClock: ActorClock;
  /** Resolves when whatever this turn of the event loop still does has been done. */
  readonly nextTurn: () => Promise<void>;
  readonly monotonicNowMs: () => number;
  readonly random: () => number;
}
