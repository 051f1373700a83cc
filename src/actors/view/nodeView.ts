import type { AnyActorRef } from 'xstate';
import type { NodeActivity } from '../../domain/commit/nodeActivity.ts';
import { type ActorEvent, stateOf, watchActors } from '../runtime/actorEvents.ts';
import type { PoolLoad, Runtime } from '../runtime/runtime.ts';
import { activityOf } from './activityOf.ts';

/** What a node shows of itself without the database; a look costs little and changes nothing. */
export interface NodeView {
  readonly nodeName: string;
  readonly sessionId: string;
  readonly version: string;
  /** Of the root's machine: `joining`, `live.serving`, `live.draining` … */
  state(): string;
  /** Milliseconds until this process must have ended unless its session is renewed before. */
  leaseLeftMs(): number;
  /** How long ago the last renewal had been sent that the database has acknowledged. */
  silentMs(): number;
  readonly ttlMs: number;
  /** The database's clock less this host's wall clock; null before it was read. */
  clockOffsetMs(): number | null;
  load(): NodeLoad;
  activity(): NodeActivity;
  /** Calls back for every message and change of state until it is stopped. */
  watch(see: (event: ActorEvent) => void): () => void;
}

export interface NodeLoad {
  readonly held: number;
  readonly capacity: number;
  /** Launches that have, and that wait for, one of the `concurrency` permits. */
  readonly running: number;
  readonly queueing: number;
  readonly concurrency: number;
  /** Of the threads that run children; null where there are none. */
  readonly pool: PoolLoad | null;
  readonly statements: number;
}

/** Looks at a node by its root actor and what its actors share. */
export function viewNode(runtime: Runtime, root: AnyActorRef): NodeView {
  const { clock, executor, introduction, lease, roster, settings, store } = runtime;
  return {
    nodeName: introduction.nodeName,
    sessionId: introduction.sessionId,
    version: introduction.version,
    ttlMs: settings.ttlMs,
    state: () => stateOf(root.getSnapshot()),
    leaseLeftMs: () => lease.leftMs(),
    silentMs: () => lease.silentMs(),
    clockOffsetMs: () => {
      const offsetMs = clock.nowMs() - Date.now();
      return Number.isNaN(offsetMs) ? null : offsetMs;
    },
    load: () => ({
      held: roster.size,
      capacity: settings.capacity,
      running: roster.running,
      queueing: roster.queueing,
      concurrency: settings.concurrency,
      pool: executor.load?.() ?? null,
      statements: store.statements(),
    }),
    activity: () => activityOf(runtime, root),
    watch: (see) => watchActors(root, roster, see),
  };
}
