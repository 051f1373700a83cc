/** `short` in `npm test`, `long` in `npm run test:all`; a file that is run by hand has neither. */
export const partVariable = 'STATECRON_TEST_PART';

/**
 * Whether a test is defined in this run, of a file that both runs have (`twoParts` of
 * test/runner/steps.ts): `npm test` takes one variant of what it shows, `test:all` the others.
 */
export function isRunNow(part: 'short' | 'long'): boolean {
  const wanted = process.env[partVariable] ?? '';
  return wanted === '' || wanted === part;
}
