/** How long the head of a request may take to come in. */
export const headMsMax = 10_000;
/** How long all of a request may take. */
export const bodyMsMax = 15_000;

/**
 * How long one of many is waited for: up to a fifth less than the most, by chance. Those that came
 * in one moment are not ended in one moment, which would hold up everybody else for a tenth of a
 * second, and again when they come back together.
 */
export function patienceMs(mostMs: number): number {
  return mostMs * (1 - Math.random() / 5);
}
