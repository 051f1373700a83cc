import { fromPromise } from 'xstate';
import { compensatorMachine } from '../../statecharts/compensator.ts';
import type { ResetRequest } from '../domain/commit/batch.ts';
import { replacesRun } from '../domain/policies/passOverlapped.ts';
import type { HeldLook, HeldSlot } from '../domain/run/heldSlot.ts';
import { LiveOutputs } from './runtime/liveOutputs.ts';
import { requestCommit } from './runtime/requestCommit.ts';
import type { Runtime } from './runtime/runtime.ts';

interface Memory {
  /** Rows of ours that the last look found and no actor knew; found again, they are reset. */
  suspects: ReadonlySet<string>;
  /** Actors whose row the last look did not find; not found again, they are dropped. */
  rowless: ReadonlySet<string>;
  /** Resets requested and not settled: a launch stays until it is idle or another's (rule (d)). */
  readonly resets: Map<string, HeldSlot>;
  /** Launches whose reset is with the committer: not requested twice while a stripe is held. */
  readonly pending: Set<string>;
}

/**
 * The compensator's chart with its effects. Two looks in a row have to agree before anything is
 * done: between them whatever was under way has been acknowledged and is known to memory, or never
 * will be.
 */
export function provideCompensator(runtime: Runtime) {
  const memory: Memory = {
    suspects: new Set(),
    rowless: new Set(),
    resets: new Map(),
    pending: new Set(),
  };
  const { executor, reports } = runtime;
  const live = new LiveOutputs({
    store: runtime.store,
    clock: runtime.actorClock,
    peek: async (launchId, bytesMax) => (await executor.peek?.(launchId, bytesMax)) ?? null,
    trouble: (what, error) => reports.trouble(what, error),
  });
  return compensatorMachine.provide({
    actors: {
      lookAtHeld: fromPromise<HeldLook>(() => runtime.store.lookAtHeld()),
    },
    actions: {
      compare: ({ self, system }, { look }) => {
        const reset = (slot: HeldSlot, why: ResetRequest['why']): void => {
          const { slotId, stripe, launchId } = slot;
          if (memory.pending.has(launchId)) return;
          memory.pending.add(launchId);
          requestCommit(system, self, { kind: 'reset', why, slotId, stripe, launchId });
        };
        settleOwn(runtime, memory, look.own);
        dropRowless(runtime, memory, look.own);
        for (const slot of memory.resets.values()) reset(slot, 'own');
        for (const slot of look.overdue) reset(slot, 'overdue');
        live.follow(look.followed);
      },
      removeFromResetSet: ({ event }) => {
        if (event.type === 'compensator.look') return;
        memory.resets.delete(event.launchId);
        memory.pending.delete(event.launchId);
      },
      noteUnsettled: ({ event }) => {
        if (event.type === 'compensator.look') return;
        memory.pending.delete(event.launchId);
      },
      reportTrouble: (_, { error }) => runtime.reports.trouble('the look at held slots', error),
    },
  });
}

function settleOwn(runtime: Runtime, memory: Memory, own: readonly HeldSlot[]): void {
  const unknown = own.filter(({ launchId }) => runtime.roster.get(launchId) === undefined);
  for (const slot of unknown) {
    if (memory.suspects.has(slot.launchId)) memory.resets.set(slot.launchId, slot);
  }
  memory.suspects = new Set(unknown.map(({ launchId }) => launchId));
  for (const { launchId, stopRequested, isOverlapped, isBehind } of own) {
    const member = runtime.roster.get(launchId);
    if (member === undefined) continue;
    const { overlap, misfire } = member.launch.definition;
    // Of a backlog each tick runs: none of it takes the place of the one before.
    const givesWay = isOverlapped && !(isBehind && misfire === 'all');
    if (stopRequested) member.actor.send({ type: 'run.stop' });
    else if (givesWay && replacesRun(overlap)) {
      member.actor.send({ type: 'run.stop', overlap });
    }
  }
}

/** A launch that was withdrawn by an edit, or taken over, frees its place before its tick. */
function dropRowless(runtime: Runtime, memory: Memory, own: readonly HeldSlot[]): void {
  const held = new Set(own.map(({ launchId }) => launchId));
  const rowless = new Set<string>();
  for (const { launch, actor } of runtime.roster.members()) {
    if (held.has(launch.launchId)) continue;
    if (memory.rowless.has(launch.launchId)) actor.send({ type: 'slot.drop' });
    rowless.add(launch.launchId);
  }
  memory.rowless = rowless;
}
