/** What a reason says to people, or how that is made of its facts. */
type ReasonText = string | ((...facts: never[]) => string);

/** Why ticks, alone or in a range, ended without a launch. */
export const tickReasons = {
  /** overlap skip: the tick came before the launch before it had ended. */
  stillGoing: 'the launch before it had not ended',
  /** overlap queue: another tick waited for the run to end. */
  oneWaits: 'a tick was waiting already',
  /** overlap queue-all: as many waited as may. */
  queueIsFull: 'as many ticks as may wait were waiting already',
  /** overlap replace, terminate: the next tick came before the run had given way to this one. */
  laterTick: 'a later tick came before it could take the place of the last run',
  /** overlap replace, terminate: a launch that was requested earlier took the place of the run. */
  gaveWay: 'a launch that had waited since before it took its turn',
  /** No node was live at any of the ticks; of the own slots of a node: that one was not. */
  nobodyThere: 'no node was there for it',
  /** Nodes were live, and none of them may run the job: target, level, version. */
  noEligibleNode: 'no live node may run it',
  /**
   * Nodes that may run it were live, and saw the group of the job with as many launches as its
   * limit.
   */
  limitReached: "the limit of the job's group was reached",
  /**
   * Nodes that may run it were live, for a part of the time at least, and none took it: they were
   * full, or about to leave, or stood still.
   */
  notTaken: 'no node could take it in time',
  /** The nodes had no answer from the database while the ticks came. */
  databaseAway: 'the database could not be reached',
  /** All nodes that may run it and were live were kept from new work by `node cordon`. */
  cordoned: 'every node that may run it was cordoned',
  /**
   * It was late by more than the catch-up of the job (with misfire all: an hour, if it says none).
   */
  tooOld: 'it was older than what is made up for',
  /** The start deadline of the job was over before it could start. */
  tooLate: 'its start deadline was over',
  /** misfire all: of the backlog that an edit ends only the last tick is made up for. */
  edited: 'the job was edited while it waited',
  /** The tick was that of a node whose own slots were taken away by cluster forget. */
  nodeForgotten: 'the node was forgotten',
  /** The tick was that of a node that may not run the job any more, or has another level. */
  nodeNotMeant: 'its node may not run the job any more',
  /** An edit made another kind of the job, whose ticks are owed by other slots. */
  kindChanged: 'the kind of the job was changed',
  /** The job was paused before the tick, or the start by a chain, could run. */
  paused: 'the job was paused',
  /** The job was removed before the tick could run. */
  removed: 'the job was removed',
  /** An operator had the next ticks skipped. */
  skipped: 'skipped by an operator',
  /** The job is observed: its schedule is computed, and nothing is started by it. */
  observed: 'the job is observed: it was not started',
  /** The database was restored from a backup: what ran since is not known. */
  restored: (takenMs: number) =>
    `restored from a backup of ${new Date(takenMs).toISOString()}: ` +
    'what ran since then is not known here',
} as const satisfies Record<string, ReasonText>;

