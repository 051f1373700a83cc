import type { ReasonRow } from './reasonTable.ts';

/** How a process tree was ended. */
type Ended = 'SIGTERM' | 'SIGKILL' | `SIGTERM, then SIGKILL ${number} ms later`;

const processes = (count: number) => `${count} ${count === 1 ? 'process' : 'processes'}`;

/** Why a command was ended or never began, and what it left. `why` is an error of the system. */
export const executionReasons = {
  timedOut: {
    when: 'The timeout of the job.',
    says: (timeoutMs: number, how: Ended) => `Timed out after ${timeoutMs} ms: ${how}.`,
  },
  stopped: {
    when: 'An operator, a drain that took too long, or the next tick stopped it.',
    says: (how: Ended) => `Stopped: ${how}.`,
  },
  cpuTimeUsedUp: {
    when: 'A process of it had the CPU time that the job allows.',
    says: (seconds: number) => `CPU time of ${seconds} s was used up (SIGXCPU).`,
  },
  leftoversEnded: {
    when: 'leftovers kill: processes that bash had left running.',
    says: (count: number, signal: string) =>
      `Bash left ${processes(count)} running, ended with ${signal}.`,
  },
  leftoversGone: {
    when: 'leftovers wait: processes that bash had left running, and that have ended since.',
    says: (count: number) => `Bash left ${processes(count)} running; it came to its own end.`,
  },
  leftoversLeft: {
    when: 'leftovers leave: processes that bash had left running, and that may run still.',
    says: (count: number) => `Bash left ${processes(count)} running; it was left alone.`,
  },
  notRoot: {
    when: 'The job has a user, and the node is not root.',
    says: (user: string) =>
      `The job is to run as ${user}, and this node is not root, which alone can become another ` +
      `user: run the node as root with --allow-user ${user}.`,
  },
  userNotAllowed: {
    when: 'The job has a user that the node does not allow.',
    says: (user: string) =>
      `The job is to run as ${user}, which this node does not allow: ` +
      `start it with --allow-user ${user}.`,
  },
  userNeedsPerl: {
    when: 'The job has a user, and there is no Perl on the node.',
    says: (user: string) =>
      `The job is to run as ${user}, which needs Perl on the node (Debian: perl-base).`,
  },
  caretakerNeedsPerl: {
    when: 'on-fence finish, and there is no Perl on the node.',
    says:
      'The job is to finish when its node is fenced (--on-fence finish), which needs Perl ' +
      'there.',
  },
  userUnknown: {
    when: 'The job has a user that there is not on the host of the node.',
    says: (user: string) =>
      `The user ${user} does not exist here: make the account, or name other nodes.`,
  },
  groupsUnread: {
    when: 'The groups of its user could not be read.',
    says: (user: string, why: string) =>
      `The groups of the user ${user} cannot be read with the program id (${why}).`,
  },
  notBecome: {
    when: 'The kernel refused to make the process that of its user.',
    says: (user: string, why: string) =>
      `The process cannot become the user ${user} (${why}); nothing was run instead.`,
  },
  priority: {
    when: 'The kernel refused its nice.',
    says: (nice: number, why: string) =>
      `The priority ${nice} cannot be had (${why}): only root may.`,
  },
  limit: {
    when: 'The kernel refused its memory-max or cpu-time-max.',
    says: (which: 'memory' | 'cpu', why: string) =>
      `The limit of ${which} cannot be set (${why}); see: ulimit -Ha.`,
  },
  folder: {
    when: 'Its cwd is not there, or not for its user.',
    says: (cwd: string, why: string) => `The working directory ${cwd} cannot be entered (${why}).`,
  },
  home: {
    when: 'It has no cwd, and the home of its user is not there.',
    says: (user: string, why: string) =>
      `The home folder of the user ${user} cannot be entered (${why}): give it a --cwd.`,
  },
  bash: {
    when: 'Bash is not where it was when the node started.',
    says: (why: string) => `bash cannot be started (${why}).`,
  },
  bashIn: {
    when: 'Without Perl: the kernel refused to start a process.',
    says: (cwd: string, why: string) => `bash cannot be started in ${cwd} (${why}).`,
  },
  input: {
    when: 'There was no room for its stdin.',
    says: (why: string) => `The standard input cannot be made (${why}).`,
  },
  noProcess: {
    when: 'The kernel refused a process or a pipe.',
    says: (stage: string, why: string) => `No process can be started: ${stage} failed (${why}).`,
  },
  tooLong: {
    when: 'Its command and variables are more than the kernel takes.',
    says: (commandBytes: number, environmentBytes: number, why: string) =>
      `The command (${commandBytes} bytes) and environment (${environmentBytes} bytes) are more ` +
      `than the kernel takes: about 2 MiB together, 131,071 bytes for one variable (${why}).`,
  },
  hasNul: {
    when: 'A definition that was written by hand: nothing that saves one lets it through.',
    says: (what: string) => `${what} contains a NUL byte, which no process can take.`,
  },
  badVariable: {
    when: 'The same, of the name of a variable.',
    says: (name: string) =>
      `${JSON.stringify(name)} cannot be the name of an environment variable.`,
  },
} as const satisfies Record<string, ReasonRow>;
