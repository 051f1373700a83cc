import type { Page } from 'playwright-core';

/** A screen with something in it, as the tests of all screens open it. */
export interface ScreenCase {
  readonly name: string;
  /** Behind `#/`. */
  readonly path: string;
  /** Waits until it shows what it has. */
  ready(page: Page): Promise<unknown>;
  /** It is what somebody sees who has not logged in. */
  readonly isOpen?: boolean;
}

/** Every screen of `src/page/screens.ts`, and the way in. `sample` has one run, which failed. */
export const screenTable: readonly ScreenCase[] = [
  {
    ...{ name: 'login', path: '', isOpen: true },
    ready: (page) => page.getByLabel('Token').waitFor(),
  },
  {
    ...{ name: 'now', path: '' },
    ready: (page) => page.getByRole('link', { name: 'sample' }).first().waitFor(),
  },
  {
    ...{ name: 'jobs', path: 'jobs' },
    ready: (page) =>
      page.getByRole('row', { name: 'sample' }).getByText('failed', { exact: true }).waitFor(),
  },
  {
    ...{ name: 'jobs, none of which matches', path: 'jobs?text=nothing' },
    ready: (page) => page.getByText('No job matches').waitFor(),
  },
  {
    ...{ name: 'job', path: 'jobs/sample' },
    ready: (page) => page.getByRole('cell', { name: 'exit code 3' }).waitFor(),
  },
  {
    ...{ name: 'job that was removed', path: 'jobs/gone' },
    ready: (page) => page.getByText('There is no job of this name').waitFor(),
  },
  {
    ...{ name: 'run', path: 'runs/sample-run' },
    ready: (page) => page.getByText('a line of the sample').waitFor(),
  },
];
