import type { LiveOutput } from '../../domain/commit/historyKeep.ts';
import type { Executor, NodeReports, Runtime } from './runtime.ts';

interface LiveOutputParts extends Pick<Runtime, 'actorClock'> {
  readonly store: Pick<Runtime['store'], 'writeLive'>;
  readonly executor: Pick<Executor, 'peek'>;
  readonly reports: Pick<NodeReports, 'trouble'>;
}

/** How many launches of a node are followed at once: together at most a mebibyte a second. */
export const followedMax = 16;
const outputBytesMax = 64 * 1024;
const periodMs = 1_000;

/**
 * Writes the output of launches that somebody follows, once a second. The look at what the node
 * holds says which are followed; without any, nothing is done at all.
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
      this.#parts.reports.trouble('the live output of a run could not be stored', error);
    }
    this.#isWriting = false;
    if (this.#followed.length === 0) return;
    this.#timer = this.#parts.actorClock.setTimeout(() => void this.#write(), periodMs);
  }

  async #peekAll(): Promise<LiveOutput[]> {
    const { executor } = this.#parts;
    const peeks = this.#followed.map((launchId) => executor.peek?.(launchId, outputBytesMax));
    const outputs = (await Promise.all(peeks)).flatMap((output) => output ?? []);
    return outputs.filter(
      ({ launchId, outputBytes }) => this.#writtenBytes.get(launchId) !== outputBytes,
    );
  }
}
