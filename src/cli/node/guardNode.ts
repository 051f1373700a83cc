import { runGuardian } from '../../exec/guardian/guardian.ts';
import {
  type GivenDatabase,
  makeHandOver,
  secretsOf,
  withoutSecretFlags,
  withoutSecrets,
} from '../options/givenDatabase.ts';
import { writeNodeLog } from '../output/nodeLog.ts';

/**
 * Becomes the guardian of a node process, which runs this same program with the given arguments and
 * sees by the guardian's variable that it is the node. Loads nothing that a node needs, so that
 * the guardian stays small. How to get into the database and the mail server is taken out of both
 * and handed over by the pipe between them. Resolves to the exit code for this process.
 */
export function guardNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onFenced: 'restart' | 'exit',
  database: { given: GivenDatabase; readAgain: () => Promise<GivenDatabase | null> },
): Promise<number> {
  const [, program = ''] = process.argv;
  return runGuardian({
    command: [process.execPath, ...process.execArgv, program, ...withoutSecretFlags(args)],
    env: withoutSecrets(env),
    handOver: makeHandOver(database.given, database.readAgain, secretsOf(args, env), (error) => {
      const what = 'The database settings could not be read again; the earlier ones stay in use';
      writeNodeLog(`${what}: ${(error as Error).message}`, 'warn');
    }),
    onFenced,
    log: writeNodeLog,
  });
}
