import { fileURLToPath } from 'node:url';

/** Names the built program that a whole test run uses, for it starts in a third of the time. */
export const programVariable = 'STATECRON_TEST_PROGRAM';

const sources = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** The arguments of node that start `statecron`: as it was built, or its sources by tsx. */
export function programArgs(): string[] {
  const built = process.env[programVariable];
  if (built !== undefined && built !== '') return [built];
  return ['--import', import.meta.resolve('tsx'), sources];
}
