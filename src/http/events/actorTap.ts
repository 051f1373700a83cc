import type { ActorEvent } from '../../actors/runtime/actorEvents.ts';
import type { NodeView } from '../../actors/view/nodeView.ts';
import type { StreamEventData } from '../contract/eventContract.ts';
import { type StreamEvent, streamEvent } from './streamEvent.ts';

/** What is sent of a second; a node with a thousand runs a second has ten times as many. */
const eventsMax = 200;
const windowMs = 1_000;
/** They go to clients together: a burst of messages is no burst of writes, of 50 µs each. */
const gatherMs = 100;

/**
 * The messages of the serving node's actors as events, bounded: what is more than a second may have
 * is counted and sent as a number. Nothing at all is done while nobody listens.
 */
export function tapActors(view: NodeView, see: (events: readonly StreamEvent[]) => void) {
  const node = view.nodeName;
  let gathered: StreamEvent[] = [];
  let left = eventsMax;
  let leftOut = 0;
  const stopWatching = view.watch((event) => {
    if (left === 0) {
      leftOut += 1;
      return;
    }
    left -= 1;
    gathered.push(eventOf(node, event));
  });
  const flush = (): void => {
    const events = gathered;
    gathered = [];
    if (events.length > 0) see(events);
  };
  const gathering = setInterval(flush, gatherMs).unref();
  const window = setInterval(() => {
    left = eventsMax;
    if (leftOut === 0) return;
    gathered.push(streamEvent({ type: 'actor.left_out', node, events: leftOut }));
    leftOut = 0;
  }, windowMs).unref();
  return (): void => {
    stopWatching();
    clearInterval(gathering);
    clearInterval(window);
  };
}

function eventOf(node: string, event: ActorEvent): StreamEvent {
  const definition = event.launch?.definition ?? null;
  const job = definition?.name ?? null;
  return streamEvent(dataOf(node, event, job), null, {
    job,
    group: definition === null ? groupOfUnknown(event) : (definition.group ?? 'default'),
  });
}

/** About a launch that memory has let go of: for callers of all groups alone. */
function groupOfUnknown(event: ActorEvent): string | null {
  return event.what === 'message' && event.launchId !== null ? unknownGroup : null;
}

/** No group has a name with a control character. */
const unknownGroup = '\0';

function dataOf(node: string, event: ActorEvent, job: string | null): StreamEventData {
  if (event.what === 'change') {
    const { actor, machine, state } = event;
    return { type: 'actor.changed', node, actor, machine, state, job };
  }
  const { from, to, machine, event: type, launchId } = event;
  return { type: 'actor.message', node, from, to, machine, event: type, launchId, job };
}
