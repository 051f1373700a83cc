import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { bootClockGrainMs, bootMs } from './bootClock.ts';
import { FifoStore, type PipeEnds } from './fifoStore.ts';
import { readLease } from './leaseFile.ts';
import { type PipeReader, readPipe } from './pipeReader.ts';
import { readStartTicks } from './procStat.ts';
import { ownedByBash } from './runOwnership.ts';
import type { Child, ChildListener, ChildPlan, Spawner, SpawnFailure } from './spawner.ts';

/** After the exit: the output counts as read when nothing has come for so long. */
const quietMs = 20;
const quietMsMax = 500;

/** O_CLOEXEC of Linux, which node:fs does not name. */
const closeOnExec = 0o2000000;

interface DirectOptions {
  bashPath: string;
  /** `LeaseFile.fd`; null: no lease. */
  leaseFd: number | null;
}

/** Spawns with Node's own spawn: for machines without Perl. Strays are not known this way. */
export function createDirectSpawner(options: DirectOptions): Spawner {
  closeForeignFds();
  const fifos = new FifoStore(32);
  return {
    hasCaretakers: false,
    becomesUsers: false,
    spawn(plan, listener) {
      const output = new OutputPipe(listener);
      start(options, plan, { fifos, output, listener });
      return output;
    },
    strays: () => Promise.resolve(null),
    killStrays: () => {},
    async close() {
      fifos.close();
    },
  };
}

interface StartTools {
  fifos: FifoStore;
  output: OutputPipe;
  listener: ChildListener;
}

function start({ bashPath, leaseFd }: DirectOptions, plan: ChildPlan, tools: StartTools): void {
  const { listener, output } = tools;
  const refuse = (stage: SpawnFailure['stage'], error: unknown) => {
    output.abandon();
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    listener.failed(stage === 'spawn' ? spawnFailureOf(code, bashPath, plan.cwd) : { stage, code });
  };
  // `nice` would say that it may not, and go on with the priority that it has.
  const nice = plan.ownership?.nice ?? null;
  if (nice !== null && nice < getPriority() && process.getuid?.() !== 0) {
    refuse('nice', { code: 'EACCES' });
    return;
  }
  let pipe: PipeEnds;
  try {
    pipe = tools.fifos.open();
  } catch (error) {
    refuse('pipe', error);
    return;
  }
  output.attach(pipe.readFd);
  let child: ChildProcess;
  try {
    // Checked last. The clock is rounded down, so its grain is added.
    if (leaseFd !== null && bootMs() + bootClockGrainMs > readLease(leaseFd)) {
      output.abandon();
      listener.fenced();
      return;
    }
    child = spawnBash(bashPath, plan, pipe.writeFd);
  } catch (error) {
    refuse('spawn', error);
    return;
  } finally {
    closeSync(pipe.writeFd);
  }
  child.once('error', (error) => {
    if (child.pid === undefined) refuse('spawn', error);
  });
  if (child.pid === undefined) return;
  listener.spawned(child.pid, readStartTicks(child.pid));
  feed(child, plan.stdin);
  child.once('exit', async (exitCode, signal) => {
    const endedBootMs = bootMs();
    await output.quiet();
    output.afterExit = true;
    listener.exited({ exitCode, signal, outputEnded: output.ended, hasStrays: null, endedBootMs });
  });
}

/** Node's error names neither the folder nor the program that was not found. */
function spawnFailureOf(code: string, bashPath: string, cwd: string): SpawnFailure {
  const missing = code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES';
  if (!missing) return { stage: 'spawn', code };
  try {
    accessSync(`${cwd}/.`, constants.X_OK);
    accessSync(bashPath, constants.X_OK);
    return { stage: 'spawn', code };
  } catch (error) {
    const { path, code: found = code } = error as NodeJS.ErrnoException;
    return { stage: path === bashPath ? 'exec' : 'cwd', code: found };
  }
}

/**
 * Closes what this process was started with beyond 0, 1 and 2: Node keeps the first dozen from its
 * children, a higher one would be open in every job. Node's own are all marked close-on-exec.
 */
function closeForeignFds(): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd <= 2) continue;
    try {
      const flags = /^flags:\s*(\d+)$/m.exec(
        readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'),
      )?.[1];
      if (flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0) closeSync(fd);
    } catch {
      // It was the descriptor of this listing.
    }
  }
}

function spawnBash(bashPath: string, plan: ChildPlan, outputFd: number): ChildProcess {
  const { args, ownership } = plan;
  const owned = ownership === null ? args : ownedByBash(ownership, bashPath, args, getPriority());
  return spawn(bashPath, owned, {
    argv0: 'bash',
    cwd: plan.cwd,
    detached: true,
    env: environmentOf(plan.env),
    stdio: [plan.stdin === null ? 'ignore' : 'pipe', outputFd, outputFd],
  });
}

function environmentOf(entries: string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
}

/** A job need not read its input: that its end is closed is no fault. */
function feed(child: ChildProcess, stdin: string | null): void {
  child.stdin?.on('error', () => {});
  if (stdin !== null) child.stdin?.end(stdin);
  child.once('exit', () => child.stdin?.destroy());
}

/** The reading end of a child's output. */
class OutputPipe implements Child {
  ended = false;
  /** From the exit on, the end is told to the listener. */
  afterExit = false;
  #reader: PipeReader | null = null;
  #abandoned = false;
  #lastReadMs = 0;
  readonly #listener: ChildListener;

  constructor(listener: ChildListener) {
    this.#listener = listener;
  }

  attach(fd: number): void {
    this.#reader = readPipe(
      fd,
      (bytes) => {
        this.#lastReadMs = performance.now();
        if (!this.#abandoned) this.#listener.output(bytes);
      },
      () => {
        this.ended = true;
        if (this.afterExit) this.#listener.outputEnded();
      },
    );
  }

  closeOutput(): void {
    this.quiet().then(() => this.#reader?.close());
  }

  abandon(): void {
    this.#abandoned = true;
    this.#reader?.close();
  }

  /** Resolves when all that is in the pipe has been read: at its end, or when nothing comes. */
  async quiet(): Promise<void> {
    const began = performance.now();
    this.#lastReadMs = began;
    while (!this.ended) {
      const now = performance.now();
      if (now - this.#lastReadMs > quietMs || now - began > quietMsMax) return;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}
