import type { Channel } from '../../store/connection/channel.ts';

type Work<T> = (channel: Channel) => Promise<T>;

/**
 * Reads of the database that many want at once, e.g. pages that are polled: who comes before the
 * same read has begun shares its result. That is newer than each of them, so that nobody gets what
 * was so before they came; nothing is kept after it.
 */
export class SingleFlight<T> {
  /** Reads that have not begun. */
  readonly #waiting = new Map<string, Promise<T>>();

  /** @param use finds a channel to read on, which may take a while */
  run(key: string, use: (work: Work<T>) => Promise<T>, read: Work<T>): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const close = (): void => {
      if (this.#waiting.get(key) === result) this.#waiting.delete(key);
    };
    const begin: Work<T> = (channel) => {
      close();
      return read(channel);
    };
    const result = Promise.resolve()
      .then(() => use(begin))
      .finally(close); // there may have been no channel
    this.#waiting.set(key, result);
    return result;
  }
}
