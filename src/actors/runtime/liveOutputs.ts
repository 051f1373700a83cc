import type { HistoryStore, LiveOutput } from '../../domain/commit/historyStore.ts';
import type { ActorClock } from './slicedClock.ts';

interface LiveOutputParts {
  readonly store: Pick<HistoryStore, 'writeLive'>;
  readonly clock: ActorClock;
  /** The output of a run so far, at most so much of its end; null: it does not run here. */
  readonly peek: (launchId: string, bytesMax: number) => Promise<LiveOutput | null>;
  readonly trouble: (what: string, error: unknown) => void;
}

/** How many launches of a node are told of at once: together at most a mebibyte a second. */
export const followedMax = 16;
const outputBytesMax = 64 * 1024;
const periodMs = 1_000;

/**
 * Tells the output of launches that somebody follows: once a second, and only while somebody asks.
 * Whoever looks at what the node holds says who is followed; without that nothing is done at all.
 */
export class LiveOutputs {
  readonly #parts: LiveOutputParts;
  #followed: readonly string[] = [];
  /** How much of each was told: what has not grown is not written again. */
  readonly #told = new Map<string, number>();
  #timer: unknown = null;
  #isTelling = false;

  constructor(parts: LiveOutputParts) {
    this.#parts = parts;
  }

  /** Those that are followed from now on, until told otherwise. */
  follow(launchIds: readonly string[]): void {
    this.#followed = launchIds.slice(0, followedMax);
    for (const launchId of this.#told.keys()) {
      if (!this.#followed.includes(launchId)) this.#told.delete(launchId);
    }
    if (this.#followed.length > 0 && this.#timer === null && !this.#isTelling) void this.#tell();
  }

  async #tell(): Promise<void> {
    this.#timer = null;
    this.#isTelling = true;
    try {
      const grown = await this.#peekAll();
      if (grown.length > 0) await this.#parts.store.writeLive(grown);
      for (const { launchId, outputBytes } of grown) this.#told.set(launchId, outputBytes);
    } catch (error) {
      this.#parts.trouble('the live output of a run could not be stored', error);
    }
    this.#isTelling = false;
    if (this.#followed.length === 0) return;
    this.#timer = this.#parts.clock.setTimeout(() => void this.#tell(), periodMs);
  }

  async #peekAll(): Promise<LiveOutput[]> {
    const peeks = this.#followed.map((launchId) => this.#parts.peek(launchId, outputBytesMax));
    const outputs = await Promise.all(peeks);
    return outputs.filter(
      (output): output is LiveOutput =>
        output !== null && this.#told.get(output.launchId) !== output.outputBytes,
    );
  }
}
