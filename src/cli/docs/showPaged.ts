import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeOut } from '../output/print.ts';

/**
 * Shows a long text: on a terminal by `$PAGER`, or by less, which ends at once where the text fits
 * the screen; elsewhere, and where there is no such program, as it is.
 */
export async function showPaged(text: string): Promise<void> {
  const pager = process.env.PAGER ?? 'less';
  if (process.stdout.isTTY !== true || pager === '' || pager === 'cat') return writeOut(text);
  const env = { LESS: 'FRX', ...process.env };
  const child = spawn('sh', ['-c', pager], { env, stdio: ['pipe', 'inherit', 'inherit'] });
  // Whoever ends the pager has seen enough.
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === notFound || code === notExecutable) await writeOut(text);
}

/** How a shell ends when the program of its command is not there, or is none. */
const notFound = 127;
const notExecutable = 126;
