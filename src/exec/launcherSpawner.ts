import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { FifoStore } from './fifoStore.ts';
import { encodeFrame, FrameReader, type LauncherFrame } from './launcherFrames.ts';
import { readPipe } from './pipeReader.ts';
import { markName } from './planChild.ts';
import { encodeOwnership } from './runOwnership.ts';
import type { ChildExit, ChildListener, ChildPlan, Spawner, SpawnFailure } from './spawner.ts';
import { errorCode } from './spawnFailure.ts';

export interface LauncherOptions {
  perlPath: string;
  bashPath: string;
  /** The launcher carries the mark `<sessionId>:launcher`, so that the guardian finds it. */
  sessionId: string;
  /** The launcher is gone or talks nonsense: what it knew is lost, so the node must end. */
  onLost: (error: Error) => void;
}

interface LaunchedChild {
  listener: ChildListener;
  exited: boolean;
}

/** Spawns through `launcher.pl`; why that is three times as fast is told there. */
export function createLauncherSpawner(options: LauncherOptions): Spawner {
  const fifos = new FifoStore(1);
  const { readFd, writeFd } = fifos.open();
  const launcher = startLauncher(options, writeFd);
  closeSync(writeFd);
  fifos.close();
  const children = new Map<number, LaunchedChild>();
  const questions = new Map<number, (strays: number[] | null) => void>();
  let lastId = 0;
  let closing = false;

  launcher.once('error', options.onLost);
  launcher.once('exit', (code, signal) => {
    if (!closing) options.onLost(new Error(`The launcher ended (${signal ?? `exit ${code}`}).`));
  });
  // A broken pipe is told by the exit, which follows it.
  launcher.stdin?.on('error', () => {});
  const reader = new FrameReader((frame) => {
    if (frame.kind === 'T') {
      questions.get(frame.id)?.(parseStrays(frame.payload.toString('latin1')));
      questions.delete(frame.id);
      return;
    }
    const child = children.get(frame.id);
    if (child !== undefined && tell(child, frame)) children.delete(frame.id);
  });
  readPipe(
    readFd,
    (bytes) => reader.push(bytes),
    () => {},
  );

  const send = batchedWriter(launcher);
  return {
    hasCaretakers: true,
    becomesUsers: true,
    spawn(plan, deadlineMs, listener) {
      lastId = (lastId % 0x7fff_ffff) + 1;
      const id = lastId;
      children.set(id, { listener, exited: false });
      send(requestOf(id, plan, deadlineMs));
      return { closeOutput: () => send(`C\0${id}`) };
    },
    strays() {
      lastId = (lastId % 0x7fff_ffff) + 1;
      const id = lastId;
      return new Promise((resolve) => {
        questions.set(id, resolve);
        send(`T\0${id}`);
      });
    },
    async close() {
      closing = true;
      if (launcher.exitCode !== null || launcher.signalCode !== null) return;
      const exited = once(launcher, 'exit');
      launcher.stdin?.end(encodeFrame('Q'));
      await exited;
    },
  };
}

function startLauncher(options: LauncherOptions, outputFd: number): ChildProcess {
  const script = fileURLToPath(new URL('./launcher.pl', import.meta.url));
  const args = [script, options.bashPath, process.arch, `${availableParallelism()}`];
  return spawn(options.perlPath, args, {
    cwd: '/',
    // A session of its own: the terminal's Ctrl-C is for the node to answer.
    detached: true,
    env: { [markName]: `${options.sessionId}:launcher` },
    stdio: ['pipe', outputFd, 'inherit'],
  });
}

/** Requests of one turn of the event loop go out in one write. */
function batchedWriter(launcher: ChildProcess): (body: string) => void {
  let waiting: Buffer[] = [];
  return (body) => {
    waiting.push(encodeFrame(body));
    if (waiting.length > 1) return;
    setImmediate(() => {
      const frames = waiting;
      waiting = [];
      launcher.stdin?.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames));
    });
  };
}

function requestOf(id: number, plan: ChildPlan, deadlineMs: number | null): string {
  const { args, env, cwd, stdin } = plan;
  const ownership = encodeOwnership(plan.ownership);
  const care = plan.caretaker ?? [];
  const counts = [care.length, args.length, env.length];
  const hasStdin = stdin === null ? 0 : 1;
  const head = ['R', id, deadlineMs ?? '', cwd, ownership, hasStdin, ...counts];
  return [...head, ...care, ...args, ...env, stdin ?? ''].join('\0');
}

/** Passes a frame on to the child's listener; true when it is the last one. */
function tell(child: LaunchedChild, frame: LauncherFrame): boolean {
  const { listener } = child;
  switch (frame.kind) {
    case 'S': {
      const [pid, startTicks] = frame.payload.toString('latin1').split(' ');
      listener.spawned(Number(pid), Number(startTicks));
      return false;
    }
    case 'O':
      listener.output(frame.payload);
      return false;
    case 'X': {
      const exit = parseExit(frame.payload.toString('latin1'));
      child.exited = true;
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
      const [stage, errno] = frame.payload.toString('latin1').split('\0');
      listener.failed({
        stage: stage as SpawnFailure['stage'],
        code: errorCode(Number(errno)),
      });
      return true;
    }
    default:
      throw new Error(`The launcher sent a frame of unknown kind ${JSON.stringify(frame.kind)}.`);
  }
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, no]) => [no, name]));

/** The status word of wait(2): the low seven bits are the signal, the high byte the exit code. */
function parseExit(text: string): ChildExit {
  const [status, ended, strays] = text.split(' ');
  const signalNumber = Number(status) & 0x7f;
  return {
    exitCode: signalNumber === 0 ? Number(status) >> 8 : null,
    signal: signalNumber === 0 ? null : (signalNames.get(signalNumber) ?? `SIG${signalNumber}`),
    outputEnded: ended === '1',
    strays: parseStrays(strays ?? '?'),
  };
}

function parseStrays(text: string): number[] | null {
  if (text === '?') return null;
  return text === '' ? [] : text.split(',').map(Number);
}
