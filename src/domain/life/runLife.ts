import { type LifeFacts, type LifeMark, marksOf, mayStartMs } from './lifeMarks.ts';

/** What a launch is doing in a phase of its life; `unclaimed`: there is no launch. */
export const phaseNames = [
  'unclaimed',
  'waiting',
  'starting',
  'running',
  'finishing',
  'unknown',
] as const;

/** A part of a run's life. The parts follow each other. */
interface LifePhase {
  readonly name: (typeof phaseNames)[number];
  /** States of `statecharts/slot.ts` that it may have been in; of several it is not known which. */
  readonly states: readonly string[];
  /** Null: not known. */
  readonly beginMs: number | null;
  /** Null: it goes on, or, of a run that has ended, it is not known. */
  readonly endMs: number | null;
  /** For people: what the rows say of it and what they do not. */
  readonly text: string;
}

/** What the rows know of the life of a run, and nothing that they do not. */
export interface RunLife {
  /** When it was read, while the run has not ended: until then its last phase goes on. */
  readonly atMs: number | null;
  readonly phases: readonly LifePhase[];
  /** Sorted by time. */
  readonly marks: readonly LifeMark[];
  readonly messages: LifeFacts['messages'];
}

/**
 * The life of a run from when it was due until its slot was idle again. Instants are epoch
 * milliseconds by the database's clock. No row has when a launch was claimed, when it was let out
 * of the queue of its node, and when its finish was committed: these are said to be unknown.
 */
export function runLife(facts: LifeFacts): RunLife {
  const phases = [...phasesBefore(facts), ...phasesAfter(facts)];
  const atMs = facts.result === null ? facts.nowMs : null;
  return { atMs, phases, marks: marksOf(facts), messages: facts.messages };
}

/** When it was due; null: not known, or in the future. */
function dueOf(facts: LifeFacts): number | null {
  const { askedMs, attempt, nowMs, prior, scheduledForMs, trigger } = facts;
  if (attempt > 1) return prior?.retryAskedMs ?? prior?.endedMs ?? null;
  if (trigger === 'backfill') return askedMs;
  const dueMs = Math.max(scheduledForMs, askedMs ?? scheduledForMs);
  return dueMs > nowMs ? null : dueMs;
}

/** Until it started, or until it was known that it would not. */
function phasesBefore(facts: LifeFacts): LifePhase[] {
  const { endedMs, launchId, nowMs, result, scheduledForMs, startedMs } = facts;
  const beginMs = dueOf(facts);
  const untilMs = startedMs ?? endedMs;
  if (launchId === null) {
    return result === null
      ? [phase('unclaimed', ['idle'], beginMs, null, 'No node has claimed it.')]
      : [phase('unclaimed', ['idle'], scheduledForMs, endedMs, 'Nothing was launched.')];
  }
  const startAtMs = mayStartMs(facts) ?? scheduledForMs;
  if (untilMs === null && startAtMs > nowMs) {
    return [phase('waiting', ['prepare.waiting'], beginMs, null, claimedText)];
  }
  const before =
    untilMs === null
      ? phase('starting', startStates, startAtMs, null, 'Its node has not started it yet.')
      : phase('starting', unclaimedOr(startStates), beginMs, untilMs, startText);
  if (startAtMs <= (beginMs ?? scheduledForMs)) return [before];
  const waitedMs = Math.min(startAtMs, untilMs ?? nowMs);
  return [
    phase('waiting', unclaimedOr([]), beginMs, waitedMs, waitText),
    { ...before, beginMs: waitedMs },
  ];
}

const unclaimedOr = (states: readonly string[]) => ['idle', 'prepare.waiting', ...states];

/** From its start. */
function phasesAfter(facts: LifeFacts): LifePhase[] {
  const { endedMs, isLate, result, seenMs, startedMs } = facts;
  if (startedMs === null) return [];
  if (result === 'not_started') {
    const states = ['prepare.starting', 'reset'];
    return [phase('starting', states, startedMs, endedMs, 'Its start was not acknowledged.')];
  }
  const running = (endMs: number | null, text: string) =>
    phase('running', ['executing.running'], startedMs, endMs, text);
  if (endedMs === null) return [running(null, 'Its end is not in the database.')];
  if (result === 'lost') {
    const silentMs = Math.min(Math.max(seenMs ?? startedMs, startedMs), endedMs);
    return [
      running(silentMs, 'Until the last renewal of the lease of its node.'),
      phase('unknown', [], silentMs, endedMs, 'Its node was silent: when it ended is not known.'),
    ];
  }
  const finishing = isLate ? lateText : finishText;
  const states = ['executing.finishing', 'executing.retrying'];
  return [
    running(endedMs, 'From the start of its command to the end of the last of its processes.'),
    phase('finishing', states, endedMs, null, finishing),
  ];
}

function phase(
  name: LifePhase['name'],
  states: readonly string[],
  beginMs: number | null,
  endMs: number | null,
  text: string,
): LifePhase {
  const isBackward = beginMs !== null && endMs !== null && endMs < beginMs;
  return { name, states, beginMs: isBackward ? endMs : beginMs, endMs, text };
}

const startStates = ['prepare.queueing', 'prepare.starting', 'prepare.early'];
const claimedText = 'A node has claimed it, for when it may start.';
const waitText = 'Until it may start; when it was claimed is not recorded.';
const startText = 'When it was claimed and how long it was queued is not recorded.';
const finishText = 'When the result was committed is not recorded.';
const lateText = 'Its node was lost; when the result was recorded is not known.';
