import { type ChildProcess, execFile, spawn } from 'node:child_process';
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

const variables = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'] as const;

/** The environment without what leads to the service manager: it is the guardian's alone. */
export function withoutServiceManager(
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !variables.some((variable) => variable === name)),
  );
}

/**
 * The service manager that the environment names, or null. It is spoken to through a small Perl
 * process that stays; where there is no Perl, through systemd-notify(1), a process a message.
 */
export function connectServiceManager(
  env: Record<string, string | undefined>,
  log: (line: string) => void,
): ServiceManager | null {
  const path = env.NOTIFY_SOCKET ?? '';
  if (!/^[/@]/.test(path)) return null;
  const send = openSender(path, env, log);
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
    log('There is no Perl: the service manager is told by systemd-notify.');
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
