/** A set of the numbers 0–59 as bits, in two words of 30. */
export interface Sixty {
  readonly low: number;
  readonly high: number;
}

/** The set of those numbers that a test holds for. */
export function sixtyWhere(isIn: (value: number) => boolean): Sixty {
  let low = 0;
  let high = 0;
  for (let value = 0; value < 60; value += 1) {
    if (!isIn(value)) continue;
    if (value < 30) low |= 1 << value;
    else high |= 1 << (value - 30);
  }
  return { low, high };
}

const wordFull = 0x3fff_ffff;

/** Whether it is all of 0–59. */
export function isAllSixty({ low, high }: Sixty): boolean {
  return low === wordFull && high === wordFull;
}

/** Whether it has a number. */
export function hasOfSixty(low: number, high: number, value: number): boolean {
  return ((value < 30 ? low >>> value : high >>> (value - 30)) & 1) === 1;
}

/** The smallest number at or after one of 0–60, or -1. */
export function sixtyAtOrAfter(low: number, high: number, value: number): number {
  const inLow = value < 30 ? low & (-1 << value) : 0;
  if (inLow !== 0) return 31 - Math.clz32(inLow & -inLow);
  const inHigh = value <= 30 ? high : value < 60 ? high & (-1 << (value - 30)) : 0;
  return inHigh === 0 ? -1 : 61 - Math.clz32(inHigh & -inHigh);
}

/** The largest number at or before one of 0–59, or -1. */
export function sixtyAtOrBefore(low: number, high: number, value: number): number {
  const inHigh = value < 30 ? 0 : high & ((2 << (value - 30)) - 1);
  if (inHigh !== 0) return 61 - Math.clz32(inHigh);
  const inLow = value < 29 ? low & ((2 << value) - 1) : low;
  return inLow === 0 ? -1 : 31 - Math.clz32(inLow);
}

/** How many numbers lie below one of 0–60. */
export function sixtyBelow(low: number, high: number, value: number): number {
  if (value < 30) return bitCount(low & ((1 << value) - 1));
  return bitCount(low) + bitCount(value < 60 ? high & ((1 << (value - 30)) - 1) : high);
}

/** How many bits of a word are set. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
