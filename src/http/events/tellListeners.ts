import { wantsKind } from './eventFilter.ts';
import type { EventKind } from './eventSchemas.ts';
import type { StreamEvent } from './streamEvent.ts';

export interface Listener {
  readonly kinds: ReadonlySet<EventKind>;
  see(events: readonly StreamEvent[]): void;
}

/** Shows events to those who want any of them: messages of actors come often, and few want them. */
export function tellListeners(listeners: Iterable<Listener>, events: readonly StreamEvent[]): void {
  const kinds = [...new Set(events.map(({ kind }) => kind))];
  for (const listener of listeners) {
    if (kinds.some((kind) => wantsKind(listener.kinds, kind))) listener.see(events);
  }
}
