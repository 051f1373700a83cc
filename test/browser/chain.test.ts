import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { makeBrowserWorld } from './browserWorld.ts';
import { checkScreen, looks } from './checkScreen.ts';

test('a job shows what starts it and what it starts as a tree, with last results and links', {
  skip,
}, async () => {
  const world = await makeBrowserWorld(fileScope);
  await world.addJob({ name: 'fetch', command: 'true' });
  await world.addJob({ name: 'clean', command: 'exit 3', after: ['fetch'] });
  await world.addJob({ name: 'check', command: 'true', after: ['fetch:failure', 'clean:end'] });
  await world.addJob({ name: 'load', command: 'true', after: ['clean:failure', 'check:failure'] });
  for (let each = 0; each < 12; each += 1) {
    await world.addJob({ name: `export ${each}`, command: 'true', after: ['load:failure'] });
  }
  await world.run('fetch', 'fetch-run');
  await until('the end of the chain', async () => {
    const { items } = await world.read<{ items: { lastResult: string }[] }>('jobs?name=load');
    return items[0]?.lastResult === 'succeeded';
  });
  const screen = {
    ...{ name: 'job of a chain', path: 'jobs/load' },
    ready: (page: Page) => page.getByText('… 2 more').waitFor(),
  };
  for (const look of looks) await checkScreen(world, { screen, state: 'data', look });

  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/load`);
  const chain = page.getByRole('region', { name: 'Chain' });
  const [startedBy, starts] = [chain.getByRole('list').nth(0), chain.locator('h3 + ul').nth(1)];
  const line = (job: string) => startedBy.getByRole('listitem').filter({ hasText: job });
  await line('clean').first().getByText('on failure').first().waitFor();
  await line('clean').getByRole('listitem').getByText('fetch').first().waitFor();
  await line('check').first().getByText('on any end').waitFor();
  assert.equal(await starts.getByRole('listitem').count(), 11);
  await starts.getByText('no run yet').first().waitFor();
  await line('clean').getByRole('link', { name: 'failed' }).first().click();
  await page.waitForURL(/#\/runs\/\d+$/);
  await page.getByRole('link', { name: 'clean' }).first().waitFor();
  await page.goBack();
  await chain.getByRole('link', { name: 'export 0' }).click();
  await page.getByRole('heading', { name: 'export 0' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();

  const late = await world.open({ as: world.token });
  const answers: (() => void)[] = [];
  await late.page.route('**/jobs/load/chain', async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    await route.continue();
  });
  await late.page.goto(`${world.origin}/#/jobs/load`);
  const revisions = late.page.getByRole('heading', { name: 'Revisions' });
  const top = async () => (await revisions.isVisible()) && (await revisions.boundingBox())?.y;
  await late.page.getByRole('region', { name: 'Next ticks' }).getByText('None: it').waitFor();
  const before = await top();
  for (const answer of answers) answer();
  await late.page.getByRole('region', { name: 'Chain' }).waitFor();
  await revisions.waitFor();
  assert.ok(before === false || before === (await top()), 'nothing moves when the chain is there');
  await late.close();

  await world.addJob({ name: 'alone', command: 'true' });
  const other = await world.open({ as: world.token });
  await other.page.goto(`${world.origin}/#/jobs/alone`);
  await other.page.getByText('The job was added.').waitFor();
  assert.equal(await other.page.getByRole('region', { name: 'Chain' }).count(), 0);
  await other.close();
});
