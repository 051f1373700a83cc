/** The place of the first entry of which a test holds; it must hold of all after it, too. */
export function firstPlace<T>(sorted: readonly T[], holds: (entry: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}
