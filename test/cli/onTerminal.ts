import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cliEnvironment } from './runCli.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
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
  const program = [process.execPath, '--import', import.meta.resolve('tsx'), main, ...args];
  const line = program.map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`).join(' ');
  const env = cliEnvironment({ url });
  const sized = `stty cols ${columns}; ${line}`;
  // What it ends with is not the matter: a crontab cannot say all.
  const { stdout } = await run('script', ['-qc', sized, '/dev/null'], { env, encoding: 'latin1' });
  return stdout;
}
