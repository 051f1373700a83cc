/** How many more launches a node may hold, prepared or executing. */
export function placesLeft(capacity: number, held: number): number {
  return capacity - held;
}

/** Whether one more of its launches may execute. */
export function hasPermit(concurrency: number, executing: number): boolean {
  return executing < concurrency;
}
