import type { JobDefinition } from '../job/jobDefinition.ts';
import type { TickSource } from '../run/tickSource.ts';

/**
 * When the next tick comes that a slot whose launch executes may start: by default, ticks that
 * came meanwhile are skipped when it ends. Under another overlap policy the first waits for that.
 * @param cursorMs the first tick that is not dealt with yet, epoch milliseconds
 */
export function nextOfBusy(
  { overlap, ticks }: { readonly overlap: JobDefinition['overlap']; readonly ticks: TickSource },
  cursorMs: number | null,
  nowMs: number,
): number | null {
  const isSkipped = cursorMs !== null && cursorMs <= nowMs && overlap === undefined;
  return isSkipped ? ticks.next(nowMs) : cursorMs;
}
