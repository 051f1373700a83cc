import type { Browser } from 'playwright-core';
import { processScope } from '../support/testEngine.ts';
import { launchBrowser } from './launchBrowser.ts';

let shared: Promise<Browser> | undefined;

/** The browser that the files of this process share: a start costs as much as some tests do. */
export async function useBrowser(): Promise<Browser> {
  shared ??= launchBrowser(processScope);
  const browser = await shared;
  browser.once('disconnected', () => {
    shared = undefined;
  });
  return browser;
}