/** Why launches, requested or started, ended as they did; and of jobs that paused themselves. */
export const launchReasons = {
  /** The session of the node ended while the run executed; null: nobody noted why. */
  lost: (why: string | null) => `its node was lost while it ran${why === null ? '' : `: ${why}`}`,
  /** Whether the start was committed was not known, so that nothing was spawned. */
  notStarted: 'the start was not acknowledged, so nothing was spawned',
  /** It was stopped while it waited or was prepared. */
  stoppedByOperator: 'stopped by an operator before it started',
  /** The last attempt, which is so no more: it comes before the reason that was there. */
  triedAgain: 'an operator had it tried again',
  /** A lost run whose result came all the same: it comes after the reason of that. */
  recordedLate: 'Its node was lost; the result was recorded late.',
  /** A start by a chain while another one of the job waited (with queue-all: 1,000 of them). */
  chainWaits: 'a start by the job that it follows is waiting already',
  /** It was requested on one node alone, which has been gone for a minute. */
  nodeGone: (node: string) => `the node ${node} that was to run it is gone`,
  /** A start by a chain of an every-node job that no node has a slot of. */
  noPlace: 'no node has a place for it',
  /** overlap replace, terminate: the run was stopped for the next tick. */
  replaced: (overlap: 'replace' | 'terminate') =>
    `The next tick came and the job's overlap is ${overlap}.`,
  /** Its node was told to end, and waits so long for runs. */
  nodeStopped: (node: string, drainTimeoutMs: number) =>
    `${nodeStoppedStart}${node}, drain timeout ${drainTimeoutMs / 1000} s).`,
  /** Results that the database had not taken held as much memory as they may. */
  outputDropped: (bytes: number) =>
    `Its output (${bytes} bytes) was dropped: too many results waited to be written.`,
  /** output-files, output-journald: what could not be written is not there. */
  outputIncomplete: (which: 'output file' | 'output in the journal', why: string) =>
    `Its ${which} is not complete (${why}).`,
  /** The database would not take the output, e.g. since its max_allowed_packet is too small. */
  outputRefused: (bytes: number) =>
    `Its output (${bytes} bytes) is not kept: the database refused it, as the node's log says.`,
  /** A launch that is requested and not claimed, while it is so. */
  waits: 'it waits for its turn',
  /** A run that executes and whose stop is requested, while it is so. */
  beingStopped: 'it is being stopped',
  /** Of a revision that is a pause: max-runs. */
  ranOut: (runsMax: number) =>
    `paused after ${runsMax} ${runsMax === 1 ? 'tick that ran' : 'ticks that ran'}`,
  /** Of a revision that is a pause: pause-after-failures. */
  failedOut: (failuresMax: number) =>
    `paused after ${failuresMax} ` +
    (failuresMax === 1 ? 'tick that failed' : 'ticks in a row that failed'),
  /** Of a revision that is a pause of which somebody said why, if with no words. */
  pausedBy: (actor: string, note: string) => `${pausedByStart}${whoAndWhy(actor, note)}`,
  /** Of a revision that is a pause: many jobs were paused together, and are resumed together. */
  pausedTogether: (scope: string, actor: string, note: string) =>
    `${togetherPrefix(scope)}${whoAndWhy(actor, note)}`,
} as const satisfies Record<string, ReasonText>;

/** Of a run that waits for the one node that it was requested on. */
export function requestedAlone(node: string): string {
  return `requested on ${node} alone, which is not live`;
}

/** How the reason begins of each job of such a pause, whoever made it. */
export function togetherPrefix(scope: string): string {
  return `${togetherStart}${scope} by `;
}

/** The same, of whatever the pause is. */
export const togetherStart = 'paused together with ';
export const pausedByStart = 'paused by ';

const whoAndWhy = (actor: string, note: string): string =>
  `${actor.slice(0, 60)}${note === '' ? '' : `: ${note}`}`;

/** Whether a run was stopped since its node ended, which nobody may have meant for the run. */
export function isStoppedWithNode(reason: string | null): boolean {
  return reason?.startsWith(nodeStoppedStart) ?? false;
}

const nodeStoppedStart = 'Its node was stopped (';

/** How a process tree was ended. */
type Ended = 'SIGTERM' | 'SIGKILL' | `SIGTERM, then SIGKILL ${number} ms later`;

const processes = (count: number) => `${count} ${count === 1 ? 'process' : 'processes'}`;

