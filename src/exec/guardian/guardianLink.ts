import { Socket } from 'node:net';
import type { EndedSession } from '../../domain/reasons/sessionEnd.ts';
import { writeGuardianLine } from './guardianLines.ts';
import { readLines } from './lineReader.ts';

/** The environment variable with the number of the descriptor that leads to the guardian. */
export const guardianFdName = 'STATECRON_GUARDIAN_FD';

/** The node's side of the pipe to its guardian. All writes are at once and synchronous. */
export interface GuardianLink {
  /** For `PoolOptions.guardianFd`. */
  fd: number;
  /** Sessions of earlier processes of which nothing lives any more; known right after the start. */
  endedSessions: Promise<EndedSession[]>;
  /** The line that the guardian hands over to nobody else; null: it has none. */
  handedOver: Promise<string | null>;
  /** Calls back with the line whenever the guardian hands it over again. */
  onHandedOver(callback: (line: string) => void): void;
  /** From now on the guardian kills what is the session's when this process ends without `bye`. */
  announce(sessionId: string): void;
  /**
   * After each acknowledged renewal: until when, on the boot clock, the node may act, and when the
   * renewal was sent.
   */
  deadline(bootMs: number, sentBootMs: number): void;
  /** After each renewal that was not confirmed: when that was, and the error. */
  renewalFailed(atBootMs: number, error: string): void;
  /** Why the process ends without `bye`, which the next one writes down. */
  reportWhy(why: string): void;
  /** The clean end is near: everything has ended and is recorded. */
  bye(): void;
  /** Calls back within milliseconds of the guardian's death, which `kill -9` is too. */
  onLost(callback: () => void): void;
  /** Listens no more; for tests. */
  close(): void;
}

/** The descriptor of the guardian's pipe, from the environment; null: there is no guardian. */
export function guardianFdOf(environment: Record<string, string | undefined>): number | null {
  const text = environment[guardianFdName];
  return text === undefined || !/^\d+$/.test(text) ? null : Number(text);
}

/** Connects to the guardian that is at the other end of a descriptor. */
export function connectGuardian(fd = 3): GuardianLink {
  const socket = new Socket({ fd, readable: true, writable: false });
  const ended: EndedSession[] = [];
  const onLost: (() => void)[] = [];
  const onHanded: ((line: string) => void)[] = [];
  let handed: string | null = null;
  let [isReady, isLost] = [false, false];
  let resolveEnded: (sessions: EndedSession[]) => void = () => {};
  const endedSessions = new Promise<EndedSession[]>((resolve) => {
    resolveEnded = resolve;
  });
  readLines(socket, (line) => {
    const [word, sessionId, ...why] = line.split(' ');
    if (word === 'ended' && sessionId !== undefined) {
      ended.push({ sessionId, why: why.join(' ') || null });
    }
    const last = ended.at(-1);
    if (word === 'unanswered' && last !== undefined) {
      ended[ended.length - 1] = { ...last, unansweredBootMs: Number(sessionId) };
    }
    if (word === 'handed') {
      handed = line.slice('handed '.length);
      if (isReady) for (const callback of onHanded) callback(handed);
    }
    if (word !== 'ready') return;
    isReady = true;
    resolveEnded(ended);
    // From here on the link alone is no reason to stay.
    socket.unref();
  });
  // 'close' follows an error.
  socket.on('error', () => {});
  socket.once('end', () => socket.destroy());
  socket.once('close', () => {
    isLost = true;
    resolveEnded(ended);
    for (const callback of onLost) callback();
  });
  const send = (line: string) => {
    if (!isLost) writeGuardianLine(fd, line);
  };
  return {
    fd,
    endedSessions,
    handedOver: endedSessions.then(() => handed),
    onHandedOver: (callback) => void onHanded.push(callback),
    announce: (sessionId) => send(`session ${sessionId}`),
    deadline: (bootMs, sentBootMs) => send(`deadline ${bootMs} ${sentBootMs}`),
    renewalFailed: (atBootMs, error) => send(`unrenewed ${atBootMs} ${error}`),
    reportWhy: (why) => send(`why ${why.replaceAll(/\s+/g, ' ')}`),
    bye: () => send('bye'),
    onLost: (callback) => void (isLost ? setImmediate(callback) : onLost.push(callback)),
    close() {
      onLost.length = 0;
      socket.destroy();
    },
  };
}
