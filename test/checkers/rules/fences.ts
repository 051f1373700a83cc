import { accuse, spanText } from '../accuse.ts';
import type { Evidence } from '../evidence.ts';
import type { ProcessRecord } from '../history.ts';
import type { SessionTrail, Step } from '../readTrails.ts';
import type { Violation } from '../violation.ts';
import { aliveUntil, givesUpOverlap } from './overlaps.ts';

/**
 * C5: nothing lives and nothing writes after its fence. No sign of life of a child after its
 * session was ended or its slot was given back (P7, P8); no write of a session to a slot that was
 * taken from it, and none at all once whatever it had under way when it ended must be over.
 */
export function checkFences(evidence: Evidence): Violation[] {
  return [
    ...evidence.history.processes.flatMap((process) => checkProcess(evidence, process)),
    ...checkWrites(evidence),
  ];
}

function checkProcess(evidence: Evidence, process: ProcessRecord): Violation[] {
  const { trails } = evidence;
  const { launchId, sessionId, job } = process;
  const session = trails.sessions.get(sessionId)?.ended ?? null;
  const idle = trails.launches.get(launchId)?.idle ?? null;
  const isReset = (idle?.latestMs ?? Infinity) < (session?.latestMs ?? Infinity);
  const fence = isReset ? idle : session;
  if (fence === null) return [];
  const lateMs = aliveUntil(process) - fence.latestMs;
  if (lateMs <= clockErrorMs || givesUpOverlap(evidence, process)) return [];
  const when = isReset ? 'its slot was given back' : `session ${sessionId} was ended`;
  return [
    accuse(evidence, {
      rule: 'C5',
      promise: !isReset ? 'P8' : isFinished(evidence, launchId) ? 'P6' : 'P7',
      what: `Job ${job}: ${launchId} was alive ${spanText(lateMs)} after ${when}.`,
      atMs: aliveUntil(process),
      job,
      launchId,
    }),
  ];
}

/** A slot is idle by a finish only when the whole tree of its launch is gone. */
function isFinished({ runsByLaunch }: Evidence, launchId: string): boolean {
  const result = runsByLaunch.get(launchId)?.[0]?.result ?? 'lost';
  return ['succeeded', 'failed', 'timed_out', 'stopped'].includes(result);
}

function checkWrites(evidence: Evidence): Violation[] {
  const { trails, history } = evidence;
  const { lockWaitMs } = history.about;
  const writerOf = attribute(evidence);
  /** For each slot, the ended sessions from which it was taken back. */
  const takenFrom = new Map<number, Set<string>>();
  return trails.steps.flatMap((step) => {
    const { slotId, before } = step.row;
    const writer = writerOf(step);
    const taken = takenFrom.get(slotId) ?? new Set();
    takenFrom.set(slotId, taken);
    const wasTaken = writer !== null && taken.has(writer.sessionId);
    if (isTaking(evidence, step)) taken.add(before.sessionId ?? '');
    if (writer?.ended == null || writer.ended.row.order > step.row.order) return [];
    const lateMs = step.earliestMs - writer.ended.latestMs;
    // What was under way when the session ended may still be written, for as long as locks wait.
    if (!wasTaken && lateMs <= lockWaitMs + clockErrorMs) return [];
    return [chargeWrite(evidence, step, writer, lateMs)];
  });
}

/** A slot of an ended session is given back, over another connection than it was claimed by. */
function isTaking({ trails }: Evidence, { row }: Step): boolean {
  const ended = trails.sessions.get(row.before.sessionId ?? '')?.ended;
  if (ended == null || ended.row.order > row.order || row.after.state !== 'idle') return false;
  const claim = trails.launches.get(row.before.launchId ?? '')?.claim;
  return claim?.row.connectionId !== row.connectionId;
}

/**
 * Whose write a step was: claims and starts name their session; of the rest the connection tells,
 * as long as that may be trusted. Numbers of connections come again after the database's restart,
 * and each member of a cluster counts its own.
 */
function attribute(evidence: Evidence): (step: Step) => SessionTrail | null {
  const { trails, history } = evidence;
  const isCluster = /galera|group/i.test(history.about.engine);
  const nodes = new Set(history.about.nodes);
  const unsure = history.faults.filter(({ target }) => !nodes.has(target));
  const claimants = new Map<number, Step>();
  return (step) => {
    const { before, after, connectionId } = step.row;
    // A claim moves the cursor of all slots that share it, whoever holds them.
    if (before.state === after.state) return null;
    if (before.state !== 'executing' && after.state !== 'idle') {
      if (after.state === 'prepare') claimants.set(connectionId, step);
      return trails.sessions.get(after.sessionId ?? '') ?? null;
    }
    const claim = claimants.get(connectionId);
    if (claim === undefined || isCluster || before.state !== 'executing') return null;
    const isUnsure = unsure.some(
      ({ fromMs, untilMs }) => fromMs <= step.latestMs && untilMs >= claim.earliestMs,
    );
    return isUnsure ? null : (trails.sessions.get(claim.row.after.sessionId ?? '') ?? null);
  };
}

function chargeWrite(
  evidence: Evidence,
  step: Step,
  writer: SessionTrail,
  lateMs: number,
): Violation {
  const { before, after, slotId, jobId } = step.row;
  const { sessionId, node } = writer;
  return accuse(evidence, {
    rule: 'C5',
    promise: 'P7',
    what:
      `Session ${sessionId} of node ${node} wrote slot ${slotId} (${before.state} → ` +
      `${after.state}) ${spanText(lateMs)} after it was ended.`,
    atMs: step.earliestMs,
    job: evidence.jobById.get(jobId)?.record.name ?? null,
    launchId: after.launchId ?? before.launchId,
  });
}

/** The database's clock is known by samples, which take a moment themselves. */
const clockErrorMs = 2;
