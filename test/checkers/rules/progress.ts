import { accuse, spanText, tickText } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import type { JobEvidence } from '../jobEvidence.ts';
import { latenessMs } from '../outages.ts';
import type { Step } from '../readTrails.ts';
import type { Violation } from '../violation.ts';

/**
 * C10: scans go on. An idle slot whose tick has come is claimed within the period of a scan and the
 * bound of a lock wait (P13); outages put that off. So a system that stands still is found, though
 * it breaks no other rule.
 */
export function checkProgress(evidence: Evidence): Violation[] {
  const { trails, history, jobById } = evidence;
  const slots = new Map(history.slots.map((slot) => [slot.slotId, slot]));
  const slotIds = new Set([...trails.stepsBySlot.keys(), ...slots.keys()]);
  return [...slotIds].flatMap((slotId) => {
    const steps = trails.stepsBySlot.get(slotId) ?? [];
    const slot = slots.get(slotId);
    const job = jobById.get(steps[0]?.row.jobId ?? slot?.jobId ?? -1);
    if (job === undefined) return [];
    // A slot that is gone at the end was idle when its job was removed.
    const endMs = slot === undefined ? (steps.at(-1)?.latestMs ?? 0) : history.about.readMs;
    const atBirth = steps[0]?.row.before.cursorDatabaseMs ?? slot?.cursorDatabaseMs ?? null;
    const waits = [
      { cursorMs: atBirth, sinceMs: bornMs(evidence, job), untilMs: steps[0]?.earliestMs ?? endMs },
      ...steps.flatMap((step, index) => waitAfter(step, steps[index + 1], endMs)),
    ];
    return waits.flatMap((wait) => checkWait(evidence, job, slotId, wait));
  });
}

interface Wait {
  readonly cursorMs: number | null;
  readonly sinceMs: number;
  readonly untilMs: number;
}

function waitAfter({ row, latestMs }: Step, next: Step | undefined, endMs: number): Wait[] {
  if (row.after.state !== 'idle') return [];
  const untilMs = next?.earliestMs ?? endMs;
  return [{ cursorMs: row.after.cursorDatabaseMs, sinceMs: latestMs, untilMs }];
}

function bornMs({ clock, trails, history }: Evidence, job: JobEvidence): number {
  const madeMs = job.record.revisions[0]?.inForceFromDatabaseMs ?? Number.POSITIVE_INFINITY;
  const joined = [...trails.sessions.values()].map(({ joined }) => joined?.latestMs ?? Infinity);
  const firstMs = Math.min(...joined);
  const added = job.operations.find(({ kind, outcome }) => kind === 'add' && outcome === 'ok');
  const { startedMs } = history.about;
  const addedMs = clock.firstReachedMs(madeMs, added?.invokedMs ?? startedMs);
  return Math.max(addedMs, Number.isFinite(firstMs) ? firstMs : startedMs);
}

function checkWait(
  evidence: Evidence,
  job: JobEvidence,
  slotId: number,
  { cursorMs, sinceMs, untilMs }: Wait,
): Violation[] {
  if (cursorMs === null) return [];
  const { clock, outages, history } = evidence;
  const dueMs = Math.max(clock.firstReachedMs(cursorMs, sinceMs), clock.lastReachedMs(cursorMs));
  const { scanPeriodMs, lockWaitMs } = history.about;
  const neededMs = scanPeriodMs + lockWaitMs + latenessMs + outages.forgivenMs;
  if (!Number.isFinite(dueMs) || untilMs <= dueMs + neededMs) return [];
  const plainMs = outages.deadlineMs(dueMs, neededMs);
  const stoppedMs = outages.anyStoppedUntilMs({ fromMs: dueMs, untilMs: plainMs });
  const deadlineMs =
    stoppedMs === null ? plainMs : outages.deadlineMs(Math.max(dueMs, stoppedMs), neededMs);
  const boundMs = stoppedMs === null ? deadlineMs : deadlineMs + outages.boundMs;
  if (untilMs <= boundMs) return [];
  const { name } = job.record;
  const end = untilMs === history.about.readMs ? 'and nobody has claimed it' : 'until it changed';
  return [
    accuse(evidence, {
      rule: 'C10',
      promise: 'P13',
      what:
        `Job ${name}: slot ${slotId} stood idle for ${spanText(untilMs - dueMs)} after ` +
        `${tickText(cursorMs)} was due, ${end}.`,
      atMs: boundMs,
      job: name,
      timeline: [
        { atMs: dueMs, text: `${tickText(cursorMs)} of job ${name} was due on an idle slot` },
        { atMs: boundMs, text: 'it had to be claimed by here' },
      ],
    }),
  ];
}