/** Why a command was ended or never began, and what it left. `why` is an error of the system. */
export const executionReasons = {
  /** The timeout of the job. */
  timedOut: (timeoutMs: number, how: Ended) => `Timed out after ${timeoutMs} ms: ${how}.`,
  /** An operator, a drain that took too long, or the next tick stopped it. */
  stopped: (how: Ended) => `Stopped: ${how}.`,
  /** A process of it had the CPU time that the job allows. */
  cpuTimeUsedUp: (seconds: number) => `CPU time of ${seconds} s was used up (SIGXCPU).`,
  /** leftovers kill: processes that the shell had left running. */
  leftoversEnded: (count: number, signal: string) =>
    `The shell left ${processes(count)} running, ended with ${signal}.`,
  /** leftovers wait: processes that the shell had left running, and that have ended since. */
  leftoversGone: (count: number) =>
    `The shell left ${processes(count)} running; it came to its own end.`,
  /** leftovers leave: processes that the shell had left running, and that may run still. */
  leftoversLeft: (count: number) =>
    `The shell left ${processes(count)} running; it was left alone.`,
  /** The job has a user, and the node is not root. */
  notRoot: (user: string) =>
    `The job is to run as ${user}, and this node is not root, which alone can become another ` +
    `user: run the node as root with --allow-user ${user}.`,
  /** The job has a user that the node does not allow. */
  userNotAllowed: (user: string) =>
    `The job is to run as ${user}, which this node does not allow: ` +
    `start it with --allow-user ${user}.`,
  /** The job has a user, and there is no Perl on the node. */
  userNeedsPerl: (user: string) =>
    `The job is to run as ${user}, which needs Perl on the node (Debian: perl-base).`,
  /** on-fence finish, and there is no Perl on the node. */
  caretakerNeedsPerl:
    'The job is to finish when its node is fenced (--on-fence finish), which needs Perl ' +
    'there.',
  /** The job has a user that there is not on the host of the node. */
  userUnknown: (user: string) =>
    `The user ${user} does not exist here: make the account, or name other nodes.`,
  /** The groups of its user could not be read. */
  groupsUnread: (user: string, why: string) =>
    `The groups of the user ${user} cannot be read with the program id (${why}).`,
  /** The kernel refused to make the process that of its user. */
  notBecome: (user: string, why: string) =>
    `The process cannot become the user ${user} (${why}); nothing was run instead.`,
  /** The kernel refused its nice. */
  priority: (nice: number, why: string) =>
    `The priority ${nice} cannot be had (${why}): only root may.`,
  /** The kernel refused its memory-max or cpu-time-max. */
  limit: (which: 'memory' | 'cpu', why: string) =>
    `The limit of ${which} cannot be set (${why}); see: ulimit -Ha.`,
  /** Its cwd is not there, or not for its user. */
  folder: (cwd: string, why: string) => `The working directory ${cwd} cannot be entered (${why}).`,
  /** It has no cwd, and the home of its user is not there (why: null), or is not for it. */
  home: (user: string, why: string | null) =>
    why === null
      ? `Note: it ran in /, as the home folder of ${user} is not there.`
      : `Note: it ran in /, as ${user} cannot enter its home folder (${why}).`,
  /** Bash is not where it was when the node started. */
  bash: (why: string) => `bash cannot be started (${why}).`,
  /** Without Perl: the kernel refused to start a process. */
  bashIn: (cwd: string, why: string) => `bash cannot be started in ${cwd} (${why}).`,
  /** There was no room for its stdin. */
  input: (why: string) => `The standard input cannot be made (${why}).`,
  /** The kernel refused a process or a pipe. */
  noProcess: (stage: string, why: string) => `No process can be started: ${stage} failed (${why}).`,
  /** Its command and variables are more than the kernel takes. */
  tooLong: (commandBytes: number, environmentBytes: number, why: string) =>
    `The command (${commandBytes} bytes) and environment (${environmentBytes} bytes) are more ` +
    `than the kernel takes: about 2 MiB together, 131,071 bytes for one variable (${why}).`,
  /** A definition that was written by hand: nothing that saves one lets it through. */
  hasNul: (what: string) => `${what} contains a NUL byte, which no process can take.`,
  /** The same, of the name of a variable. */
  badVariable: (name: string) =>
    `${JSON.stringify(name)} cannot be the name of an environment variable.`,
} as const satisfies Record<string, ReasonText>;

/** Every reason that a row of the history can carry. */
export const reasonTable = { ...tickReasons, ...launchReasons, ...executionReasons };

export type ReasonCode = keyof typeof reasonTable;

declare const isReason: unique symbol;

/** A text of the table with its facts, or several of them: no other text is one. */
export type Reason = string & { readonly [isReason]: true };

type ReasonsOf<Table extends Record<string, ReasonText>> = {
  readonly [Code in keyof Table]: Table[Code] extends (...facts: infer Facts) => string
    ? (...facts: Facts) => Reason
    : Reason;
};

/**
 * Why ticks and launches ended as they did, in the words of the history. What verification and the
 * judge of the fault tests look for stays as it is, since rows of earlier releases have it.
 */
export const reasons = reasonTable as unknown as ReasonsOf<typeof reasonTable>;

/** A reason without the note of where a run ran, which is no cause of how it ended. */
export function withoutNote(reason: string | null): string | null {
  return reason?.replace(missingHome, '').trim() || null;
}

const missingHome = new RegExp(`${executionReasons.home('\\S+', null)}\\s*`);

/** Several reasons of one row, one after the other; null: there is none. */
export function joinReasons(...all: readonly (Reason | null)[]): Reason | null {
  const present = all.filter((reason) => reason !== null);
  return present.length === 0 ? null : (present.join(' ') as Reason);
}
