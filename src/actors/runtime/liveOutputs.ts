import type { HistoryStore, LiveOutput } from '../../domain/commit/historyKeep.ts';
import type { ActorClock } from './slicedClock.ts';

interface LiveOutputParts {
  readonly store: Pick<HistoryStore, 'writeLive'>;
  readonly clock: ActorClock;
  /** The output of a run so far, at most so much of its end; null: it does not run here. */
  readonly peek: (launchId: string, bytesMax: number) => Promise<LiveOutput | null>;
  readonly trouble: (what: string, error: unknown) => void;
}

/** How many launches of a node are followed at once: together at most a mebibyte a second. */
export const followedMax = 16;
const outputBytesMax = 64 * 1024;
const periodMs = 1_000;

/**
 * Writes the output of launches that somebody follows, once a second, and only while somebody does.
 * The look at what the node holds says which are followed; without any, nothing is done at all.
 */
export class LiveOutputs {
  readonly #parts: LiveOutputParts;
  #followed: readonly string[] = [];
  /** How much of each was written: what has not grown is not written again. */
  readonly #writtenBytes = new Map<string, number>();
  #timer: unknown = null;
  #isWriting = false;

  constructor(parts: LiveOutputParts) {
    this.#parts = parts;
  }

  /** Those that are followed from now on, until the next call. */
  follow(launchIds: readonly string[]): void {
    this.#followed = launchIds.slice(0, followedMax);
    for (const launchId of this.#writtenBytes.keys()) {
      if (!this.#followed.includes(launchId)) this.#writtenBytes.delete(launchId);
    }
    if (this.#followed.length > 0 && this.#timer === null && !this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#timer = null;
    this.#isWriting = true;
    try {
      const grown = await this.#peekAll();
      if (grown.length > 0) await this.#parts.store.writeLive(grown);
      for (const { launchId, outputBytes } of grown) this.#writtenBytes.set(launchId, outputBytes);
    } catch (error) {
      this.#parts.trouble('the live output of a run could not be stored', error);
    }
    this.#isWriting = false;
    if (this.#followed.length === 0) return;
    this.#timer = this.#parts.clock.setTimeout(() => void this.#write(), periodMs);
  }

  async #peekAll(): Promise<LiveOutput[]> {
    const peeks = this.#followed.map((launchId) => this.#parts.peek(launchId, outputBytesMax));
    const outputs = await Promise.all(peeks);
    return outputs.filter(
      (output): output is LiveOutput =>
        output !== null && this.#writtenBytes.get(output.launchId) !== output.outputBytes,
    );
  }
}
