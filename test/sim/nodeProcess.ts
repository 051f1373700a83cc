import type { AnyActorRef } from 'xstate';
import { Lease } from '../../src/actors/lease.ts';
import { createNodeActor } from '../../src/actors/nodeActor.ts';
import { Roster } from '../../src/actors/roster.ts';
import { DatabaseClock } from '../../src/domain/databaseClock.ts';
import { launchIdMaker, makeSessionId } from '../../src/domain/launchId.ts';
import type { NodeStore } from '../../src/domain/nodeStore.ts';
import { boundsOfTtl } from '../../src/store/openNodeStore.ts';
import { NodeLoop } from './nodeLoop.ts';
import type { NodeWire } from './nodeWire.ts';
import { plantInRoster, plantInStore } from './plantBug.ts';
import type { RandomSource } from './randomSource.ts';
import { SimulatedExecutor } from './simulatedExecutor.ts';
import { type MemoryStore, openMemoryStore } from './store/openMemoryStore.ts';
import type { World } from './world.ts';

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
  readonly endedSessions: readonly string[];
  readonly tellGuardian: (deadlineMs: number) => void;
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
    const { world, node, random, wire, tellGuardian } = parts;
    const { scenario, timeline, server } = world;
    const { ttlMs, capacity, concurrency } = scenario;
    const sessionId = makeSessionId((bytes) => random.bytes(bytes));
    this.sessionId = sessionId;
    this.loop = new NodeLoop(timeline);
    const bounds = boundsOfTtl(ttlMs);
    this.#store = openMemoryStore(
      {
        server,
        timeline,
        wire,
        loop: this.loop,
        bounds: {
          timeoutMs: bounds.timeoutMs,
          lockWaitMs: bounds.lockWaitSeconds * 1000,
          silenceMs: bounds.silenceSeconds * 1000,
        },
      },
      {
        sessionId,
        nodeName: node,
        nextLaunchId: launchIdMaker(sessionId),
        mutation: scenario.mutation,
      },
    );
    const lease = new Lease({
      ttlMs,
      bootNowMs: () => timeline.nowMs(),
      deadline: new SharedArrayBuffer(8),
      tellGuardian,
    });
    this.executor = new SimulatedExecutor({
      timeline,
      loop: this.loop,
      random: random.fork('executor'),
      children: world.children,
      lease,
      node,
      sessionId,
      jobs: scenario.jobs,
      spawnsWithoutLease: scenario.mutation === 'spawn without lease',
    });
    const actor = createNodeActor({
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
        capacity,
        concurrency,
        ttlMs,
        horizonMs: scenario.horizonMs,
        drainTimeoutMs: scenario.drainTimeoutMs,
      },
      store: breakable(plantInStore(this.#store, scenario.mutation), world, node),
      executor: this.executor,
      clock: new DatabaseClock(() => timeline.nowMs()),
      lease,
      roster: plantInRoster(new Roster(concurrency), concurrency, scenario.mutation),
      reports: { ...silent, serving: parts.onServing },
      endedSessions: parts.endedSessions,
      actorClock: this.loop.actorClock,
      nextTurn: () => new Promise((resolve) => this.loop.after(0, resolve)),
      monotonicNowMs: () => timeline.nowMs(),
      random: () => random.next(),
    });
    this.#actor = actor;
    world.coverage.watch(actor);
    const end = (ending: ProcessEnding): void => {
      // What must not go on kills its children and ends; a clean end closes first.
      if (ending.ending !== 'left') void this.executor.killEverything();
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
