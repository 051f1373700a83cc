import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { bootClockGrainMs, bootMs } from '../lease/bootClock.ts';
import { readLease } from '../lease/leaseFile.ts';
import { readStartTicks } from '../process/procStat.ts';
import { ownedByBash } from '../request/runOwnership.ts';
import { FifoStore, OutputPipe } from './outputPipe.ts';
import type { ChildPlan, Spawner, SpawnFailure } from './spawner.ts';

/** O_CLOEXEC of Linux, which node:fs does not name. */
const closeOnExec = 0o2000000;

interface DirectOptions {
  bashPath: string;
  /** `LeaseFile.fd`; null: no lease. */
  leaseFd: number | null;
}

/** Spawns with Node's own spawn: for machines without Perl. Strays are not known this way. */
export function createDirectSpawner({ bashPath, leaseFd }: DirectOptions): Spawner {
  closeForeignFds();
  const fifos = new FifoStore();
  return {
    isLauncher: false,
    spawn(plan, listener) {
      const output = new OutputPipe(listener);
      const refuse = (stage: SpawnFailure['stage'], error: unknown) => {
        output.abandon();
        const code = codeOf(error);
        const failure = stage === 'spawn' ? spawnFailureOf(code, bashPath, cwd) : null;
        listener.failed(failure ?? { stage, code });
      };
      const homeCode = plan.isHome ? accessFault(`${plan.cwd}/.`) : null;
      const cwd = homeCode === null ? plan.cwd : '/';
      let stage: SpawnFailure['stage'] = 'nice';
      const fds: number[] = [];
      let child: ChildProcess;
      try {
        requirePriority(plan.ownership?.nice ?? null);
        stage = 'stdin';
        if (plan.stdin !== null) fds.push(fifos.openFile(plan.stdin));
        stage = 'pipe';
        const outputFd = output.open(fifos);
        fds.push(outputFd);
        stage = 'spawn';
        // Checked last. The clock is rounded down, so its grain is added.
        if (leaseFd !== null && bootMs() + bootClockGrainMs > readLease(leaseFd)) {
          output.abandon();
          listener.fenced();
          return output;
        }
        const stdin = plan.stdin === null ? 'ignore' : fds[0];
        child = spawnBash(bashPath, { ...plan, cwd }, [stdin, outputFd, outputFd]);
      } catch (error) {
        refuse(stage, error);
        return output;
      } finally {
        for (const fd of fds) closeSync(fd);
      }
      if (child.pid === undefined) {
        child.once('error', (error) => refuse('spawn', error));
        return output;
      }
      child.on('error', () => {}); // it was spawned: nothing else is done with it that could fail
      listener.spawned(child.pid, readStartTicks(child.pid));
      child.once('exit', async (exitCode, signal) => {
        const endedBootMs = bootMs();
        await output.quiet();
        output.afterExit = true;
        const { ended: outputEnded } = output;
        const known = { exitCode, signal, endedBootMs, outputEnded };
        listener.exited({ ...known, hasStrays: null, homeCode });
      });
      return output;
    },
    strays: () => Promise.resolve(null),
    killStrays: () => {},
    close: async () => fifos.close(),
  };
}

/** `nice` itself would only warn, and go on with the priority that it has. */
function requirePriority(nice: number | null): void {
  if (nice === null || nice >= getPriority() || process.getuid?.() === 0) return;
  throw Object.assign(new Error('only root may raise the priority'), { code: 'EACCES' });
}

/** Why a program cannot be executed, or a folder entered, e.g. `ENOENT`; null: it can. */
function accessFault(path: string): string | null {
  try {
    accessSync(path, constants.X_OK);
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error);

/** Node's error names neither the folder nor the program that was not found. */
function spawnFailureOf(code: string, bashPath: string, cwd: string): SpawnFailure {
  const missing = code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES';
  if (!missing) return { stage: 'spawn', code };
  const cwdFault = accessFault(`${cwd}/.`);
  if (cwdFault !== null) return { stage: 'cwd', code: cwdFault };
  const bashFault = accessFault(bashPath);
  return bashFault === null ? { stage: 'spawn', code } : { stage: 'exec', code: bashFault };
}

/**
 * Closes what this process was started with beyond 0, 1 and 2 and is not close-on-exec, as Node's
 * own are: Node keeps only the first dozen from its children.
 */
function closeForeignFds(): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd <= 2) continue;
    try {
      const info = readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1');
      const [, flags] = /^flags:\s*(\d+)$/m.exec(info) ?? [];
      if (flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0) closeSync(fd);
    } catch {
      // It was the descriptor of this listing.
    }
  }
}

function spawnBash(bashPath: string, plan: ChildPlan, stdio: StdioOptions): ChildProcess {
  const { args, ownership } = plan;
  const owned = ownership === null ? args : ownedByBash(ownership, bashPath, args, getPriority());
  return spawn(bashPath, owned, {
    argv0: 'bash',
    cwd: plan.cwd,
    detached: true,
    env: Object.fromEntries(plan.env.map((entry) => entry.split(/=(.*)/s, 2))),
    stdio,
  });
}
