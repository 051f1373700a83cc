/** What one reason says to people, and when it is the one. */
export interface ReasonRow {
  readonly when: string;
  /** The sentence, or how it is made of its facts. */
  readonly says: string | ((...facts: never[]) => string);
}

/** Why ticks, alone or in a range, ended without a launch. */
export const tickReasons = {
  stillGoing: {
    when: 'overlap skip: the tick came before the launch before it had ended.',
    says: 'the launch before it had not ended',
  },
  oneWaits: {
    when: 'overlap queue: another tick waited for the run to end.',
    says: 'a tick was waiting already',
  },
  queueIsFull: {
    when: 'overlap queue-all: as many waited as may.',
    says: 'as many ticks as may wait were waiting already',
  },
  laterTick: {
    when:
      'overlap replace, terminate: the next tick came before the run had given way to ' +
      'this one.',
    says: 'a later tick came before it could take the place of the last run',
  },
  gaveWay: {
    when:
      'overlap replace, terminate: a launch that was requested earlier took the place of ' +
      'the run.',
    says: 'a launch that had waited since before it took its turn',
  },
  nobodyThere: {
    when: 'No node was live at any of the ticks; of the own slots of a node: that one was not.',
    says: 'no node was there for it',
  },
  noEligibleNode: {
    when: 'Nodes were live, and none of them may run the job: target, level, version.',
    says: 'no live node may run it',
  },
  limitReached: {
    when:
      'Nodes that may run it were live, and saw the group of the job with as many launches ' +
      'as its limit.',
    says: "the limit of the job's group was reached",
  },
  notTaken: {
    when:
      'Nodes that may run it were live, for a part of the time at least, and none took it: ' +
      'they were full, about to leave, or out of contact with the database.',
    says: 'no node could take it in time',
  },
  tooOld: {
    when:
      'It was late by more than the catch-up of the job (with misfire all: an hour, if it ' +
      'says none).',
    says: 'it was older than what is made up for',
  },
  tooLate: {
    when: 'The start deadline of the job was over before it could start.',
    says: 'its start deadline was over',
  },
  edited: {
    when: 'misfire all: of the backlog that an edit ends only the last tick is made up for.',
    says: 'the job was edited while it waited',
  },
  nodeForgotten: {
    when: 'The tick was that of a node whose own slots were taken away by cluster forget.',
    says: 'the node was forgotten',
  },
  nodeNotMeant: {
    when: 'The tick was that of a node that may not run the job any more, or has another level.',
    says: 'its node may not run the job any more',
  },
  kindChanged: {
    when: 'An edit made another kind of the job, whose ticks are owed by other slots.',
    says: 'the kind of the job was changed',
  },
  paused: {
    when: 'The job was paused before the tick, or the start by a chain, could run.',
    says: 'the job was paused',
  },
  removed: {
    when: 'The job was removed before the tick could run.',
    says: 'the job was removed',
  },
  skipped: {
    when: 'An operator had the next ticks skipped.',
    says: 'skipped by an operator',
  },
  restored: {
    when: 'The database was restored from a backup: what ran since is not known.',
    says: (takenMs: number) =>
      `restored from a backup of ${new Date(takenMs).toISOString()}: ` +
      'what ran since then is not known here',
  },
} as const satisfies Record<string, ReasonRow>;

/** Why launches, requested or started, ended as they did; and of jobs that paused themselves. */
export const launchReasons = {
  lost: {
    when: 'The session of the node ended while the run executed.',
    says: 'its node was lost while it ran',
  },
  notStarted: {
    when: 'Whether the start was committed was not known, so that nothing was spawned.',
    says: 'the start was not acknowledged, so nothing was spawned',
  },
  stoppedByOperator: {
    when: 'It was stopped while it waited or was prepared.',
    says: 'stopped by an operator before it started',
  },
  triedAgain: {
    when: 'The last attempt, which is so no more: it comes before the reason that was there.',
    says: 'an operator had it tried again',
  },
  recordedLate: {
    when: 'A lost run whose result came all the same: it comes after the reason of that.',
    says: 'Its node was lost; the result was recorded late.',
  },
  chainWaits: {
    when: 'A start by a chain while another one of the job waited (with queue-all: 1,000 of them).',
    says: 'a start by the job that it follows is waiting already',
  },
  nodeGone: {
    when: 'It was requested on one node alone, which has been gone for a minute.',
    says: (node: string) => `the node ${node} that was to run it is gone`,
  },
  noPlace: {
    when: 'A start by a chain of an every-node job that no node has a slot of.',
    says: 'no node has a place for it',
  },
  replaced: {
    when: 'overlap replace, terminate: the run was stopped for the next tick.',
    says: (overlap: 'replace' | 'terminate') =>
      `The next tick came and the job's overlap is ${overlap}.`,
  },
  outputDropped: {
    when: 'Results that the database had not taken held as much memory as they may.',
    says: (bytes: number) =>
      `Its output (${bytes} bytes) was dropped: too many results waited to be written.`,
  },
  outputRefused: {
    when: 'The database would not take the output, e.g. since its max_allowed_packet is too small.',
    says: (bytes: number) =>
      `Its output (${bytes} bytes) is not kept: the database refused it, as the node's log says.`,
  },
  waits: {
    when: 'A launch that is requested and not claimed, while it is so.',
    says: 'it waits for its turn',
  },
  beingStopped: {
    when: 'A run that executes and whose stop is requested, while it is so.',
    says: 'it is being stopped',
  },
  ranOut: {
    when: 'Of a revision that is a pause: max-runs.',
    says: (runsMax: number) =>
      `paused after ${runsMax} ${runsMax === 1 ? 'tick that ran' : 'ticks that ran'}`,
  },
  failedOut: {
    when: 'Of a revision that is a pause: pause-after-failures.',
    says: (failuresMax: number) =>
      `paused after ${failuresMax} ` +
      (failuresMax === 1 ? 'tick that failed' : 'ticks in a row that failed'),
  },
} as const satisfies Record<string, ReasonRow>;
