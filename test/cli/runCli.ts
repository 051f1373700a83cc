import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { programArgs } from '../support/program.ts';

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
  bytes: Buffer;
}

export interface CliOptions {
  url?: string;
  env?: Record<string, string>;
  input?: string | Buffer;
  /** Told what is printed as it is printed. */
  onOutput?: (chunk: Buffer) => void;
  /** The same of what it says on stderr. */
  onNote?: (chunk: Buffer) => void;
}

/** Runs the command line as a process of its own, with only the environment that is given. */
export async function runCli(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [...programArgs(), ...args], {
    env: cliEnvironment(options),
    stdio: 'pipe',
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    out.push(chunk);
    options.onOutput?.(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err.push(chunk);
    options.onNote?.(chunk);
  });
  child.stdin.on('error', () => undefined); // it may end without reading all of its input
  child.stdin.end(options.input ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  const bytes = Buffer.concat(out);
  return { code, bytes, stdout: bytes.toString(), stderr: Buffer.concat(err).toString() };
}

/** The JSON that a command printed. */
export async function runJsonCli<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  return readJson<T>(await runCli([...args, '--json'], options));
}

/** The same of one that has ended. */
export function readJson<T>({ code, stderr, stdout }: CliResult): T {
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** All that a command finds in its environment. */
export function cliEnvironment({ env, url }: CliOptions): Record<string, string> {
  const { PATH = '/usr/bin:/bin' } = process.env;
  return {
    PATH,
    HOME: os.tmpdir(),
    // No private database of whoever runs the tests is ever found.
    STATECRON_DATA: path.join(os.tmpdir(), 'statecron-no-such-folder'),
    ...(url === undefined ? {} : { STATECRON_DATABASE_URL: url }),
    ...env,
  };
}
