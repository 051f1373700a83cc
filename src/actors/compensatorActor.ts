import { assign, fromPromise } from 'xstate';
import { compensatorMachine } from '../../statecharts/compensator.ts';
import type { ResetRequest } from '../domain/commit/batch.ts';
import { howRunGivesWay } from '../domain/policies/passOverlapped.ts';
import type { HeldLook, HeldSlot } from '../domain/run/heldSlot.ts';
import { othersPeriods } from '../domain/targeting/housekeepers.ts';
import { LiveOutputs } from './runtime/liveOutputs.ts';
import { requestCommit } from './runtime/requestCommit.ts';
import type { Runtime } from './runtime/runtime.ts';

/**
 * The compensator's chart with its effects. Two looks in a row have to agree before anything is
 * done: between them what was under way has been acknowledged, or never will be.
 */
export function provideCompensator(runtime: Runtime) {
  const { reports, roster } = runtime;
  const live = new LiveOutputs(runtime);
  const lookAtHeld = lookWhereNeeded(runtime);
  return compensatorMachine.provide({
    actors: { lookAtHeld: fromPromise<HeldLook>(lookAtHeld) },
    actions: {
      passOnStops: (_, { own }) => passOnStops(runtime, own),
      // A launch that was withdrawn by an edit, or taken over, frees its place before its tick.
      dropRowless: ({ context }, { own }) => {
        for (const { launch, actor } of rowlessOf(runtime, own)) {
          if (context.rowless.has(launch.launchId)) actor.send({ type: 'slot.drop' });
        }
      },
      planResets: assign(({ context: { resets, pending, suspects } }, look: HeldLook) => {
        const unknown = look.own.filter(({ launchId }) => roster.get(launchId) === undefined);
        for (const slot of unknown)
          if (suspects.has(slot.launchId)) resets.set(slot.launchId, slot);
        const due = [
          ...[...resets.values()].map((slot) => resetOf(slot, 'own')),
          ...look.overdue.map((slot) => resetOf(slot, 'overdue')),
        ].filter(({ launchId }) => !pending.has(launchId));
        for (const { launchId } of due) pending.add(launchId);
        return {
          suspects: new Set(unknown.map(({ launchId }) => launchId)),
          rowless: new Set(rowlessOf(runtime, look.own).map(({ launch }) => launch.launchId)),
          due,
        };
      }),
      requestResets: ({ context, self, system }) => {
        for (const request of context.due) requestCommit(system, self, request);
      },
      followOutputs: (_, { followed }) => live.follow(followed),
      reportTrouble: (_, { error }) =>
        reports.trouble('looking at what this node runs failed', error),
    },
  });
}

/** So many looks have to find nothing before none is needed, as two have to agree on what is. */
const emptyLooks = 2;

/**
 * Reads what may have changed: a node that holds nothing, and knows the outcome of all that it has
 * sent, has no row to look for, and what others let pass is a matter of the few housekeepers.
 */
function lookWhereNeeded({ housekeeping, roster, store }: Runtime): () => Promise<HeldLook> {
  let looks = 0;
  let empty = 0;
  let { unknowns } = roster;
  return async () => {
    const isWhole = looks % othersPeriods === 0;
    looks += 1;
    if (roster.size > 0 || roster.unknowns !== unknowns) empty = 0;
    unknowns = roster.unknowns;
    const own = isWhole || empty < emptyLooks;
    const overdue = isWhole || housekeeping.isOwn;
    const look = await store.lookAtHeld({ own, overdue, followed: own });
    if (own) empty = look.own.length === 0 && roster.size === 0 ? empty + 1 : 0;
    return look;
  };
}

function resetOf(slot: HeldSlot, why: ResetRequest['why']): ResetRequest {
  const { slotId, stripe, launchId } = slot;
  return { kind: 'reset', why, slotId, stripe, launchId };
}

/** Carries stops to the runs: an operator's, and those of runs that give way to the next tick. */
function passOnStops({ roster }: Runtime, own: readonly HeldSlot[]): void {
  for (const { launchId, stopRequested, isOverlapped, isBehind } of own) {
    const member = roster.get(launchId);
    if (member === undefined) continue;
    const { definition } = member.launch;
    const overlap = howRunGivesWay(definition);
    // Of a backlog each tick runs: none of it takes the place of the one before.
    const givesWay = isOverlapped && !(isBehind && definition.misfire === 'all');
    if (stopRequested) member.actor.send({ type: 'run.stop', why: 'operator' });
    else if (givesWay && overlap !== null) member.actor.send({ type: 'run.stop', why: overlap });
  }
}

/** The launches in memory that the look has found no row of. */
function rowlessOf({ roster }: Runtime, own: readonly HeldSlot[]) {
  const held = new Set(own.map(({ launchId }) => launchId));
  return [...roster.members()].filter(({ launch }) => !held.has(launch.launchId));
}
