import { instantText } from '../rules/finding.ts';
import { forgetOldest, JobCheck } from '../rules/jobCheck.ts';
import { attemptsKey, type RunRecord, runLabel } from '../rules/records.ts';

type PlaceOfLaunch =
  | ('nodeName' | 'slotNo' | 'launchId' | 'runId')
  | ('trigger' | 'requestId' | 'attempt' | 'scheduledForMs');

/** A launch that was started: a run row, or a slot that executes. */
export interface StartedLaunch extends Pick<RunRecord, PlaceOfLaunch> {
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
    // A tick of the schedule is the same tick whether it is started in time or made up for.
    const key = `${launch.attempt}:${attemptsKey(launch)}`;
    const before = this.#recent.get(key);
    if (before !== undefined) {
      const tick = `attempt ${launch.attempt} of ${instantText(launch.scheduledForMs)}`;
      const message = `${tick} was started as ${runLabel(before)} and as ${runLabel(launch)}`;
      this.reportLaunch('tick_started_twice', message, launch);
    }
    this.#recent.set(key, launch);
    forgetOldest(this.#recent, recentMax);
  }

  #checkOverlap(launch: StartedLaunch): void {
    const slot = `${launch.slotNo}:${launch.nodeName}`;
    const before = this.#lastOfSlot.get(slot);
    this.#lastOfSlot.set(slot, launch);
    if (before === undefined) return;
    const isInOrder = before.startedMs <= launch.startedMs;
    const [first, second] = isInOrder ? [before, launch] : [launch, before];
    const overlapMs = (first.endedMs ?? Infinity) - second.startedMs;
    if (overlapMs <= this.#slackOf(first, second)) return;
    const label = runLabel(first);
    const when =
      first.endedMs === null ? `while ${label} executes` : `${overlapMs} ms before ${label} ended`;
    const message = `${runLabel(second)} started ${instantText(second.startedMs)}, ${when}`;
    this.reportLaunch('run_overlap', message, second);
  }

  /**
   * A run whose session ended before the next one started was called lost. When it says an end at
   * all, that came late, from its host, by the database's clock as far as that knew it.
   */
  #slackOf(first: StartedLaunch, second: StartedLaunch): number {
    const { sessionEndedMs } = first;
    const wasLost = sessionEndedMs !== null && sessionEndedMs <= second.startedMs;
    if (!wasLost) return this.scope.clockSlackMs;
    return first.isLeftToFinish ? Infinity : hostSlackMs;
  }
}

const recentMax = 1_000;
const hostSlackMs = 1_000;
