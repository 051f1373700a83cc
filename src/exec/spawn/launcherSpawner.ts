import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../shipped/shippedFiles.ts';
import { openAgain } from '../lease/leaseFile.ts';
import { launchNumber, markName, sessionTag } from '../process/launchTag.ts';
import { encodeOwnership } from '../request/runOwnership.ts';
import { encodeFrame, FrameReader, type LauncherFrame } from './launcherFrames.ts';
import type {
  ChildExit,
  ChildListener,
  ChildPlan,
  Spawner,
  SpawnFailure,
  Stray,
} from './spawner.ts';
import { errorCode } from './spawnFailure.ts';

interface LauncherOptions {
  perlPath: string;
  bashPath: string;
  /** The launcher carries the mark `<sessionId>:launcher`, so that the guardian finds it. */
  sessionId: string;
  /** `LeaseFile.fd`: past it the launcher kills what it runs; null: no lease. */
  leaseFd: number | null;
  /**
   * The launcher is gone, and with it what it knew, so the node must end. `how`: a signal, or
   * `exit N`; null: it ended itself and all that it ran when the lease was over.
   */
  onEnded: (how: string | null) => void;
  /** It could not be started. */
  onError: (error: Error) => void;
}

/** Of the launcher, see `launcherEnd.pl`. */
const leaseOverCode = 75;

/** Spawns through `launcher.pl`; why that is three times as fast is explained there. */
export function createLauncherSpawner(options: LauncherOptions): Spawner {
  const launcher = startLauncher(options);
  const listeners = new Map<number, ChildListener>();
  const queries = new Map<number, (strays: Stray[] | null) => void>();
  let lastId = 0;
  let closing = false;

  launcher.once('error', options.onError);
  launcher.once('exit', (code, signal) => {
    if (!closing) options.onEnded(code === leaseOverCode ? null : (signal ?? `exit ${code}`));
  });
  // A broken pipe is followed by the exit, which is reported.
  launcher.stdin.on('error', () => {});
  const reader = new FrameReader((frame) => {
    if (frame.kind === 'T') {
      queries.get(frame.id)?.(parseStrays(frame.payload.toString('latin1')));
      queries.delete(frame.id);
      return;
    }
    const listener = listeners.get(frame.id);
    if (listener !== undefined && passOn(listener, frame)) listeners.delete(frame.id);
  });
  launcher.stdout.on('data', (bytes: Buffer) => reader.push(bytes));

  const { stdin } = launcher;
  /** Requests of one turn of the event loop go out in one write. */
  const send = (body: string): void => {
    if (stdin.writableCorked === 0) {
      stdin.cork();
      setImmediate(() => stdin.uncork());
    }
    stdin.write(encodeFrame(body));
  };
  const nextId = (): number => {
    lastId = (lastId % 0x7fff_ffff) + 1;
    return lastId;
  };
  return {
    isLauncher: true,
    spawn(plan, listener) {
      const id = nextId();
      listeners.set(id, listener);
      send(requestOf(id, plan));
      return {
        closeOutput: () => send(`C\0${id}`),
        holdOutput: (isHeld) => send(`H\0${id}\0${isHeld ? 1 : 0}`),
      };
    },
    strays() {
      const id = nextId();
      return new Promise((resolve) => {
        queries.set(id, resolve);
        send(`T\0${id}`);
      });
    },
    killStrays: (launchId) => send(`K\0${launchNumber(launchId)}`),
    async close() {
      closing = true;
      if (launcher.exitCode !== null || launcher.signalCode !== null) return;
      const exited = once(launcher, 'exit');
      stdin.end(encodeFrame('Q'));
      await exited;
    },
  };
}

/**
 * Both directions are socket pairs: a job of the same user could open a pipe of its parent by
 * /proc/PPID/fd and write frames into it, but no socket.
 */
function startLauncher(options: LauncherOptions): ChildProcessByStdio<Writable, Readable, null> {
  const script = fileURLToPath(programFile('src/exec/perl/launcher.pl'));
  const leaseFd = options.leaseFd === null ? null : openAgain(options.leaseFd);
  const leaseThere = leaseFd === null ? '' : '3';
  const tag = sessionTag(options.sessionId);
  const args = [script, options.bashPath, process.arch, tag, leaseThere];
  try {
    const launcher = spawn(options.perlPath, args, {
      cwd: '/',
      // A session of its own: the terminal's Ctrl-C is for the node to answer.
      detached: true,
      env: { [markName]: `${options.sessionId}:launcher` },
      stdio: ['pipe', 'pipe', 'inherit', ...(leaseFd === null ? [] : [leaseFd])],
    });
    return launcher as ChildProcessByStdio<Writable, Readable, null>;
  } finally {
    if (leaseFd !== null) closeSync(leaseFd);
  }
}

function requestOf(id: number, plan: ChildPlan): string {
  const { args, env, isHome, stdin } = plan;
  const cwd = isHome ? `~${plan.cwd}` : plan.cwd;
  const ownership = encodeOwnership(plan.ownership);
  const care = plan.caretaker ?? [];
  const counts = [care.length, args.length, env.length];
  const hasStdin = stdin === null ? 0 : 1;
  const number = launchNumber(plan.launchId);
  const head = ['R', id, number, cwd, ownership, hasStdin, ...counts];
  return [...head, ...care, ...args, ...env, stdin ?? ''].join('\0');
}

/** Passes a frame on to the child's listener; true when it is the last one. */
function passOn(listener: ChildListener, { kind, payload }: LauncherFrame): boolean {
  switch (kind) {
    case 'S': {
      const [pid, startTicks] = payload.toString('latin1').split(' ');
      listener.spawned(Number(pid), Number(startTicks));
      return false;
    }
    case 'O':
      listener.output(payload);
      return false;
    case 'X': {
      const exit = parseExit(payload.toString('latin1'));
      listener.exited(exit);
      return exit.outputEnded;
    }
    case 'Z':
      listener.outputEnded();
      return true;
    case 'F':
      listener.fenced();
      return true;
    case 'E': {
      const [stage, errno] = payload.toString('latin1').split('\0');
      listener.failed({ stage: stage as SpawnFailure['stage'], code: errorCode(Number(errno)) });
      return true;
    }
    default:
      throw new Error(`The launcher sent a frame of unknown kind ${JSON.stringify(kind)}.`);
  }
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, no]) => [no, name]));

/** The status word of wait(2): the low seven bits are the signal, the high byte the exit code. */
function parseExit(text: string): ChildExit {
  const [status, ended, strays, endedMs, homeErrno] = text.split(' ');
  const signalNumber = Number(status) & 0x7f;
  return {
    exitCode: signalNumber === 0 ? Number(status) >> 8 : null,
    signal: signalNumber === 0 ? null : (signalNames.get(signalNumber) ?? `SIG${signalNumber}`),
    outputEnded: ended === '1',
    hasStrays: strays === '?' ? null : strays === '1',
    endedBootMs: Number(endedMs),
    homeCode: homeErrno === undefined ? null : errorCode(Number(homeErrno)),
  };
}

function parseStrays(text: string): Stray[] | null {
  if (text === '?') return null;
  if (text === '') return [];
  return text.split(',').map((each) => {
    const [pid, launch] = each.split(':');
    return { pid: Number(pid), launch: launch ? Number(launch) : null };
  });
}
