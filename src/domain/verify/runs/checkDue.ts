import { type FindingLog, instantText } from '../rules/finding.ts';
import type { JobRecord, PendingRecord, SlotRecord } from '../rules/records.ts';

/**
 * Nodes look for what is due by `next_run_at`: of the idle slots that share a cursor one at least
 * says the earliest that any of them may take, or less. Earlier than need be costs a look; later,
 * or never, costs a run.
 */
export function checkDue(
  job: JobRecord,
  slots: readonly SlotRecord[],
  pending: readonly PendingRecord[],
  log: FindingLog,
): void {
  for (const nodeName of new Set(slots.map((slot) => slot.nodeName))) {
    const own = slots.filter((slot) => slot.nodeName === nodeName);
    const idle = own.filter(({ state }) => state === 'idle');
    if (idle.length === 0) continue;
    const waiting = pending.filter((request) => request.nodeName === nodeName);
    const dueMs = earliest([
      ...waiting.map(({ notBeforeMs }) => notBeforeMs),
      ...own.map(({ cursorMs }) => cursorMs),
    ]);
    const saidMs = earliest(idle.map(({ nextRunMs }) => nextRunMs));
    if (dueMs === null || (saidMs !== null && saidMs <= dueMs)) continue;
    const said = saidMs === null ? 'never' : instantText(saidMs);
    const message = `it is due at ${instantText(dueMs)}, and its slot says ${said}`;
    log.add('slot_not_due', job.name, message, { tickMs: dueMs });
  }
}

function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 ? null : Math.min(...known);
}
