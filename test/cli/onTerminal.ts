import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { programArgs } from '../support/program.ts';
import { type CliResult, cliEnvironment } from './runCli.ts';

const run = promisify(execFile);

/** Why tests of what a terminal gets cannot run here; false: they can. */
export const noTerminal = hasScript()
  ? false
  : 'not run: there is no script(1) to make a terminal with';

function hasScript(): boolean {
  try {
    execFileSync('script', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What a command writes to a terminal of so many columns, whose line ends are \r\n. */
export async function onTerminal(
  args: readonly string[],
  url: string,
  columns = 80,
): Promise<string> {
  const env = cliEnvironment({ url });
  const sized = `stty cols ${columns}; ${lineOf(args)}`;
  // What it ends with is not the matter: a crontab cannot say all.
  const { stdout } = await run('script', ['-qc', sized, '/dev/null'], { env, encoding: 'latin1' });
  return stdout;
}

/** Gives a command that asks first, and answers yes. */
export async function answerYes(args: readonly string[], url: string): Promise<CliResult> {
  const env = cliEnvironment({ url });
  const script = spawn('script', ['-qec', lineOf(args), '/dev/null'], { env });
  let shown = '';
  script.stdout.on('data', (chunk: Buffer) => {
    const isAsked = shown.includes('[y/N]');
    shown += chunk;
    if (!isAsked && shown.includes('[y/N]')) script.stdin.write('y\n');
  });
  const [code] = (await once(script, 'close')) as [number | null];
  return { code, stdout: shown, stderr: '', bytes: Buffer.from(shown) };
}

/** As a shell reads it. */
function lineOf(args: readonly string[]): string {
  const program = [process.execPath, ...programArgs(), ...args];
  return program.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ');
}
