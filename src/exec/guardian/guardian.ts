import { constants } from 'node:os';
import type { EndedSession } from '../../domain/reasons/sessionEnd.ts';
import { readStat } from '../process/procStat.ts';
import { GuardedNode, type GuardianLog } from './guardedNode.ts';
import { connectServiceManager, withoutServiceManager } from './serviceManager.ts';
import { reportToService } from './serviceReports.ts';

interface GuardianOptions {
  /** Program and arguments of the node process. */
  command: string[];
  env: Record<string, string | undefined>;
  /**
   * One line for each node process, which neither its environment nor its arguments show; read
   * again when a service is to reload its files (SIGHUP).
   */
  handOver?: () => Promise<string>;
  /** What follows when a node process ended without a clean end (`bye`). */
  onFenced: 'restart' | 'exit';
  log: GuardianLog;
}

/** Signals that request the end. A terminal that goes away sends one, too. */
const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** npm passes on a Ctrl-C that the terminal has sent already: within this time they are one. */
const sameSignalMs = 500;

const restartMsMin = 100;
const restartMsMax = 30_000;
/** A node that lived longer than that starts again without delay. */
const soundLifeMs = 10_000;

/** Ended sessions that each next node process gets, until the guardian ends. */
const endedSessionsMax = 16;

/** EX_TEMPFAIL of sysexits.h. */
const fencedExitCode = 75;

/**
 * Guards a node: starts it, kills it when its lease is over, and when it has died kills every
 * process that it left before it starts the next one. It ends with a node that ended cleanly, or
 * before there ever was a session: a wrong configuration does not become right by trying again.
 * @returns the exit code for this process
 */
export async function runGuardian(options: GuardianOptions): Promise<number> {
  const { command, log } = options;
  const env = withoutServiceManager(options.env);
  const manager = connectServiceManager(options.env, log);
  process.title = 'statecron guardian';
  const ending = listenForTheEnd((signal) => {
    service?.stopping();
    if (signal === 'SIGKILL') node?.endAll();
    else node?.kill(signal);
  }, log);
  if (!hasControllingTerminal()) {
    ending.onHangUp = async () => node?.handOver((await options.handOver?.()) ?? null);
  }
  const ended: EndedSession[] = [];
  let node: GuardedNode | null = null;
  let hasWorked = false;
  const look = () => ({ isAlive: node?.alive === true, isServing: node?.serving === true });
  const service = manager === null ? null : reportToService(manager, look);
  let delayMs = restartMsMin;
  try {
    for (;;) {
      const began = performance.now();
      const handedOver = (await options.handOver?.()) ?? null;
      // A signal that came meanwhile had no node to go to.
      if (ending.signal !== null) return exitCodeOf(ending.signal);
      node = new GuardedNode(command, env, { endedSessions: ended, handedOver }, log);
      const { exitCode, abandoned, clean, saidBye } = await node.end;
      hasWorked ||= abandoned !== null;
      if (saidBye || !hasWorked) return exitCode;
      if (clean && abandoned !== null) ended.push(abandoned);
      if (ended.length > endedSessionsMax) ended.shift();
      if (ending.signal !== null) return exitCodeOf(ending.signal);
      if (options.onFenced === 'exit') return fencedExitCode;
      if (performance.now() - began > soundLifeMs) delayMs = restartMsMin;
      log(`The node ended with ${exitCode}; the next one starts in ${delayMs} ms.`);
      await ending.orAfter(delayMs);
      delayMs = Math.min(restartMsMax, delayMs * 2);
    }
  } finally {
    ending.close();
    service?.close();
  }
}

const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** A terminal's hang-up ends this process; a service, which has none, is to reload its files. */
function hasControllingTerminal(): boolean {
  const [, , , , terminal] = readStat('self') ?? [];
  return terminal !== '0';
}

interface Ending {
  /** The first signal that requested the end; null: none yet. */
  signal: NodeJS.Signals | null;
  /** What a SIGHUP does; null: it requests the end, since a terminal has gone away. */
  onHangUp: (() => void) | null;
  /** Resolves after the time, or as soon as the end is requested. */
  orAfter(ms: number): Promise<void>;
  close(): void;
}

/**
 * The first signal is passed on, so that the node can drain; the second one too, so that it stops
 * what still runs and records it; a third one kills it.
 */
function listenForTheEnd(killNode: (signal: NodeJS.Signals) => void, log: GuardianLog): Ending {
  let lastAtMs = 0;
  let times = 0;
  let wake = () => {};
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === 'SIGHUP' && ending.onHangUp !== null) {
      ending.onHangUp();
      return;
    }
    const now = performance.now();
    if (times > 0 && now - lastAtMs <= sameSignalMs) return;
    lastAtMs = now;
    times += 1;
    ending.signal ??= signal;
    if (times === 2) log(`A second ${signal}: what runs is stopped. A third one ends all at once.`);
    if (times > 2) log(`${signal} again: ending at once.`);
    killNode(times > 2 ? 'SIGKILL' : signal === 'SIGHUP' ? 'SIGTERM' : signal);
    wake();
  };
  // With a handler, Ctrl-Z does not stop this process; a guardian that sleeps guards nothing.
  const stay = () => {};
  const ending: Ending = {
    signal: null,
    onHangUp: null,
    orAfter: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    close() {
      for (const signal of endSignals) process.removeListener(signal, onSignal);
      process.removeListener('SIGTSTP', stay);
    },
  };
  for (const signal of endSignals) process.on(signal, onSignal);
  process.on('SIGTSTP', stay);
  return ending;
}
