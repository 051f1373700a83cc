import type { AnyActorRef } from 'xstate';
import type { CommitterEvent } from '../../../statecharts/committer.ts';
import type { CompensatorEvent } from '../../../statecharts/compensator.ts';
import type { NodeEvent } from '../../../statecharts/node.ts';
import type { SchedulerEvent } from '../../../statecharts/scheduler.ts';

export type ActorSystem = AnyActorRef['system'];

/** What the actors of a node that are known by a name understand. */
interface Mailboxes {
  readonly node: NodeEvent;
  readonly scheduler: SchedulerEvent;
  readonly committer: CommitterEvent;
  readonly compensator: CompensatorEvent;
}

/** Of the `onError` of an invoke, whose event the types of a chart do not know. */
export function errorOf(event: object): unknown {
  return (event as { error?: unknown }).error;
}

/** Sends to an actor by its name; when the node has ended already, nobody receives it. */
export function sendTo<Name extends keyof Mailboxes>(
  system: ActorSystem,
  name: Name,
  event: Mailboxes[Name],
): void {
  (system.get(name) as AnyActorRef | undefined)?.send(event);
}
