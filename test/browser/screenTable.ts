import path from 'node:path';
import { pathToFileURL } from 'node:url';
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
  /** It reads nothing when it is opened, so that nothing can be empty or fail. */
  readonly readsNothing?: boolean;
}

/** What a viewer is told instead. */
const isForOperators = 'This needs the role operator; your token has the role viewer.';
const isForAdmins = 'This needs the role admin; your token has the role viewer.';

/** What the screens show that can be told apart from what they show while they load. */
const cases: readonly ScreenCase[] = [
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
    ...{ name: 'jobs, one of which is selected', path: 'jobs?text=sample' },
    ready: async (page) => {
      await page.getByRole('checkbox', { name: 'Select sample' }).check();
      await page.getByRole('toolbar', { name: 'Selected jobs' }).waitFor();
    },
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
    ...{ name: 'job, with why it does not run', path: 'jobs/sample?why=open' },
    ready: (page) => page.getByText('checks passed').waitFor(),
  },
  {
    ...{ name: 'job that was removed', path: 'jobs/gone' },
    ready: (page) => page.getByText('There is no job of this name').waitFor(),
  },
  {
    ...{ name: 'runs', path: 'runs' },
    ready: (page) =>
      page.getByRole('row', { name: 'sample' }).getByText('exit code 3').first().waitFor(),
  },
  {
    ...{ name: 'runs, none of which matches', path: 'runs?job=nothing' },
    ready: (page) => page.getByText('No run matches').waitFor(),
  },
  {
    ...{ name: 'timeline', path: 'timeline' },
    ready: (page) => page.getByRole('button', { name: 'sample: 1 failed' }).waitFor(),
  },
  {
    ...{
      name: 'timeline, an hour that is long over',
      path: 'timeline?window=1h&until=2026-01-01T00:00:00Z',
    },
    ready: (page) => page.getByRole('button', { name: 'sample: 0 ticks to come' }).waitFor(),
  },
  {
    ...{ name: 'upcoming', path: 'upcoming?within=30d' },
    ready: (page) => page.getByRole('link', { name: 'half-monthly' }).waitFor(),
  },
  {
    ...{ name: 'cluster', path: 'cluster' },
    ready: (page) => page.getByRole('row', { name: 'web1' }).getByText('live').waitFor(),
  },
  {
    ...{ name: 'cluster, no node of which matches', path: 'cluster?text=nothing' },
    ready: (page) => page.getByText('No node matches').waitFor(),
  },
  {
    ...{ name: 'groups', path: 'groups?jobs=web' },
    ready: (page) =>
      page.getByRole('row', { name: 'web' }).getByText('1 of 2 nodes live').waitFor(),
  },
  {
    ...{ name: 'limits', path: 'limits' },
    ready: (page) => page.getByRole('row', { name: 'shop' }).getByText('0 of 3').waitFor(),
  },
  {
    ...{ name: 'notifications', path: 'notifications' },
    ready: async (page) => {
      await page.getByRole('row', { name: 'shop' }).getByText('new disk').waitFor();
      await page
        .getByRole('row', { name: 'ops' })
        .or(page.getByText(isForAdmins).filter({ visible: true }))
        .first()
        .waitFor();
    },
  },
  {
    ...{ name: 'machines', path: 'machines' },
    ready: (page) => page.getByRole('row', { name: 'scheduler' }).waitFor(),
  },
  {
    ...{ name: 'machines, one of them', path: 'machines?machine=slot' },
    ready: (page) => page.getByText('No slot is held').waitFor(),
  },
  {
    ...{ name: 'machines, the lifecycle', path: 'machines?machine=lifecycle' },
    ready: (page) => page.getByRole('row', { name: 'web1' }).waitFor(),
  },
  {
    ...{ name: 'plan', path: 'plan', readsNothing: true },
    ready: async (page) => {
      const jobs = `{ sample: { cron: '@daily', command: true } }`;
      await page.getByLabel('A file of jobs').fill(`group: shop\njobs: ${jobs}`);
      await page.getByRole('button', { name: 'Show the plan' }).click();
      await page.getByText('Jobs that would be: 1 changed').waitFor();
    },
  },
  {
    ...{ name: 'verify', path: 'verify', readsNothing: true },
    ready: (page) => page.getByText('No tick was started twice').waitFor(),
  },
  {
    ...{ name: 'verify, with findings', path: 'verify?run=yes' },
    ready: (page) => page.getByText(/^The history is wrong/).waitFor(),
  },
  {
    ...{ name: 'verify, which finds nothing', path: 'verify?run=yes&job=sample' },
    ready: (page) => page.getByText('Nothing is wrong').waitFor(),
  },
  {
    ...{ name: 'audit', path: 'audit' },
    ready: (page) =>
      page
        .getByRole('button', { name: 'job added' })
        .or(page.getByText(isForAdmins).filter({ visible: true }))
        .first()
        .waitFor(),
  },
  {
    ...{ name: 'audit, nothing of which matches', path: 'audit?target=nothing' },
    ready: (page) => page.getByText('No change matches').or(page.getByText(isForAdmins)).waitFor(),
  },
  {
    ...{ name: 'tokens', path: 'tokens' },
    ready: (page) =>
      page.getByRole('row', { name: 'a viewer' }).or(page.getByText(isForAdmins)).waitFor(),
  },
  {
    ...{ name: 'add', path: 'add', readsNothing: true },
    ready: (page) => page.getByLabel('command').or(page.getByText(isForOperators)).waitFor(),
  },
  {
    ...{ name: 'edit', path: 'jobs/sample/edit' },
    ready: (page) => page.getByText('Only when a run is requested').waitFor(),
  },
  {
    ...{ name: 'run', path: 'runs/sample-run' },
    ready: (page) => page.locator('pre').getByText('a line of the sample').waitFor(),
  },
  {
    ...{ name: 'run, with the state of its slot', path: 'runs/sample-run?moment=1' },
    ready: async (page) => {
      await page.getByText('State of the slot').click();
      await page.locator('.chart .annotation').first().waitFor();
    },
  },
];

/** What stands for the names in a path: `sample` is a job with one run, which failed. */
const examples: Readonly<Record<string, string>> = { ':job': 'sample', ':run': 'sample-run' };

/** Every screen of `src/page/screens.ts`, and the way in. */
export const screenTable: readonly ScreenCase[] = [...cases, ...(await otherScreens())];

/** Screens that have no row above: they are ready when nothing is loading. */
async function otherScreens(): Promise<ScreenCase[]> {
  const file = path.resolve(import.meta.dirname, '../../src/page/screens.ts');
  const { screens } = (await import(pathToFileURL(file).href)) as {
    screens: readonly { readonly path: readonly string[]; readonly title: string }[];
  };
  const known = new Set(cases.map((one) => one.path));
  return screens.flatMap(({ path: parts, title }) => {
    const place = parts.map((part) => (part.startsWith(':') ? exampleOf(part) : part)).join('/');
    return known.has(place) ? [] : [{ name: title, path: place, ready: settled }];
  });
}

function exampleOf(name: string): string {
  const example = examples[name];
  if (example === undefined) throw new Error(`test/browser/screenTable.ts has no ${name}`);
  return example;
}

/** Waits until a screen shows what it has, whatever that is. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main .screen, main .empty, main .box, .login').first().waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}
