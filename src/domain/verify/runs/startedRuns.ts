import { instantText } from '../rules/finding.ts';
import { forgetOldest, JobCheck } from '../rules/jobCheck.ts';
import { attemptsKey, type RunRecord, runLabel } from '../rules/records.ts';

/** A launch that was started: a run row, or a slot that executes. */
export interface StartedLaunch
  extends Pick<RunRecord, 'nodeName' | 'slotNo' | 'launchId' | 'runId' | 'trigger' | 'requestId'> {
  readonly attempt: number;
  readonly scheduledForMs: number;
  readonly startedMs: number;
  /** Null while it executes. */
  readonly endedMs: number | null;
  /** When its session ended; null: it has not. */
  readonly sessionEndedMs: number | null;
  /** Its job lets it finish when its node is fenced, beside the next one if need be. */
  readonly isLeftToFinish: boolean;
}

/**
 * The launches of one job that were really started, in the order of their ends, an executing one
 * last: no two of one slot at once (P6), and no attempt of a tick or request twice (P5). For P5
 * only the last so many are remembered; the ledger finds ticks that come twice at any distance.
 */
export class StartedRuns extends JobCheck {
  readonly #lastOfSlot = new Map<string, StartedLaunch>();
  readonly #recent = new Map<string, StartedLaunch>();

  take(launch: StartedLaunch): void {
    this.#checkOverlap(launch);
    const attempt = keyOfAttempt(launch);
    const before = this.#recent.get(attempt);
    if (before !== undefined) this.#sayTwice(before, launch);
    this.#recent.set(attempt, launch);
    forgetOldest(this.#recent, recentMax);
  }

  #checkOverlap(launch: StartedLaunch): void {
    const slot = `${launch.slotNo}:${launch.nodeName}`;
    const before = this.#lastOfSlot.get(slot);
    this.#lastOfSlot.set(slot, launch);
    if (before === undefined) return;
    const isInOrder = before.startedMs <= launch.startedMs;
    const [first, second] = isInOrder ? [before, launch] : [launch, before];
    const overlapMs = (first.endedMs ?? Number.POSITIVE_INFINITY) - second.startedMs;
    if (overlapMs <= this.#slackOf(first, second)) return;
    const when = first.endedMs === null ? 'while' : `${overlapMs} ms before`;
    const is = first.endedMs === null ? 'executes' : 'ended';
    const message =
      `${runLabel(second)} started ${instantText(second.startedMs)}, ` +
      `${when} ${runLabel(first)} ${is}`;
    this.say('run_overlap', message, second);
  }

  /**
   * A run whose session ended before the next one started was called lost. When it says an end at
   * all, that came late, told by its host as the database's clock as far as it knew it.
   */
  #slackOf(first: StartedLaunch, second: StartedLaunch): number {
    const { sessionEndedMs } = first;
    const wasLost = sessionEndedMs !== null && sessionEndedMs <= second.startedMs;
    if (!wasLost) return this.clockSlackMs;
    return first.isLeftToFinish ? Number.POSITIVE_INFINITY : hostSlackMs;
  }

  #sayTwice(before: StartedLaunch, launch: StartedLaunch): void {
    const message =
      `attempt ${launch.attempt} of ${instantText(launch.scheduledForMs)} was started as ` +
      `${runLabel(before)} and as ${runLabel(launch)}`;
    this.say('tick_started_twice', message, launch);
  }
}

const recentMax = 1_000;
const hostSlackMs = 1_000;

/** A tick of the schedule is the same tick whether it is started in time or made up for. */
function keyOfAttempt(launch: StartedLaunch): string {
  return `${launch.attempt}:${attemptsKey(launch)}`;
}
