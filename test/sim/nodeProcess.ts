import type { AnyActorRef } from 'xstate';
import { createNodeActor } from '../../src/actors/nodeActor.ts';
import { ActivityCounts } from '../../src/actors/runtime/activityCounts.ts';
import { Lease } from '../../src/actors/runtime/lease.ts';
import { ResultKeeper } from '../../src/actors/runtime/resultKeeper.ts';
import { Roster } from '../../src/actors/runtime/roster.ts';
import type { LateResults, Runtime } from '../../src/actors/runtime/runtime.ts';
import { WatchedLaunches } from '../../src/actors/runtime/watchedLaunches.ts';
import type { NodeStore } from '../../src/domain/commit/nodeStore.ts';
import type { EndedSession } from '../../src/domain/reasons/sessionEnd.ts';
import { launchIdMaker, makeSessionId } from '../../src/domain/run/launchId.ts';
import { DatabaseClock } from '../../src/domain/time/databaseClock.ts';
import { Outages } from '../../src/domain/time/outages.ts';
import { boundsOfTtl } from '../../src/store/openNodeStore.ts';
import { NodeLoop } from './nodeLoop.ts';
import type { NodeWire } from './nodeWire.ts';
import { plantInRoster, plantInStore } from './plantBug.ts';
import type { RandomSource } from './randomSource.ts';
import { SimulatedExecutor } from './simulatedExecutor.ts';
import type { SimulatedSpool } from './simulatedSpool.ts';
import { type MemoryStore, openMemoryStore } from './store/openMemoryStore.ts';
import type { World } from './world.ts';

/** No job of a world follows on another: the looks for that need not cost an eighth of its time. */
const courierPeriodMs = 4_000;

/** How a node process ended by itself. */
export interface ProcessEnding {
  readonly ending: 'left' | 'fenced' | 'failed';
  readonly error: unknown;
}

export interface ProcessParts {
  readonly world: World;
  readonly node: string;
  readonly random: RandomSource;
  readonly wire: NodeWire;
  readonly spool: SimulatedSpool;
  readonly endedSessions: readonly EndedSession[];
  readonly notifyGuardian: (deadlineMs: number) => void;
  readonly onServing: () => void;
  readonly onEnd: (ending: ProcessEnding) => void;
}

/** One simulated life of a node process: `startNode`'s composition, with every seam simulated. */
export class NodeProcess {
  readonly sessionId: string;
  readonly loop: NodeLoop;
  readonly executor: SimulatedExecutor;
  readonly #store: MemoryStore;
  readonly #actor: AnyActorRef;

