import type { CleaningStep, HistoryKeep } from './historyKeep.ts';

/** The output of a launch so far, as far as its end is kept. */
export interface LiveOutput {
  readonly launchId: string;
  /** The last bytes of what it has written. */
  readonly output: Uint8Array;
  /** Everything that it has written until then. */
  readonly outputBytes: number;
}

/** What a node does for those who look at the history; every function may reject. */
export interface HistoryStore {
  /** Writes what followers will read; one whom nobody follows any more is left out. */
  writeLive(outputs: readonly LiveOutput[]): Promise<void>;
  /** One small step of cleaning, if it is this session's turn. */
  cleanHistory(keep: HistoryKeep): Promise<CleaningStep>;
}
