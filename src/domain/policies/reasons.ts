/**
 * Why ticks and launches ended as they did, in the words of the history. Verification and the judge
 * of the fault tests read them too: they stand here and nowhere else.
 */
export const reasons = {
  /** overlap: skip. */
  stillGoing: 'the last run was still going',
  /** overlap: queue. */
  oneWaits: 'a tick was waiting already',
  /** overlap: queue-all. */
  queueIsFull: 'as many ticks as may wait were waiting already',
  /** overlap: replace, terminate. */
  laterTick: 'a later tick came while the last run was being stopped',
  gaveWay: 'a launch that had waited since before it took its turn',
  /** misfire. */
  nobodyThere: 'no node was there for it',
  /** misfire: once or all, with a catch-up window. */
  tooOld: 'it was older than what is made up for',
  /** A start deadline. */
  tooLate: 'its start deadline was over',
  /** An edit while ticks waited their turn. */
  edited: 'the job was edited while it waited',
  /** Slots of every-node jobs that were taken away. */
  nodeForgotten: 'the node was forgotten',
  nodeNotMeant: 'its node may not run the job any more',
  kindChanged: 'the kind of the job was changed',
  paused: 'the job was paused',
  removed: 'the job was removed',
  lost: 'its node was lost while it ran',
  notStarted: 'the start was not acknowledged, so nothing was spawned',
  stoppedByOperator: 'stopped by an operator before it started',
  /** Begins the reason of what was the last attempt, and is so no more. */
  triedAgain: 'an operator had it tried again',
  /** Ends the reason of a lost run whose result came all the same. */
  recordedLate: 'Its node was lost; the result was recorded late.',
} as const;

/** Why a run was stopped: its job's next tick had come. */
export function replacedReason(overlap: 'replace' | 'terminate'): string {
  return `The next tick came and the job's overlap is ${overlap}.`;
}

/** Why a job paused itself. */
export function runsMaxReason(runsMax: number): string {
  return `paused after ${runsMax} ${runsMax === 1 ? 'tick that ran' : 'ticks that ran'}`;
}

export function failuresMaxReason(failuresMax: number): string {
  const ticks = failuresMax === 1 ? 'tick that failed' : 'ticks in a row that failed';
  return `paused after ${failuresMax} ${ticks}`;
}

/** What became of a tick or launch is known to nobody here. */
export function restoredReason(takenMs: number): string {
  const taken = new Date(takenMs).toISOString();
  return `restored from a backup of ${taken}: what ran since then is not known here`;
}
