import { spawn } from 'node:child_process';
import type { CommandStep } from './steps.ts';

/** How a command went. */
export interface CommandResult {
  readonly succeeded: boolean;
  readonly output: string;
  readonly ms: number;
}

const outputCharactersMax = 1024 * 1024;
const killGraceMs = 5_000;

/**
 * Runs a command in a process group of its own, which is ended as a whole when nothing comes from
 * it for `silentMs`, or when `signal` aborts.
 */
export async function runCommand(
  { command }: CommandStep,
  run: { root: string; env: NodeJS.ProcessEnv; silentMs: number; signal: AbortSignal },
): Promise<CommandResult> {
  const startedAt = performance.now();
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: run.root,
    env: run.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let killer: NodeJS.Timeout | undefined;
  const end = (why: string) => {
    output += `\n${why}\n`;
    signalGroup(child.pid, 'SIGTERM');
    killer ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), killGraceMs);
  };
  const watch = setTimeout(() => end(`nothing came for ${run.silentMs} ms`), run.silentMs);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputCharactersMax);
      watch.refresh();
    });
  }
  const aborted = () => end('interrupted');
  run.signal.addEventListener('abort', aborted);
  const exitCode = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(null);
    });
    // A grandchild may hold the pipes open for ever, so `close` is not waited for for long.
    child.once('exit', (code) => {
      const late = setTimeout(resolve, 1_000, code);
      child.once('close', () => {
        clearTimeout(late);
        resolve(code);
      });
    });
  });
  clearTimeout(watch);
  clearTimeout(killer);
  run.signal.removeEventListener('abort', aborted);
  // Whatever of it is still there, e.g. a forgotten child.
  signalGroup(child.pid, 'SIGKILL');
  return { succeeded: exitCode === 0, output, ms: performance.now() - startedAt };
}

export function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The whole group has ended.
  }
}
