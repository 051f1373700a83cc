import type { Engine } from './startTestServer.ts';

/** `short` in `npm test`, `long` in `npm run test:all`, else `whole`, as when run by hand. */
export const partVariable = 'STATECRON_TEST_PART';
export type Part = 'short' | 'long' | 'whole';

/**
 * The engines that a run tries what every engine is to do on: `npm test` takes MariaDB, `test:all`
 * takes MySQL, and a file or a folder that is run by its name takes both.
 */
export function enginesNow(): readonly Engine[] {
  const part = partNow();
  if (part === 'short') return ['mariadb'];
  return part === 'long' ? ['mysql'] : ['mariadb', 'mysql'];
}

/** Whether it is a run of many files, which tries a part of what a file run by its name does. */
export function isPart(): boolean {
  return partNow() !== 'whole';
}

function partNow(): string {
  return process.env[partVariable] ?? 'whole';
}
