import { hostname } from 'node:os';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
// Schedules load it when they need it: too late in a node whose package may be replaced meanwhile.
import 'cron-parser';
import type { AnyActorRef } from 'xstate';
import { createNodeActor } from './actors/nodeActor.ts';
import { ActivityCounts } from './actors/runtime/activityCounts.ts';
import { Lease } from './actors/runtime/lease.ts';
import { poolExecutor } from './actors/runtime/poolExecutor.ts';
import { ResultKeeper } from './actors/runtime/resultKeeper.ts';
import { Roster } from './actors/runtime/roster.ts';
import type { Executor, NodeReports, NodeSettings, Runtime } from './actors/runtime/runtime.ts';
import { createSlicedClock, type SlicedClock } from './actors/runtime/slicedClock.ts';
import { WatchedLaunches } from './actors/runtime/watchedLaunches.ts';
import { viewNode } from './actors/view/nodeView.ts';
import type { NodeStore, SessionIntroduction } from './domain/commit/nodeStore.ts';
import { type EndedSession, type SessionEnd, sessionEnds } from './domain/reasons/sessionEnd.ts';
import type { LateStore } from './domain/run/lateResult.ts';
import { launchIdMaker, makeSessionId } from './domain/run/launchId.ts';
import { DatabaseClock } from './domain/time/databaseClock.ts';
import { Outages } from './domain/time/outages.ts';
import type { GuardianLink } from './exec/guardian/guardianLink.ts';
import { GuardianLostError } from './exec/guardian/guardianLostError.ts';
import { bootMs } from './exec/lease/bootClock.ts';
import { FencedError } from './exec/lease/fencedError.ts';
import { type LeaseFile, openLeaseFile } from './exec/lease/leaseFile.ts';
import {
  createNotificationSender,
  type SenderSettings,
} from './exec/notifications/notificationSender.ts';
import { OutputFolder, type OutputSettings } from './exec/output/outputFolder.ts';
import { createPool } from './exec/pool/pool.ts';
import { openSpool } from './exec/result/spoolFolder.ts';
import type { SessionRecords } from './exec/session/sessionRecords.ts';
import type { ApiServer } from './http/apiServer.ts';
import type { DatabaseAddress } from './store/connection/databaseAddress.ts';
import { openNodeStore } from './store/openNodeStore.ts';

export interface NodeOptions {
  readonly database: DatabaseAddress;
  readonly nodeName: string;
  /** Its rank among the nodes; absent: 1. */
  readonly level?: number;
  /** `name` or `name=value`; absent: none. */
  readonly labels?: readonly string[];
  readonly settings: NodeSettings;
  /** Worker threads of the pool. */
  readonly threads: number;
  readonly version: string;
  readonly reports: NodeReports;
  /** The node's side of the guardian's pipe; null when it runs without one, as in tests. */
  readonly guardian: NodeGuardian | null;
  /** Users that jobs may run as, where this process is root. */
  readonly allowedUsers?: readonly string[];
  /** How it sends notifications; absent: no mails, and nothing to addresses inside. */
  readonly sending?: SenderSettings;
  /** Makes its API, whose code a node without one does not load (`makeApiServer`); absent: none. */
  readonly makeApi?: ((database: DatabaseAddress, reports: NodeReports) => ApiServer) | null;
  /** Where results wait that the database cannot take; without it they wait in memory alone. */
  readonly spoolFolder?: string | null;
  /** Where the whole output of each run goes, beside what the database keeps; absent: nowhere. */
  readonly outputs?: OutputSettings;
  /** What this host knows of sessions of the name; absent: nothing. */
  readonly records?: SessionRecords;
  /** Stands in for the pool, or for some of its launches, where no children are wanted. */
  readonly makeExecutor?: (makePool: () => Executor) => Executor;
}

