import { setTimeout as sleep } from 'node:timers/promises';
import type { EventReader } from '../../store/events/openEventReader.ts';
import { ClusterWatch } from './clusterWatch.ts';
import { type StreamEvent, streamEvent } from './streamEvent.ts';

export interface FeedParts {
  /** Opens a reader when somebody listens; it is closed when nobody does any more. */
  readonly openReader: () => EventReader;
  readonly trouble: (what: string, error: unknown) => void;
  readonly nowMs?: () => number;
}

const periodMs = 500;
const retryMs = 2_000;
/** A look that takes long is followed by a longer rest, up to two seconds: it is not the load. */
const restShare = 4;

/** Looks at the cluster again and again while there are clients, once for all of them. */
export class EventFeed {
  readonly #parts: FeedParts;
  readonly #send: (events: readonly StreamEvent[]) => void;
  readonly #nowMs: () => number;
  #holders = 0;
  #current: { readonly watch: ClusterWatch; readonly begun: Promise<void> } | null = null;
  #rest = new AbortController();
  /** The database did not answer the last look. */
  isStalled = false;

  /** @param send gets what happens, in order */
  constructor(parts: FeedParts, send: (events: readonly StreamEvent[]) => void) {
    this.#parts = parts;
    this.#send = send;
    this.#nowMs = parts.nowMs ?? (() => performance.now());
  }

  /**
   * Goes on for one holder more, until that one lets go. Resolves after the first look: what
   * happens from then on is sent.
   */
  async hold(): Promise<ClusterWatch> {
    this.#holders += 1;
    this.#current ??= this.#begin();
    const { begun, watch } = this.#current;
    await begun;
    return watch;
  }

  /** Called once by each holder: without one nothing is read any more. */
  letGo(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#rest.abort();
  }

  #begin() {
    const watch = new ClusterWatch(this.#parts.openReader(), this.#send, this.#nowMs);
    const begun = new Promise<void>((resolve) => void this.#run(watch, resolve));
    return { watch, begun };
  }

  async #run(watch: ClusterWatch, begun: () => void): Promise<void> {
    do {
      const beganMs = this.#nowMs();
      let restMs = retryMs;
      try {
        await watch.look();
        begun();
        restMs = Math.min(retryMs, Math.max(periodMs, restShare * (this.#nowMs() - beganMs)));
        this.#note(false);
      } catch (error) {
        this.#parts.trouble('the events could not be read', error);
        this.#note(true);
      }
      // Whoever comes during the rest goes on with what everybody was sent.
      if (this.#holders > 0) await this.#pause(restMs);
    } while (this.#holders > 0);
    this.#current = null;
    this.isStalled = false;
    begun(); // those who still wait are gone
    const failed = (error: unknown) => this.#parts.trouble('a reader did not close', error);
    await watch.reader.close().catch(failed);
  }

  async #pause(restMs: number): Promise<void> {
    this.#rest = new AbortController();
    const rest = sleep(restMs, undefined, { signal: this.#rest.signal, ref: false });
    await rest.catch(() => undefined); // the last client left: the rest is over sooner
  }

  #note(isStalled: boolean): void {
    if (isStalled === this.isStalled) return;
    this.isStalled = isStalled;
    this.#send([streamEvent({ type: isStalled ? 'stream.stalled' : 'stream.live' })]);
  }
}
