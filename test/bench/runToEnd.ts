import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program to its end, its output to stderr; resolves to the milliseconds it took. */
export async function runToEnd(program: string, args: string[], cwd?: string): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(program, args, { cwd, stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return performance.now() - startedMs;
}
