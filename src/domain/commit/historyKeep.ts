/** How much history the cluster keeps where a job says nothing else. */
export interface HistoryKeep {
  readonly days: number;
  /** Of each job the last so many rows. */
  readonly runs: number;
  /** Outputs are large and go earlier; the run's row stays. */
  readonly outputDays: number;
  /** From the end of one pass of cleaning to the begin of the next. */
  readonly periodMs: number;
}

export const historyDefaults: HistoryKeep = {
  days: 90,
  runs: 10_000,
  outputDays: 30,
  periodMs: 600_000,
};

/** The least that it may be: a look whether a pass is due comes every five seconds. */
export const cleanPeriodMsMin = 10_000;

/** What one step of cleaning came to. */
export interface CleaningStep {
  /** There is more to do at once; else the next pass is minutes away, or another's. */
  readonly isMore: boolean;
  /** Rows that it took away. */
  readonly rows: number;
  /** How long it took, which the pause behind it goes by. */
  readonly tookMs: number;
  /** The pass takes longer than it is until the next. */
  readonly isBehind: boolean;
}

export const nothingToClean: CleaningStep = {
  isMore: false,
  rows: 0,
  tookMs: 0,
  isBehind: false,
};

/**
 * What ended so lately stays whatever a job keeps: who waits for a run reads its row, and a request
 * that is repeated is found there.
 */
const freshMs = 10 * 60_000;

const dayMs = 24 * 3_600_000;

/** A place in the order in which a job's rows were written. */
export interface RunPlace {
  readonly endedMs: number;
  readonly runId: number;
}

/** What is kept of one job: its own setting, else the cluster's. */
export function keepOfJob(
  policies: { readonly keepDays?: number | null; readonly keepRuns?: number | null },
  keep: HistoryKeep,
): { readonly days: number; readonly runs: number } {
  return { days: policies.keepDays ?? keep.days, runs: policies.keepRuns ?? keep.runs };
}

/**
 * The last place of a job's history that may go, with everything before it; null: nothing may.
 * @param surplus the newest row beyond the number that is kept, or null
 */
export function cleanableUntil(days: number, surplus: RunPlace | null, nowMs: number): RunPlace {
  const byAge: RunPlace = { endedMs: nowMs - days * dayMs, runId: 0 };
  const byNumber = surplus ?? byAge;
  const later = comesBefore(byAge, byNumber) ? byNumber : byAge;
  const fresh: RunPlace = { endedMs: nowMs - freshMs, runId: 0 };
  return comesBefore(later, fresh) ? later : fresh;
}

/** Whether one place comes before another. */
export function comesBefore(one: RunPlace, other: RunPlace): boolean {
  return one.endedMs < other.endedMs || (one.endedMs === other.endedMs && one.runId < other.runId);
}

/** When something that is kept for so many days may go. */
export function keptSinceMs(days: number, nowMs: number): number {
  return nowMs - days * dayMs;
}

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
