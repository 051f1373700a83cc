import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * `parseArgs` for the commands of the tests: a flag that is wrong takes a line, the help and the
 * exit code 2, and no stack.
 */
export function readFlags<T extends ParseArgsConfig>(
  config: T,
  help: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    return refuseFlags((error as Error).message, help);
  }
}

/** Ends the process: the command line was wrong. */
export function refuseFlags(what: string, help: string): never {
  process.stderr.write(`${what}\n\n${help}\n`);
  process.exit(2);
}
