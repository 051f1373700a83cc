import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileScope } from '../support/testEngine.ts';
import type { HostedCommand, HostedResult } from './commandHost.ts';
import { type CliOptions, type CliResult, cliEnvironment, readJson, runCli } from './runCli.ts';

/**
 * Does what `runCli` does in a process that is kept for further commands: to start one costs more
 * than most commands do. What it is given to read on standard input it finds in a file.
 */
export async function askCli(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  if ((options.onOutput ?? options.onNote) !== undefined) return runCli(args, options);
  const file = options.input === undefined ? null : await writeInput(options.input);
  const host = idle.pop() ?? startHost();
  const command: HostedCommand = {
    args: file === null ? args : args.map((arg) => (arg === '-' ? file : arg)),
    env: cliEnvironment(options),
  };
  const answered = once(host, 'message') as Promise<[HostedResult]>;
  host.channel?.ref();
  host.send(command);
  const [{ code, stderr, stdout }] = await answered;
  host.channel?.unref();
  idle.push(host);
  const bytes = Buffer.from(stdout, 'base64');
  return { code, bytes, stdout: `${bytes}`, stderr: `${Buffer.from(stderr, 'base64')}` };
}

/** The JSON that a command printed. */
export async function askJsonCli<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  return readJson<T>(await askCli([...args, '--json'], options));
}

const program = fileURLToPath(new URL('./commandHost.ts', import.meta.url));
const idle: ChildProcess[] = [];

/** It ends by itself when this process does, and keeps that from ending only while it is asked. */
function startHost(): ChildProcess {
  const host = fork(program, {
    execArgv: ['--import', import.meta.resolve('tsx')],
    env: cliEnvironment({}),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  host.on('exit', (code) => host.emit('error', new Error(`a command ended its host: ${code}`)));
  host.unref();
  return host;
}

async function writeInput(input: string | Buffer): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-input-'));
  fileScope.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'input');
  await writeFile(file, input);
  return file;
}
