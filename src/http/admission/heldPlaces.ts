import { tooManyRequests } from '../problems/retryLater.ts';

/** Counts what each token holds for as long as it likes, e.g. streams. */
export class HeldPlaces {
  readonly #held = new Map<string, number>();
  readonly #ofOneMax: number;
  readonly #what: string;

  /** @param what there is too much of, in words: "streams" */
  constructor(ofOneMax: number, what: string) {
    this.#ofOneMax = ofOneMax;
    this.#what = what;
  }

  /**
   * Takes a place; call what it returns to give it back.
   * @throws RetryLater `too_many_requests`.
   */
  take(key: string): () => void {
    const held = this.#held.get(key) ?? 0;
    if (held >= this.#ofOneMax) {
      throw tooManyRequests(`This token has ${held} ${this.#what} open here, the most it may.`);
    }
    this.#held.set(key, held + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (this.#held.get(key) ?? 1) - 1;
      if (left === 0) this.#held.delete(key);
      else this.#held.set(key, left);
    };
  }
}
