import type { Launch } from '../../src/domain/run/launch.ts';
import type { LedgerProcess } from '../fault/record/readLedgers.ts';
import type { Timeline } from './timeline.ts';

/** One simulated child, from its spawn to its end. */
export interface Child {
  readonly record: LedgerProcess;
  readonly isAlive: boolean;
  /** It ends by itself, with what it wrote to its own file. */
  exit(exitCode: number): void;
  /** SIGKILL to its whole tree. */
  kill(): void;
}

/** The processes of a simulated machine: the ground truth of what ran, and when. */
export class ChildProcesses {
  readonly records: LedgerProcess[] = [];
  readonly #timeline: Timeline;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  start(launch: Launch, node: string, sessionId: string): Child {
    const startedMs = this.#timeline.nowMs();
    const place = this.records.length;
    const record: LedgerProcess = {
      job: launch.definition.name,
      launchId: launch.launchId,
      sessionId,
      node,
      scheduledForDatabaseMs: launch.scheduledForMs,
      attempt: launch.attempt,
      token: launch.definition.command.split(' ')[1] ?? '',
      processId: 10_000 + place,
      startedMs,
      endedMs: null,
      exitCode: null,
      // It is seen for as long as it lives, so the last sign of life is written at the end.
      lastSeenMs: Number.POSITIVE_INFINITY,
    };
    this.records.push(record);
    let isAlive = true;
    const end = (changes: Partial<LedgerProcess>): void => {
      if (!isAlive) return;
      isAlive = false;
      this.records[place] = { ...record, ...changes, lastSeenMs: this.#timeline.nowMs() };
    };
    return {
      record,
      get isAlive() {
        return isAlive;
      },
      exit: (exitCode) => end({ endedMs: this.#timeline.nowMs(), exitCode }),
      kill: () => end({}),
    };
  }

  /** All of it, those that live seen just now. */
  observed(): LedgerProcess[] {
    const nowMs = this.#timeline.nowMs();
    return this.records.map((record) =>
      record.lastSeenMs === Number.POSITIVE_INFINITY ? { ...record, lastSeenMs: nowMs } : record,
    );
  }
}

/** The command of a simulated job holds a token of the edit that brought it. */
export function commandOf(token: string): string {
  return `simulated ${token} command`;
}
