/** Seeded random numbers: the same seed deals the same faults and operations in the same order. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  shuffle<T>(from: readonly T[]): T[];
  /** Numbers of its own, so that one user's draws do not move another's. */
  fork(): Random;
}

/** Mulberry32: 32 bits of state are plenty for some thousand draws. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (from) => {
      if (from.length === 0) throw new Error('pick: there is nothing to pick from');
      return from[between(0, from.length - 1)] as (typeof from)[number];
    },
    shuffle: (from) => {
      const dealt = [...from];
      for (let last = dealt.length - 1; last > 0; last -= 1) {
        const other = between(0, last);
        [dealt[last], dealt[other]] = [dealt[other], dealt[last]] as [never, never];
      }
      return dealt;
    },
    fork: () => seededRandom(between(0, 2 ** 31)),
  };
}
