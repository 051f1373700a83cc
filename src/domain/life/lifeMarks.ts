import type { LaunchMessage } from '../commit/nodeActivity.ts';
import { splayOf } from '../policies/startAt.ts';
import { isTickLaunch, type RunResult, type Trigger } from '../run/run.ts';

/** What the rows say of a run. Instants are epoch milliseconds by the database's clock. */
export interface LifeFacts {
  readonly nowMs: number;
  readonly trigger: Trigger;
  readonly requestId: string | null;
  readonly attempt: number;
  readonly launchId: string | null;
  readonly result: RunResult | null;
  readonly scheduledForMs: number;
  readonly scheduledUntilMs: number | null;
  readonly ticks: number;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  /** Its result was recorded after its node was lost. */
  readonly isLate: boolean;
  /** What its revision says; null: the revision is not kept any more. */
  readonly definition: Policies | null;
  /** When it was requested. */
  readonly askedMs: number | null;
  /** What its slot or its request says, while it has not started. */
  readonly startAtMs: number | null;
  readonly stopAskedMs: number | null;
  /** When its output was written to the database. */
  readonly outputMs: number | null;
  /** When its node last renewed its lease. */
  readonly seenMs: number | null;
  /** When its node was taken for lost. */
  readonly lostMs: number | null;
  /** What the actors of its node said of it; null: nobody looked then, or it is not kept. */
  readonly messages: readonly LaunchMessage[] | null;
  /** The attempt before. */
  readonly prior: {
    readonly endedMs: number;
    readonly result: string;
    /** When an operator had it tried again. */
    readonly retryAskedMs: number | null;
  } | null;
}

interface Policies {
  readonly name: string;
  readonly splayMs?: number;
  readonly timeoutMs?: number | null;
}

/** What happened in the life of a run. */
export const markKinds = [
  ...(['tick', 'requested', 'lastTick', 'priorEnded', 'retryRequested', 'mayStart'] as const),
  ...(['stopRequested', 'timeout', 'outputWritten', 'nodeSeen', 'nodeLost'] as const),
] as const;

/** An instant in the life of a run. */
export interface LifeMark {
  readonly kind: (typeof markKinds)[number];
  readonly atMs: number;
  /** For people. */
  readonly text: string;
}

/** When its policies let it start, as far as that is later than its tick; null: not known. */
export function mayStartMs(facts: LifeFacts): number | null {
  const { attempt, definition, scheduledForMs, startAtMs, trigger } = facts;
  if (startAtMs !== null) return startAtMs;
  if (trigger !== 'schedule' || attempt > 1 || definition === null) return null;
  return scheduledForMs + splayOf(definition, scheduledForMs);
}

/** What happened to a run, sorted by time. */
export function marksOf(facts: LifeFacts): LifeMark[] {
  const { attempt, endedMs, outputMs, prior, scheduledForMs, seenMs, stopAskedMs } = facts;
  const isTick = isTickLaunch(facts) || facts.trigger === 'backfill';
  const startAtMs = mayStartMs(facts);
  const isDelayed = startAtMs !== null && startAtMs > scheduledForMs;
  const isSilent = facts.result === 'lost';
  const marks = [
    mark(isTick ? 'tick' : 'requested', scheduledForMs, isTick ? 'tick' : 'requested'),
    mark('lastTick', facts.scheduledUntilMs, `last of ${facts.ticks} ticks`),
    mark('requested', isTick && attempt === 1 ? facts.askedMs : null, 'requested'),
    mark('priorEnded', prior?.endedMs, `attempt ${attempt - 1} ended: ${prior?.result}`),
    mark('retryRequested', prior?.retryAskedMs, 'an operator had it tried again'),
    mark('mayStart', isDelayed ? startAtMs : null, 'it may start'),
    mark('stopRequested', stopAskedMs, 'stop requested'),
    mark(
      'timeout',
      timeoutMs(facts),
      endedMs === null ? 'its timeout, if it runs so long' : 'timeout',
    ),
    mark('outputWritten', outputMs, 'output written to the database'),
    mark('nodeSeen', isSilent ? seenMs : null, 'last renewal of the lease of its node'),
    mark('nodeLost', isSilent || facts.isLate ? facts.lostMs : null, 'its node was lost'),
  ].flat();
  return marks.sort((one, other) => one.atMs - other.atMs);
}

function mark(kind: LifeMark['kind'], atMs: number | null | undefined, text: string): LifeMark[] {
  return atMs === null || atMs === undefined ? [] : [{ kind, atMs, text }];
}

/** Of a run that has ended only where it was reached. */
function timeoutMs({ definition, result, startedMs }: LifeFacts): number | null {
  const limitMs = definition?.timeoutMs ?? null;
  if (startedMs === null || limitMs === null) return null;
  return result === null || result === 'timed_out' ? startedMs + limitMs : null;
}