/** What a node needs of its guardian. */
export interface NodeGuardian
  extends Pick<GuardianLink, 'fd' | 'deadline' | 'renewalFailed' | 'onLost'> {
  readonly processId: number;
  readonly endedSessions: readonly EndedSession[];
  announceSession(sessionId: string): void;
}

/** How a node came to its end. `left`: cleanly; `fenced`: its session was lost; else `failed`. */
export interface NodeEnding {
  readonly ending: 'left' | 'fenced' | 'failed';
  readonly error: unknown;
  /** Of one that was fenced: why, and how many runs were under way. */
  readonly fence?: SessionEnd & { readonly runs: number };
}

export interface RunningNode {
  readonly sessionId: string;
  readonly store: NodeStore;
  readonly roster: Roster;
  /** Resolves when the root actor reaches its end and nothing of the node lives. */
  readonly ended: Promise<NodeEnding>;
  /** Begins a drain; the second time, what still executes is stopped. */
  drain(): void;
}

/** Composes one node from its parts and starts it: store, pool, clock, lease, actors and API. */
export function startNode(options: NodeOptions): RunningNode {
  let root: AnyActorRef | null = null;
  const fail = (error: unknown): void => root?.send({ type: 'node.failed', error });
  const api = options.makeApi?.(options.database, options.reports) ?? null;
  const runtime = composeRuntime(options, api?.reports ?? options.reports, fail);
  const { actorClock, introduction, leaseFile, roster, store } = runtime;
  const actor = createNodeActor(runtime);
  root = actor;
  const ended = new Promise<NodeEnding>((resolve) => {
    const settle = async (ending: NodeEnding): Promise<void> => {
      await end(runtime, api, ending.ending);
      if (ending.ending === 'left') runtime.ownSessions?.forget(introduction.sessionId);
      // The slots' actors outlive the root, and would go on waiting for their ticks.
      actorClock.stop();
      leaseFile.close();
      resolve(ending);
    };
    actor.subscribe({
      complete: () => {
        const { value, context } = actor.getSnapshot();
        // The launcher finds a lease over at once, the heartbeat at its next look.
        const isFenced = value === 'fenced' || context.error instanceof FencedError;
        const ending = isFenced ? 'fenced' : value === 'left' ? value : 'failed';
        const fence = { ...runtime.lease.whyLost(), runs: roster.running };
        void settle({ ending, error: context.error, ...(isFenced ? { fence } : {}) });
      },
      error: (error) => void settle({ ending: 'failed', error }),
    });
  });
  actor.start();
  api?.serve(viewNode(runtime, actor));
  const { sessionId } = introduction;
  return { sessionId, store, roster, ended, drain: () => actor.send({ type: 'node.drain' }) };
}

