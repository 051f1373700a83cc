import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fstatSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a service manager, such as systemd with `Type=notify`, is told. */
export interface ServiceManager {
  /** How often it wants to hear that all is well, milliseconds; null: not at all. */
  readonly watchdogMs: number | null;
  /** The service does its work from now on. */
  ready(): void;
  /** All is well. */
  feed(): void;
  /** One line for people. */
  status(text: string): void;
  /** The end has begun. */
  stopping(): void;
  /** Says no more. */
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
 * The service manager that the environment names, or null. It is spoken to by this process itself
 * where the unit has opened the socket for it; else through a small Perl process that stays, and
 * where there is no Perl, through systemd-notify(1), a process a message. Those two are heard with
 * `NotifyAccess=all` alone.
 */
export function connectServiceManager(
  env: Record<string, string | undefined>,
  log: (line: string) => void,
): ServiceManager | null {
  const path = env.NOTIFY_SOCKET ?? '';
  if (!/^[/@]/.test(path)) return null;
  const fd = socketOf(env[fdVariable]);
  const send = fd === null ? openSender(path, env, log) : socketSender(fd);
  return {
    watchdogMs: watchdogMsOf(env),
    ready: () => send.message('READY=1'),
    feed: () => send.message('WATCHDOG=1'),
    status: (text) => send.message(`STATUS=${text}`),
    stopping: () => send.message('STOPPING=1'),
    close: () => send.close(),
  };
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

/** In order; what a busy manager cannot take is sent again. */
function socketSender(fd: number): Sender {
  const waiting: string[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flush = (): void => {
    timer = null;
    for (let text = waiting[0]; text !== undefined; text = waiting[0]) {
      try {
        writeSync(fd, text);
      } catch (error) {
        if ((error as { code?: unknown }).code === 'EAGAIN') {
          timer = setTimeout(flush, retryMs).unref();
          return;
        }
        // One that is away is told the next time.
      }
      waiting.shift();
    }
  };
  return {
    message(text) {
      waiting.push(text);
      if (waiting.length > waitingMax) waiting.shift();
      if (timer === null) flush();
    },
    close: () => (timer === null ? undefined : clearTimeout(timer)),
  };
}

const retryMs = 100;
const waitingMax = 100;

interface Sender {
  message(text: string): void;
  close(): void;
}

function openSender(
  path: string,
  env: Record<string, string | undefined>,
  log: (line: string) => void,
): Sender {
  const script = fileURLToPath(new URL('./serviceManager.pl', import.meta.url));
  let perl: ChildProcess | null = spawn('perl', [script, path], {
    env: { PATH: env.PATH },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  /** Until it is known whether there is a Perl; then null. */
  let waiting: string[] | null = [];
  perl.once('error', () => {
    perl = null;
    log('There is no Perl: the service manager is notified by systemd-notify.');
    for (const text of waiting ?? []) notifyOnce(path, env, text);
    waiting = null;
  });
  perl.once('spawn', () => {
    waiting = null;
  });
  perl.once('exit', () => {
    perl = null;
  });
  // That it is gone is told by its end; until then what is written is written.
  perl.stdin?.on('error', () => undefined);
  perl.unref();
  return {
    message(text) {
      if (perl === null) {
        notifyOnce(path, env, text);
        return;
      }
      waiting?.push(text);
      perl.stdin?.write(`${text.replaceAll('\n', '\\n')}\n`);
    },
    close: () => void perl?.stdin?.end(),
  };
}

const notifyMsMax = 5_000;

function notifyOnce(path: string, env: Record<string, string | undefined>, text: string): void {
  const options = { env: { PATH: env.PATH, NOTIFY_SOCKET: path }, timeout: notifyMsMax };
  // Without either program the manager hears nothing, and says so itself when it waits.
  execFile('systemd-notify', [text], options, () => undefined).unref();
}
