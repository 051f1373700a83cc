import { execFile, spawn } from 'node:child_process';
import { fstatSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../shipped/shippedFiles.ts';

/** A service manager, such as systemd with `Type=notify`, as its service speaks to it. */
export interface ServiceManager {
  /** The period of its watchdog, milliseconds; null: it has none. */
  readonly watchdogMs: number | null;
  /** Sends one assignment of sd_notify(3), e.g. `READY=1`; false: not now, try again later. */
  notify(assignment: string): boolean;
  close(): void;
}

/** The socket that `serviceSocket.pl` has opened before it became this process. */
const fdVariable = 'STATECRON_NOTIFY_FD';
const variables = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID', fdVariable] as const;

/** The environment without what leads to the service manager: it is the guardian's alone. */
export function withoutServiceManager(
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !variables.some((variable) => variable === name)),
  );
}

/**
 * The service manager that the environment names, or null. This process writes to it itself where
 * the unit has opened the socket; else a small Perl process does, and where there is no Perl,
 * systemd-notify(1), a process a message: those two need `NotifyAccess=all`.
 */
export function connectServiceManager(
  env: Record<string, string | undefined>,
  log: (line: string) => void,
): ServiceManager | null {
  const path = env.NOTIFY_SOCKET ?? '';
  if (!/^[/@]/.test(path)) return null;
  const fd = socketOf(env[fdVariable]);
  const relay = { PATH: env.PATH, NOTIFY_SOCKET: path };
  const sender =
    fd === null ? startRelay(relay, log) : { notify: writeTo(fd), close: () => undefined };
  return { watchdogMs: watchdogMsOf(env), ...sender };
}

/** It may be meant for another process. */
function watchdogMsOf(env: Record<string, string | undefined>): number | null {
  const forOther = env.WATCHDOG_PID !== undefined && env.WATCHDOG_PID !== String(process.pid);
  const microseconds = Number(env.WATCHDOG_USEC);
  return forOther || !(microseconds > 0) ? null : microseconds / 1000;
}

/** The number may be of anything by now: only a socket is written to. */
function socketOf(text: string | undefined): number | null {
  const fd = Number(text);
  if (!Number.isInteger(fd) || fd < 3) return null;
  try {
    return fstatSync(fd).isSocket() ? fd : null;
  } catch {
    return null; // it is not open
  }
}

function writeTo(fd: number): ServiceManager['notify'] {
  return (assignment) => {
    try {
      writeSync(fd, assignment);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
      // A manager that is away gets the next one.
    }
    return true;
  };
}

function startRelay(
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Omit<ServiceManager, 'watchdogMs'> {
  const script = fileURLToPath(programFile('src/exec/perl/serviceSocket.pl'));
  const perl = spawn('perl', [script], { env, stdio: ['pipe', 'ignore', 'inherit'] });
  /** Null: not known yet. */
  let isRunning: boolean | null = null;
  perl.once('spawn', () => {
    isRunning = true;
  });
  perl.once('error', () => {
    log('There is no Perl: the service manager is notified by systemd-notify.');
  });
  // Of a program that is not there as well.
  perl.once('close', () => {
    isRunning = false;
  });
  // 'exit' follows; until then what is written is written.
  perl.stdin.on('error', () => undefined);
  perl.unref();
  return {
    notify(assignment) {
      if (isRunning) perl.stdin.write(`${assignment}\n`);
      else if (isRunning === false) notifyOnce(env, assignment);
      return isRunning !== null;
    },
    close: () => void perl.stdin.end(),
  };
}

const notifyMsMax = 5_000;

function notifyOnce(env: NodeJS.ProcessEnv, assignment: string): void {
  const options = { env, timeout: notifyMsMax };
  // Without either program the manager gets nothing, and reports its own time-out.
  execFile('systemd-notify', [assignment], options, () => undefined).unref();
}
