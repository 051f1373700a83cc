import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { makeGate } from '../support/makeGate.ts';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
});

test('the name is painted before the scripts load, the screen loads while the login is checked', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const sendCode = await hold(page, '**/assets/page-*.js');
  const sendCaller = await hold(page, '**/api/v1/caller');
  await page.goto(`${world.origin}/#/jobs`, { waitUntil: 'commit' });
  await page.locator('.rail .brand', { hasText: 'statecron' }).waitFor();
  const screen = page.waitForRequest(/\/assets\/jobsScreen-/);
  sendCode();
  await screen;
  assert.equal(await page.getByRole('navigation').count(), 0);
  sendCaller();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  assert.equal(await page.locator('.rail').count(), 1);
  assert.deepEqual(troubles, []);
  await close();
});

/** Requests to the URL wait until the function that is returned is called. */
async function hold(page: Page, url: string): Promise<() => void> {
  const { open, passed } = makeGate();
  await page.route(url, async (route) => {
    await passed;
    await route.continue();
  });
  return open;
}
