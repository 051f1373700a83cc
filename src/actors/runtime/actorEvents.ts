import type { AnyActorRef, InspectionEvent } from 'xstate';
import type { Launch } from '../../domain/run/launch.ts';
import type { Roster } from './roster.ts';

type Launches = Pick<Roster, 'launchOf'>;

/** A message between actors, or a machine that stands somewhere else than before. */
export type ActorEvent = ActorMessage | ActorChange;

interface ActorMessage {
  readonly what: 'message';
  /** Null: from outside, or from somebody who is not shown. */
  readonly from: string | null;
  readonly to: string;
  readonly machine: string;
  /** The message's type; what is in it may be of any size, and nobody's business. */
  readonly event: string;
  readonly launchId: string | null;
  /** What it is about; null: about no launch, or one that has left memory. */
  readonly launch: Launch | null;
}

interface ActorChange {
  readonly what: 'change';
  readonly actor: string;
  readonly machine: string;
  readonly state: string;
  /** The type of the message that it came by. */
  readonly event: string;
  readonly launch: Launch | null;
}

/**
 * Watches the actors of a system by xstate's inspection, which costs nothing while nobody does.
 * What the watcher throws would end an actor: it is dropped.
 */
export function watchActors(
  root: AnyActorRef,
  roster: Launches,
  see: (event: ActorEvent) => void,
): () => void {
  const stood = new WeakMap<object, string>();
  const observe = (inspected: InspectionEvent): void => {
    try {
      const event = eventOf(inspected, stood, roster);
      if (event !== null) see(event);
    } catch {
      // To be looked at must not change what the node does.
    }
  };
  const { unsubscribe } = root.system.inspect(observe);
  return unsubscribe;
}

function eventOf(
  inspected: InspectionEvent,
  stood: WeakMap<object, string>,
  roster: Launches,
): ActorEvent | null {
  if (inspected.type === '@xstate.event') {
    const snapshot = inspected.actorRef.getSnapshot();
    const machine = machineOf(snapshot);
    if (machine === null) return null;
    const { event, sourceRef } = inspected;
    const launchId = launchIdOf(event) ?? launchOf(snapshot)?.launchId ?? null;
    return {
      what: 'message',
      from: sourceRef === undefined ? null : nameOf(sourceRef),
      to: nameOf(inspected.actorRef),
      machine,
      event: event.type,
      launchId,
      launch: launchOf(snapshot) ?? (launchId === null ? null : roster.launchOf(launchId)),
    };
  }
  if (inspected.type !== '@xstate.snapshot') return null;
  const { actorRef, snapshot } = inspected;
  const machine = machineOf(snapshot);
  const state = stateOf(snapshot);
  if (machine === null || stood.get(actorRef) === state) return null;
  stood.set(actorRef, state);
  const event = inspected.event.type;
  const launch = launchOf(snapshot);
  return { what: 'change', actor: nameOf(actorRef), machine, state, event, launch };
}

/** The actor of a slot has its launch in its context. */
function launchOf(snapshot: unknown): Launch | null {
  return (snapshot as { context?: { launch?: Launch } }).context?.launch ?? null;
}

/** Messages about a launch carry its id, the launch itself, or a request about it. */
function launchIdOf(event: unknown): string | null {
  const { launchId, launch, queued } = event as {
    launchId?: unknown;
    launch?: { launchId?: unknown };
    queued?: { request?: { launchId?: unknown } };
  };
  const found = launchId ?? launch?.launchId ?? queued?.request?.launchId;
  return typeof found === 'string' ? found : null;
}

/** The id of the machine that a snapshot is of; null: of a promise, or of nothing yet. */
export function machineOf(snapshot: unknown): string | null {
  const { machine } = (snapshot ?? {}) as { machine?: { id?: unknown } };
  return typeof machine?.id === 'string' ? machine.id : null;
}

/** Where a machine stands, as a path: `resting`, `prepare.waiting`. No machine here is parallel. */
export function stateOf(snapshot: unknown): string {
  return pathOf((snapshot as { value?: unknown } | undefined)?.value).join('.');
}

function pathOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const [entry] = Object.entries(value ?? {});
  return entry === undefined ? [] : [entry[0], ...pathOf(entry[1])];
}

/** What an actor is called: by its name in the system, as those of slots by their launches. */
export function nameOf(actor: object): string {
  const { id, systemId } = actor as { id?: string; systemId?: string };
  return systemId ?? id ?? '';
}