  constructor(parts: ProcessParts) {
    const { world, random } = parts;
    const { timeline } = world;
    this.sessionId = makeSessionId((bytes) => random.bytes(bytes));
    this.loop = new NodeLoop(timeline);
    const life = { ...parts, sessionId: this.sessionId, loop: this.loop };
    const lease = new Lease({
      ttlMs: world.scenario.ttlMs,
      bootNowMs: () => timeline.nowMs(),
      publish: parts.notifyGuardian,
    });
    this.#store = openStore(life);
    this.executor = makeExecutor(life, lease);
    const late = makeLateResults(life, lease, this.#store);
    const runtime = makeRuntime(life, lease, this.#store, this.executor, late);
    const actor = createNodeActor(runtime);
    this.#actor = actor;
    world.coverage.watch(actor);
    const end = (ending: ProcessEnding): void => {
      // What must not go on kills its children and ends; a clean end closes first.
      if (ending.ending !== 'left') void this.executor.killEverything();
      void late.keeper.flush();
      this.loop.after(random.between(1, 10), () => {
        if (!this.loop.isDead) parts.onEnd(ending);
      });
    };
    actor.subscribe({
      complete: () => {
        const { value, context } = actor.getSnapshot();
        const ending = value === 'left' || value === 'fenced' ? value : 'failed';
        end({ ending, error: context.error });
      },
      error: (error) => end({ ending: 'failed', error }),
    });
  }

  start(): void {
    this.#actor.start();
  }

  drain(): void {
    this.loop.receive(() => this.#actor.send({ type: 'node.drain' }));
  }

  fail(error: unknown): void {
    this.loop.receive(() => this.#actor.send({ type: 'node.failed', error }));
  }

  /** Nothing happens in it any more, and the kernel closes its connections. */
  die(): void {
    this.loop.die();
    this.#store.cut();
  }
}

interface Life extends ProcessParts {
  readonly sessionId: string;
  readonly loop: NodeLoop;
}

function openStore({ world, node, wire, sessionId, loop }: Life): MemoryStore {
  const { scenario, server, timeline } = world;
  const { timeoutMs, lockWaitSeconds, silenceSeconds } = boundsOfTtl(scenario.ttlMs);
  const lockWaitMs = lockWaitSeconds * 1000;
  const bounds = { timeoutMs, lockWaitMs, silenceMs: silenceSeconds * 1000 };
  const nextLaunchId = launchIdMaker(sessionId);
  const session = { sessionId, nodeName: node, nextLaunchId, mutation: scenario.mutation };
  return openMemoryStore({ server, timeline, wire, loop, bounds, client: node }, session);
}

function makeExecutor({ world, node, random, sessionId, loop }: Life, lease: Lease) {
  const { children, plans, timeline } = world;
  return new SimulatedExecutor({
    timeline,
    loop,
    random: random.fork('executor'),
    children,
    lease,
    node,
    sessionId,
    jobs: plans,
  });
}

function makeLateResults(life: Life, lease: Lease, store: MemoryStore): LateResults {
  const { timeline } = life.world;
  const spool = life.spool.openFor(life.loop);
  const keeper = new ResultKeeper({
    spool,
    clock: life.loop.actorClock,
    monotonicNowMs: () => timeline.nowMs(),
    isRenewalUnanswered: () => lease.isUnanswered(),
    trouble: () => undefined,
  });
  return { keeper, spool, store };
}

function makeRuntime(
  life: Life,
  lease: Lease,
  store: MemoryStore,
  executor: SimulatedExecutor,
  late: LateResults,
): Runtime {
  const { world, node, random, sessionId, loop } = life;
  const { mutation, ...scenario } = world.scenario;
  const { capacity, concurrency, ttlMs, horizonMs, drainTimeoutMs } = scenario;
  const nowMs = (): number => world.timeline.nowMs();
  return {
    introduction: {
      sessionId,
      nodeName: node,
      ttlMs,
      host: 'simulated',
      processId: 1,
      guardianProcessId: 1,
      version: '0.0.0',
      timezoneData: '',
      capacity,
      concurrency,
    },
    settings: {
      ...{ capacity, concurrency, ttlMs, horizonMs, drainTimeoutMs },
      ...(world.server.load === null ? { courierPeriodMs } : {}),
    },
    store: breakable(plantInStore(store, mutation), world, node),
    executor,
    clock: new DatabaseClock(nowMs),
    outages: new Outages(),
    lease,
    roster: plantInRoster(new Roster(concurrency, nowMs), concurrency, mutation),
    reports: { ...silent, serving: life.onServing },
    activity: new ActivityCounts(),
    housekeeping: { isOwn: true },
    watched: new WatchedLaunches(),
    endedSessions: life.endedSessions,
    late,
    ...(world.server.load === null ? {} : { notifications: notificationsOf(store) }),
    actorClock: loop.actorClock,
    nextTurn: () => new Promise((resolve) => loop.after(0, resolve)),
    monotonicNowMs: nowMs,
    random: () => random.next(),
  };
}

/** Nothing is ever due, but each node looks: where statements are counted. */
function notificationsOf(store: MemoryStore): NonNullable<Runtime['notifications']> {
  const none = { batches: [], leaseMs: 0 };
  return {
    store: {
      takeNotifications: () => store.lookForNotifications().then(() => none),
      settleNotifications: async () => undefined,
    },
    sender: { kinds: [], send: async () => ({ sent: true }) },
  };
}

const silent = {
  draining: () => undefined,
  waitingForName: () => undefined,
  runEnded: () => undefined,
  batchEnded: () => undefined,
  trouble: () => undefined,
};

/** A broken invariant shows as an error that no outcome stands for: the process must end. */
function breakable(store: NodeStore, world: World, node: string): NodeStore {
  const check = (): void => {
    if (world.brokenNodes.has(node)) throw new Error('a broken invariant, on purpose');
  };
  return {
    ...store,
    renewSession: async (acked, beats) => {
      check();
      return store.renewSession(acked, beats);
    },
    commitBatch: async (requests) => {
      check();
      return store.commitBatch(requests);
    },
  };
}
