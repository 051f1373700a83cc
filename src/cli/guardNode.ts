import { runGuardian } from '../exec/guardian.ts';
import { printNote } from './print.ts';

/**
 * Becomes the guardian of a node process, which runs this same program with the given arguments and
 * is told by the guardian's variable that it is the node. Loads nothing that a node needs, so that
 * the guardian stays small. Resolves to the exit code for this process.
 */
export function guardNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onFenced: 'restart' | 'exit',
): Promise<number> {
  const [, program = ''] = process.argv;
  return runGuardian({
    command: [process.execPath, ...process.execArgv, program, ...args],
    env,
    onFenced,
    log: printNote,
  });
}
