import { type Reason, reasons } from '../reasons/reasons.ts';
import { lastTickFrom, makeTickRange, type TickRange, type TickSource } from '../run/tickSource.ts';

/**
 * The history of the ticks that a slot has still to account for when it is taken away (P19): those
 * up to the given instant. What fell into its last run was skipped, the rest was missed.
 */
export function accountUntil(
  slot: { readonly cursorMs: number | null; readonly endedMs: number | null },
  ticks: TickSource,
  untilMs: number,
  reason: Reason,
): TickRange[] {
  const { cursorMs, endedMs } = slot;
  const ranges: TickRange[] = [];
  let firstMs = cursorMs;
  if (cursorMs !== null && cursorMs <= untilMs && endedMs !== null && endedMs >= cursorMs) {
    const lastMs = lastTickFrom(ticks, cursorMs, Math.min(endedMs, untilMs));
    ranges.push(makeTickRange('skipped', ticks, cursorMs, lastMs, reasons.stillGoing));
    firstMs = ticks.next(endedMs);
  }
  if (firstMs !== null && firstMs <= untilMs) {
    const lastMs = lastTickFrom(ticks, firstMs, untilMs);
    ranges.push(makeTickRange('missed', ticks, firstMs, lastMs, reason));
  }
  return ranges;
}
