/**
 * Seeded random numbers (sfc32): the same seed gives the same numbers on every machine. Each part
 * of a simulated world draws from a stream of its own, so that to leave one part out, as the
 * shrinker does, changes the luck of the others as little as possible.
 */
export class RandomSource {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#seed = seed;
    const hash = hashOf(seed);
    [this.#a, this.#b, this.#c] = [hash, hash ^ 0x9e3779b9, Math.imul(hash, 0x85ebca6b)];
    for (let round = 0; round < 12; round += 1) this.next();
  }

  /** A stream of its own for the part with that name. */
  fork(name: string): RandomSource {
    return new RandomSource(`${this.#seed}/${name}`);
  }

  /** From 0 to below 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.next();
  }

  /** A whole number from the least to the most, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor((most - least + 1) * this.next());
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to pick from');
    return list[Math.floor(this.next() * list.length)] as T;
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.integer(0, 255));
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash | 0;
}
