import { tooManyRequests } from '../problems/retryLater.ts';

/** Counts the streams that each token has open. */
export class HeldPlaces {
  readonly #held = new Map<string, number>();
  readonly #ofOneMax: number;

  constructor(ofOneMax: number) {
    this.#ofOneMax = ofOneMax;
  }

  /**
   * Takes a place; call what it returns to give it back.
   * @throws RetryLater `too_many_requests`.
   */
  take(key: string): () => void {
    const held = this.#held.get(key) ?? 0;
    if (held >= this.#ofOneMax) {
      throw tooManyRequests(`This token has ${held} streams open here, the most it may.`);
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
