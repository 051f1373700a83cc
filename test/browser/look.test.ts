import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('a job that no node may run says why by itself, another one when it is asked', {
  skip,
}, async () => {
  await world.addJob({ name: 'nowhere', command: 'true', onLabel: ['gpu'] });
  await world.addJob({ name: 'planned', command: 'true', cron: '30 2 * * *' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/nowhere`);
  const why = page.getByRole('region', { name: 'Why not now' });
  await why.getByText('No live node may run it.').waitFor();
  await why.getByRole('row', { name: 'web1' }).getByText('the job is for on-label gpu').waitFor();

  await page.goto(`${world.origin}/#/jobs/planned`);
  await page.getByText('At 02:30 (UTC)').waitFor();
  assert.equal(await why.getByText('It runs next').count(), 0);
  await why.getByRole('button').click();
  // By the reader's clock, as everything else.
  await why.getByText(/^It runs next at .*03:30(:00)? (CET|GMT\+1)\.$/).waitFor();
  await page.reload();
  await why.getByText('It runs next').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('the timeline leads to a run by the keyboard, and its window stands in the address', {
  skip,
}, async () => {
  await world.addJob({ name: 'timed', command: 'echo of the timeline' });
  await world.run('timed', 'timed-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/timeline?text=timed`);
  await page.getByRole('combobox', { name: 'How long' }).selectOption('an hour');
  assert.match(page.url(), /#\/timeline\?text=timed&window=1h$/);
  const track = page.getByRole('button', { name: 'timed: 1 succeeded' });
  await track.focus();
  await page.keyboard.press('ArrowRight');
  await track.getByText(/^succeeded \d\d:\d\d:\d\d/).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Output' }).getByText('of the timeline').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.getByRole('button', { name: 'timed: 0 ticks to come' }).waitFor();
  assert.match(page.url(), /until=2/);
  await page.getByRole('button', { name: 'Present' }).click();
  await track.waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a node is drained and takes work again, with who kept it from it and why', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/cluster`);
  const node = page.getByRole('row', { name: 'web1' });
  await node.getByText('live', { exact: true }).waitFor();
  await node.getByRole('button', { name: 'Drain web1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why, for others to read').fill('kernel upgrade');
  await dialog.getByRole('button', { name: 'Drain the node' }).click();
  await node.getByText('cordoned', { exact: true }).waitFor();
  await node.getByText(/^kernel upgrade, by a admin/).waitFor();
  await node.getByRole('button', { name: 'Uncordon web1' }).click();
  await node.getByText('live', { exact: true }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});
