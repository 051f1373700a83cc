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
    const isWanted = kinds.some((kind) => kind === 'stream' || listener.kinds.has(kind));
    if (isWanted) listener.see(events);
  }
}
