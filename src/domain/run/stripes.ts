/** How many stripes there are: the locks over slots (ARCHITECTURE.md). */
export const stripeCount = 64;

export const allStripes: readonly number[] = Array.from({ length: stripeCount }, (_, no) => no);

/** The lock row of session management, after the stripes. */
export const sessionLockId = 64;

/** The stripe of a new job's slots; stored in the slot's row, so that the rule may change later. */
export function stripeOfJob(jobId: number): number {
  return jobId % stripeCount;
}
