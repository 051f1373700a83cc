import { accuse } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import { groupBy } from '../groupBy.ts';
import type { Operation, RunRecord } from '../history.ts';
import type { JobEvidence } from '../jobEvidence.ts';
import { latenessMs } from '../outages.ts';
import type { Violation } from '../violation.ts';
import { tellOperation } from './operations.ts';

/**
 * C9, the runs asked for: an acknowledged `run` comes to exactly one final run row with its request
 * id, once the slot has had time for it; asking again with the same id makes no second (P10).
 */
export function checkRequests(evidence: Evidence): Violation[] {
  return evidence.jobs.flatMap((job) => {
    const requested = job.runs.filter(({ requestId, isFinal }) => requestId !== null && isFinal);
    const finals = new Set(requested.map(({ requestId }) => requestId ?? ''));
    // One of several slots may run it still while the others go on to later ticks.
    const waiting = new Set([...job.pending, ...job.slots].map(({ requestId }) => requestId ?? ''));
    const backfills = new Set(
      job.runs.flatMap((run) => (run.triggeredBy === 'backfill' ? [run.requestId] : [])),
    );
    // One request for a backfill, or on every node, is one for each tick and node.
    const keyOf = ({ requestId, nodeName = '', scheduledForDatabaseMs }: RunRecord): string =>
      `${requestId} ${nodeName} ${backfills.has(requestId) ? scheduledForDatabaseMs : ''}`;
    const twice = [...groupBy(requested, keyOf).values()].flatMap((runs) => {
      if (runs.length < 2) return [];
      const requestId = runs[0]?.requestId;
      const launches = runs.flatMap(({ launchId }) => launchId ?? []);
      return [
        accuse(evidence, {
          rule: 'C9',
          promise: 'P10',
          what: `Job ${job.record.name}: the one request ${requestId} came to ${runs.length} runs.`,
          atMs: evidence.history.about.readMs,
          job: job.record.name,
          launchId: launches.at(-1) ?? null,
          launches,
        }),
      ];
    });
    const unanswered = job.operations.filter((operation) => {
      const { kind, outcome, requestId } = operation;
      const isOwed = kind === 'run' && outcome === 'ok' && requestId !== null;
      if (!isOwed || finals.has(requestId) || waiting.has(requestId)) return false;
      return hadTime(evidence, job, operation);
    });
    return [
      ...twice,
      ...unanswered.map((operation) =>
        accuse(evidence, {
          rule: 'C9',
          promise: 'P10',
          what:
            `Job ${job.record.name}: run ${operation.requestId} was acknowledged, and no run row ` +
            'tells what became of it.',
          atMs: operation.answeredMs ?? operation.invokedMs,
          job: job.record.name,
          timeline: tellOperation(operation),
        }),
      ),
    ];
  });
}

/**
 * The slot was claimed for a tick that was still ahead, and a request goes before those; or it
 * stands idle and has done so for long enough to have taken the request.
 */
function hadTime(evidence: Evidence, job: JobEvidence, { answeredMs }: Operation): boolean {
  const { clock } = evidence;
  if (answeredMs === null) return false;
  // After a step back of the database's clock the request is due when it comes there again.
  const askedMs = clock.databaseAt(answeredMs).earliestMs;
  const dueMs = Math.max(answeredMs, clock.lastReachedMs(askedMs));
  const wasPassed = job.launches.some(({ claim, scheduledForDatabaseMs: tickMs }) => {
    const isAfter = claim.earliestMs > dueMs + clockErrorMs;
    return isAfter && tickMs !== null && tickMs > claim.row.databaseMs;
  });
  return wasPassed || stoodIdle(evidence, job, dueMs);
}

function stoodIdle(evidence: Evidence, job: JobEvidence, answeredMs: number): boolean {
  const { history, outages, trails } = evidence;
  const { readMs, scanPeriodMs, lockWaitMs, startedMs } = history.about;
  if (job.slots.some(({ state }) => state !== 'idle')) return false;
  const freedMs = job.slots.map(
    ({ slotId }) => trails.stepsBySlot.get(slotId)?.at(-1)?.latestMs ?? 0,
  );
  const sinceMs = Math.max(answeredMs, startedMs, ...freedMs);
  const neededMs = scanPeriodMs + lockWaitMs + latenessMs + outages.forgivenMs;
  const stoppedMs = outages.anyStoppedUntilMs({ fromMs: sinceMs, untilMs: readMs });
  const fromMs = stoppedMs === null ? sinceMs : Math.max(sinceMs, stoppedMs + outages.boundMs);
  return readMs > outages.deadlineMs(fromMs, neededMs);
}

/** The database's clock is known by samples, which take a moment themselves. */
const clockErrorMs = 2;
