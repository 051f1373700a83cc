import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../support/createDatabase.ts';
import type { HostedCommand, HostedResult } from './commandHost.ts';
import type { CliResult } from './runCli.ts';
import type { Reach } from './ways.ts';

const host = fileURLToPath(new URL('./commandHost.ts', import.meta.url));
const tsx = import.meta.resolve('tsx');

/** Runs many command lines in one process, one after the other: starting costs most. */
export function hostCommands(
  scope: Scope,
  reach: Reach,
): (args: readonly string[]) => Promise<CliResult> {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const STATECRON_DATA = path.join(os.tmpdir(), 'statecron-no-such-folder');
  const child = spawn(process.execPath, ['--import', tsx, host], {
    env: { PATH, HOME: os.tmpdir(), STATECRON_DATA },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  scope.after(async () => {
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { url } = reach;
  const env = { ...(url === undefined ? {} : { STATECRON_DATABASE_URL: url }), ...reach.env };
  return async (args) => {
    const command: HostedCommand = { args, env };
    child.stdin.write(`${JSON.stringify(command)}\n`);
    const { value, done } = await answers.next();
    if (done === true) throw new Error(`it ended instead of answering: ${args.join(' ')}`);
    const { code, ...streams } = JSON.parse(value) as HostedResult;
    const bytes = Buffer.from(streams.stdout, 'base64');
    const stderr = Buffer.from(streams.stderr, 'base64').toString();
    return { code, bytes, stdout: bytes.toString(), stderr };
  };
}
