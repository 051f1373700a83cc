/** How many stripes there are: the grain of the locks over slots (ARCHITECTURE.md). */
export const stripeCount = 64;

export const allStripes: readonly number[] = Array.from({ length: stripeCount }, (_, no) => no);

/** The lock row of session management, after the stripes. */
export const sessionLockId = 64;

/** The stripe of a new job's slots; stored in the slot's row, so that the rule may change later. */
export function stripeOfJob(jobId: number): number {
  return jobId % stripeCount;
}

/**
 * The stripes that a session looks ahead on: dealt evenly by its rank in the sorted list of live
 * sessions. All of them when it is not in the list yet. Disagreement between nodes about who is
 * live costs a lock wait, never a promise.
 */
export function stripesOfSession(sessionId: string, liveSessionIds: readonly string[]): number[] {
  const sorted = [...liveSessionIds].sort();
  const rank = sorted.indexOf(sessionId);
  if (rank === -1) return [...allStripes];
  return allStripes.filter((stripe) => stripe % sorted.length === rank);
}