function composeRuntime(
  options: NodeOptions,
  reports: NodeReports,
  fail: (error: unknown) => void,
): Runtime & { readonly actorClock: SlicedClock; readonly leaseFile: LeaseFile } {
  const { guardian, nodeName, settings } = options;
  const sessionId = makeSessionId();
  const outages = new Outages();
  const store = openNodeStore(options.database, {
    ...{ sessionId, nodeName, outages, ttlMs: settings.ttlMs },
    nextLaunchId: launchIdMaker(sessionId),
    onForeign: (jobName, why) =>
      reports.trouble(`${jobName} is left to nodes of another version`, new Error(why)),
  });
  const leaseFile = openLeaseFile();
  const lease = new Lease({
    ttlMs: settings.ttlMs,
    bootNowMs: bootMs,
    publish: (deadlineMs, sentMs) => {
      leaseFile.write(deadlineMs);
      guardian?.deadline(deadlineMs, sentMs);
    },
    publishFailure: (atMs, error) => guardian?.renewalFailed(atMs, error),
  });
  const clock = new DatabaseClock(() => performance.now());
  const actorClock = createSlicedClock();
  const late = makeLateResults({ ...options, reports }, store, lease, actorClock);
  const { allowedUsers = [], outputs, records, spoolFolder = null, threads } = options;
  const { files = null, isJournaled = false } = outputs ?? {};
  const guardianFd = guardian?.fd ?? null;
  const parts = { sessionId, threads, guardianFd, leaseFd: leaseFile.fd, allowedUsers };
  const makePool = () =>
    poolExecutor(createPool({ onFatal: fail, ...parts }), {
      ...{ nodeName, clock, spoolFolder },
      files: files && new OutputFolder(files, (what, error) => reports.trouble(what, error)),
      isJournaled,
    });
  const executor = options.makeExecutor?.(makePool) ?? makePool();
  const life = { sessionId, guardianPid: guardian?.processId ?? null, leaseFd: leaseFile.fd };
  guardian?.announceSession(sessionId);
  const roster = new Roster(settings.concurrency, () => performance.now());
  guardian?.onLost(() => {
    fail(new GuardianLostError(roster.running)); // kills first
    records?.noteEnd(sessionId, sessionEnds.guardianGone);
  });
  return {
    introduction: introduce(options, sessionId, executor.users),
    ...{ settings, store, executor, clock, outages, lease, leaseFile, reports, roster, actorClock },
    ...{ activity: new ActivityCounts(), housekeeping: { isOwn: true } },
    watched: new WatchedLaunches(),
    endedSessions: guardian?.endedSessions ?? [],
    ...(late === null ? {} : { late }),
    ...(records && { ownSessions: { ...records, write: () => records.write(life) } }),
    notifications: { store, sender: createNotificationSender(options.sending, options.version) },
    nextTurn: () => nextTurn(),
    monotonicNowMs: () => performance.now(),
    random: Math.random,
  };
}

/**
 * Kills what still lives first, since a fenced node's children must not wait for a slow database;
 * nor must the process, so that only a clean end waits until everything is closed. What has ended
 * and is not acknowledged is handed over to the next process by the spool.
 */
async function end(
  { executor, late, store }: Runtime,
  api: ApiServer | null,
  ending: NodeEnding['ending'],
): Promise<void> {
  if (ending !== 'left') {
    const handedOver = Promise.race([late?.keeper.flush(), sleep(handOverMsMax)]);
    await Promise.all([executor.killEverything(), handedOver]);
  }
  const closed = Promise.all([api?.close(), store.close()]).then(() => executor.close());
  if (ending === 'left') await closed;
  else closed.catch(() => undefined); // the process ends, and every connection of it
}

const handOverMsMax = 2_000;

function makeLateResults(
  { reports, spoolFolder = null }: NodeOptions,
  store: LateStore,
  lease: Lease,
  clock: SlicedClock,
) {
  if (spoolFolder === null) return null;
  const spool = openSpool(spoolFolder);
  const keeper = new ResultKeeper({
    spool,
    clock,
    monotonicNowMs: () => performance.now(),
    isRenewalUnanswered: () => lease.isUnanswered(),
    trouble: (what, error) => reports.trouble(what, error),
  });
  return { keeper, spool, store };
}

function introduce(
  options: NodeOptions,
  sessionId: string,
  users: Executor['users'],
): SessionIntroduction {
  const { guardian, nodeName, level = 1, labels = [], outputs, settings, version } = options;
  const { capacity, concurrency, ttlMs } = settings;
  return {
    ...{ sessionId, nodeName, level, labels, ttlMs, version, capacity, concurrency },
    ...{ host: hostname(), processId: process.pid, timezoneData: process.versions.tz ?? '' },
    guardianProcessId: guardian?.processId ?? null,
    outputPlaces: placesOf(outputs),
    ...(users && { users }),
  };
}

/** Null: nobody need look for outputs there. */
function placesOf({ files = null, isJournaled = false }: Partial<OutputSettings> = {}) {
  if (files === null && !isJournaled) return null;
  return { ...(files && { files: files.folder }), ...(isJournaled && { isJournaled }) };
}
