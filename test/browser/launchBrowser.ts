import { type Browser, chromium } from 'playwright-core';
import type { Scope } from '../support/createDatabase.ts';
import { browserProgram } from './browserProgram.ts';

/** A machine that is busy with other things takes many times as long as one that is not. */
export const patienceMs = 90_000;

/** Starts a browser: for benches, too, which are no tests and write no report of one. */
export async function launchBrowser(scope: Scope): Promise<Browser> {
  const { executablePath = '', env = {} } = browserProgram ?? {};
  const browser = await chromium.launch({
    ...{ executablePath, env: { PATH: process.env.PATH ?? '', ...env } },
    // Its sandbox wants what containers and root do not have. It loads nothing but our page.
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  scope.after(() => browser.close());
  return browser;
}
