import type { Channel } from '../store/channel.ts';

type Work<T> = (channel: Channel) => Promise<T>;

/**
 * Questions to the database that many ask at once, e.g. pages that are polled: who comes before the
 * same question of somebody else is put shares its answer. That is newer than each who is told it,
 * so that nobody hears what was so before they came; nothing is remembered after it.
 */
export class SharedQuestions<T> {
  /** Questions that were not put yet. */
  readonly #coming = new Map<string, Promise<T>>();

  /** @param use finds a channel to put it on, which may take a while */
  ask(question: string, use: (work: Work<T>) => Promise<T>, put: Work<T>): Promise<T> {
    const coming = this.#coming.get(question);
    if (coming !== undefined) return coming;
    const close = (): void => {
      if (this.#coming.get(question) === asked) this.#coming.delete(question);
    };
    const asked = Promise.resolve()
      .then(() =>
        use((channel) => {
          close();
          return put(channel);
        }),
      )
      .finally(close); // there may have been no channel
    this.#coming.set(question, asked);
    return asked;
  }
}
