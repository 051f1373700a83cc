import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { addManyJobs } from '../support/manyJobs.ts';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
  await addManyJobs(world.store, 600);
});

test('Back to a list of jobs leads to the row that one left, however far down', {
  skip,
}, async () => {
  for (const [width, rowPixels] of [
    [1_280, 24],
    [360, 76],
  ] as const) {
    const { close, page, troubles } = await world.open({ as: world.token, width });
    await page.goto(`${world.origin}/#/jobs`);
    const row = page.getByRole('link', { name: 'job-000305', exact: true });
    await until('the row far down', async () => {
      // Further than has been read it does not go.
      await page.evaluate(`scrollTo(0, ${310 * rowPixels})`);
      return (await row.count()) === 1;
    });
    await leadsBack(page, row);
    // Another way there is not the way back.
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('link', { name: 'first-of-0', exact: true }).waitFor();
    assert.equal(await page.evaluate('scrollY'), 0);
    await page.evaluate('scrollTo(0, 600)');
    await until('its note', async () => (await page.evaluate('history.state.top')) === 600);
    await page.reload();
    await until('the place before', async () => (await page.evaluate('scrollY')) === 600);
    assert.deepEqual(troubles, []);
    await close();
  }
});

test('older runs are shown below the ones that are there, also when one comes back', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/runs`);
  const rows = page.locator('tbody tr');
  const more = page.getByRole('button', { name: 'Show older runs' });
  for (const count of [100, 200]) {
    await rows.nth(count - 1).waitFor();
    await more.scrollIntoViewIfNeeded();
    const seen = await page.evaluate('scrollY');
    await more.click();
    await rows.nth(count).waitFor();
    assert.equal(await page.evaluate('scrollY'), seen);
  }
  await leadsBack(page, rows.nth(250).locator('[data-row]'));
  assert.deepEqual(troubles, []);
  await close();
});

/** Goes where the link leads, and back: then it stands where it stood. */
async function leadsBack(page: Page, link: Locator): Promise<void> {
  await link.scrollIntoViewIfNeeded();
  const topOf = async () => Math.round((await link.boundingBox())?.y ?? Number.NaN);
  const top = await topOf();
  await link.click();
  await link.waitFor({ state: 'detached' });
  await until('the top of what it leads to', async () => (await page.evaluate('scrollY')) === 0);
  await page.goBack();
  await link.waitFor();
  await until('its place', async () => (await topOf()) === top);
}
