import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeGate } from '../support/makeGate.ts';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
  for (const name of ['many a', 'many b', 'many c']) await world.addJob({ name, command: 'true' });
});

test('jobs are selected, paused and resumed by the keyboard alone', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs?text=many`);
  const dialog = page.getByRole('dialog');
  const row = (name: string) => page.getByRole('row', { name });
  await row('many a').waitFor();
  for (const key of ['j', 'x', 'j', 'j', 'x', 'b']) await page.keyboard.press(key);
  const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
  await bar.getByText('2 jobs', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByRole('heading', { name: 'Pause 2 jobs?' }).waitFor();
  assert.deepEqual(await dialog.getByRole('listitem').allTextContents(), ['many a', 'many c']);
  await dialog.getByRole('button', { name: 'Pause 2 jobs' }).press('Enter');
  await page.getByText('2 jobs are paused.').waitFor();
  await bar.waitFor({ state: 'detached' });
  for (const name of ['many a', 'many c']) {
    await row(name).getByText('paused', { exact: true }).first().waitFor();
  }
  assert.equal(await row('many b').getByText('paused', { exact: true }).count(), 0);

  // Of all that match, only those that are paused can be resumed.
  await page.getByRole('checkbox', { name: 'Select all jobs that match' }).check();
  await bar.getByRole('button', { name: 'Resume' }).click();
  await dialog.getByText('1 other job is not paused.').waitFor();
  await dialog.getByRole('button', { name: 'Resume 2 jobs' }).click();
  await page.getByText('2 jobs are resumed.').waitFor();
  assert.equal(await page.getByText('2 jobs are paused.').count(), 0);
  assert.deepEqual(troubles, []);
  await close();
});

test('of all that match one is left out, and Escape selects none', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const dialog = page.getByRole('dialog');
  await page.goto(`${world.origin}/#/jobs?text=many`);
  await page.getByRole('checkbox', { name: 'Select all jobs that match' }).check();
  const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
  await bar.getByText('All 3 jobs that match').waitFor();
  await bar.getByRole('button', { name: 'Mute' }).click();
  await dialog.getByRole('heading', { name: 'Mute the alerts of 3 jobs' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('checkbox', { name: 'Select many b' }).uncheck();
  await bar.getByText('2 jobs', { exact: true }).waitFor();
  for (const name of ['many a', 'many c']) {
    assert.ok(await page.getByRole('checkbox', { name: `Select ${name}` }).isChecked());
  }
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  assert.deepEqual(troubles, []);
  await close();
});

test('the list of jobs waits for what stands above it', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const isSeen = makeGate();
  await page.route('**/api/v1/cluster*', async (route) => {
    await isSeen.passed;
    await route.continue();
  });
  const listed = page.waitForResponse(/\/api\/v1\/jobs\?/);
  await page.goto(`${world.origin}/#/jobs?text=many`);
  await listed;
  await page.waitForTimeout(500);
  assert.equal(await page.getByRole('row').count(), 0);
  isSeen.open();
  await page.getByRole('row', { name: 'many a' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('when other jobs match than were seen, none is removed, and it is said', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs?text=many`);
  await page.getByRole('checkbox', { name: 'Select all jobs that match' }).check();
  const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
  await bar.getByRole('button', { name: 'Remove' }).click();
  const act = page.getByRole('dialog').getByRole('button', { name: 'Remove 3 jobs' });
  await act.waitFor();
  await world.addJob({ name: 'many d', command: 'true' });
  await act.click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByRole('alert')
    .getByText(/4 jobs match, not 3/)
    .waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const { items } = await world.read<{ items: readonly unknown[] }>('jobs?text=many');
  assert.equal(items.length, 4);

  // By what changes by itself, too.
  await page.goto(`${world.origin}/#/jobs?text=many&state=idle`);
  await page.getByRole('row', { name: 'many d' }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all jobs that match' }).check();
  await bar.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove 4 jobs' }).click();
  await page.getByText('4 jobs are removed.').waitFor();
  await page.getByText('No job matches').waitFor();
  assert.deepEqual(
    troubles.filter((text) => !/status of 409/.test(text)),
    [],
  );
  await close();
});
