import type { Browser, Page } from 'playwright-core';
import { addToken } from '../../src/store/tokens/addToken.ts';
import { type NodeProcess, patient, startNodeProcess } from '../node/nodeProcess.ts';
import { originOf } from '../node/originOf.ts';
import type { Scope } from '../support/createDatabase.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { makeStoreWorld, makeStoreWorldAt, type StoreWorld } from '../support/storeWorld.ts';
import { type Client, makeClient } from './client.ts';
import { patienceMs } from './launchBrowser.ts';
import { logIn } from './logIn.ts';
import { type Spoiled, spoilAnswers } from './spoilAnswers.ts';
import { useBrowser } from './useBrowser.ts';

/** A node that serves its page, and a browser to look at it. */
export interface BrowserWorld extends Client {
  readonly origin: string;
  /** An administrator's. */
  readonly token: string;
  /** The token that each state of a screen is looked at with. */
  readonly tokens: Readonly<Record<'data' | 'empty' | 'failing' | 'viewer', string>>;
  readonly store: StoreWorld;
  readonly node: NodeProcess;
  /** A window that nobody has logged in with. */
  open(options?: WindowOptions): Promise<Window>;
}

interface WindowOptions {
  /** Where it looks at the page; absent: at the node itself. */
  readonly origin?: string;
  readonly colours?: 'light' | 'dark';
  readonly width?: number;
  /** Logs in by the cookie, as the way in is another test's. */
  readonly as?: string;
  /** What it is answered instead of what the node says. */
  readonly answers?: Spoiled;
}

export interface Window {
  readonly page: Page;
  /**
   * What no window may have: errors on the console, among them all that the policy forbids, and
   * requests to anywhere else. What a test brings about on purpose it takes out.
   */
  readonly troubles: string[];
  close(): Promise<void>;
}

const height = 800;

/**
 * @param url of a database of its own; without it, one of the server that all tests share
 * @param flags of its node
 */
export async function makeBrowserWorld(
  context: Scope,
  url?: string,
  flags: readonly string[] = [],
): Promise<BrowserWorld> {
  const scope = lastFirst(context);
  const store = await (url === undefined
    ? makeStoreWorld(scope, 'mariadb')
    : makeStoreWorldAt(scope, url));
  const tokenOf = async (role: 'admin' | 'viewer') => {
    const request = { name: `a ${role}`, role, groups: null, expiresMs: null } as const;
    return (await addToken(store.channel, request)).secret ?? '';
  };
  const [token, viewer] = [await tokenOf('admin'), await tokenOf('viewer')];
  const node = startNodeProcess(scope, store, 'web1', ['--http', '0', ...patient, ...flags]);
  const origin = await originOf(node);
  await node.session();
  const browser = await useBrowser();
  return {
    ...{ origin, token, store, node },
    tokens: { data: token, empty: token, failing: token, viewer },
    ...makeClient(origin, token),
    open: (options = {}) => openWindow(scope, browser, options.origin ?? origin, options),
  };
}

async function openWindow(
  scope: Scope,
  browser: Browser,
  origin: string,
  { answers, as, colours = 'light', width = 1_280 }: WindowOptions,
): Promise<Window> {
  const viewport = { width, height };
  const context = await browser.newContext({
    ...{ viewport, colorScheme: colours, timezoneId: 'Europe/Berlin', locale: 'en-GB' },
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    // What a screen reads again just now is answered by nobody any more.
    closed ??= context.unrouteAll({ behavior: 'ignoreErrors' }).then(() => context.close());
    return closed;
  };
  scope.after(close);
  context.setDefaultTimeout(patienceMs);
  if (as !== undefined) await logIn(context, origin, as);
  if (answers !== undefined) await spoilAnswers(context, origin, answers);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    // Whether what was typed may be dropped.
    if (dialog.type() === 'beforeunload') return dialog.accept();
    troubles.push(`dialog: ${dialog.message()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) troubles.push(`request to ${request.url()}`);
  });
  return { page, troubles, close };
}
