import { type Browser, chromium, type Page } from 'playwright-core';
import { addToken } from '../../src/store/tokens/addToken.ts';
import { patient, startNodeProcess } from '../node/nodeProcess.ts';
import type { Scope } from '../support/createDatabase.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { makeStoreWorld } from '../support/storeWorld.ts';
import { until } from '../support/until.ts';
import { findBrowser } from './findBrowser.ts';
import { jobAdder, type SampleJob } from './sampleJobs.ts';

/** A node that serves its page, and a browser to look at it. */
export interface BrowserWorld {
  readonly origin: string;
  readonly token: string;
  addJob(job: SampleJob): Promise<void>;
  /** A window that nobody has logged in with. */
  open(options?: WindowOptions): Promise<Window>;
}

interface WindowOptions {
  readonly colours?: 'light' | 'dark';
  readonly width?: number;
  /** Logs in by the cookie, as the way in is another test's. */
  readonly as?: string;
}

export interface Window {
  readonly page: Page;
  /**
   * What no window may have: errors on the console, among them all that the policy forbids, and
   * requests to anywhere else. What a test brings about on purpose it takes out.
   */
  readonly troubles: string[];
}

const height = 800;

export async function makeBrowserWorld(context: Scope): Promise<BrowserWorld> {
  const scope = lastFirst(context);
  const world = await makeStoreWorld(scope, 'mariadb');
  const request = { name: 'reader', role: 'admin', groups: null, expiresMs: null } as const;
  const { secret } = await addToken(world.channel, request);
  const token = secret ?? '';
  const node = startNodeProcess(scope, world, 'web1', ['--http', '0', ...patient]);
  const listens = () => /the API listens on (http:\S+?)["\s]/.exec(node.log())?.[1];
  const origin = await until('the address of the page', listens, 120_000);
  await node.session();
  const browser = await launch(scope);
  return {
    ...{ origin, token },
    addJob: jobAdder(origin, token),
    open: (options = {}) => openWindow(scope, browser, origin, options),
  };
}

async function launch(scope: Scope): Promise<Browser> {
  const executablePath = findBrowser() ?? '';
  // Its sandbox wants what containers and root do not have. It loads nothing but our page.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  scope.after(() => browser.close());
  return browser;
}

async function openWindow(
  scope: Scope,
  browser: Browser,
  origin: string,
  { as, colours = 'light', width = 1_280 }: WindowOptions,
): Promise<Window> {
  const viewport = { width, height };
  const context = await browser.newContext({
    ...{ viewport, colorScheme: colours, timezoneId: 'Europe/Berlin', locale: 'en-GB' },
  });
  scope.after(() => context.close());
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) troubles.push(`request to ${request.url()}`);
  });
  if (as !== undefined) {
    const data = { token: as };
    await context.request.post(`${origin}/api/v1/login`, { data, headers: { origin } });
    await page.addInitScript("localStorage.setItem('statecron.login', 'yes')");
  }
  return { page, troubles };
}
