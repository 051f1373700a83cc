import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('a word that is not plain says what it means where it is shown, and in the help', {
  skip,
}, async () => {
  await world.addJob({ name: 'watched', command: 'true', cron: '@daily' });
  await world.editJob('watched', { observed: true, overlap: 'queue' });
  await world.run('watched', 'by-hand');
  const { close, page, troubles } = await world.open({ as: world.token });
  const shown = async (place: string, texts: readonly string[]) => {
    await page.goto(`${world.origin}/#/${place}`);
    for (const text of texts) await page.getByTitle(text).first().waitFor();
  };
  await shown('cluster', ['those of level 1 take it', 'renews its lease', 'One life of a node']);
  await shown('jobs', ['Its ticks are recorded', 'next of the times']);
  await shown('runs', ['schedule of a job names']);
  await shown('jobs/watched', [
    'half of the last 20',
    'what happens to a tick that comes while the job runs',
  ]);
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('You are a admin: admin, all groups.').waitFor();
  await page.getByRole('dialog').getByText('Words of this page').click();
  const level = page.getByRole('dialog').getByText('those of level 1 take it');
  await level.waitFor();
  const button = page.getByRole('dialog').getByRole('button', { name: 'Close' });
  const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
  assert.ok(y > 0 && y + height <= 800, `Close is in sight: ${y}`);
  await page.goto(`${world.origin}/#/add`);
  await page.getByText('(default: default)').waitFor();
  assert.equal(await page.getByLabel('Timeout').getAttribute('placeholder'), 'e.g. 10m');
  // An example would look like the zone that counts.
  assert.equal(await page.getByLabel('timezone').getAttribute('placeholder'), 'UTC');
  assert.deepEqual(troubles, []);
  await close();
});

test('a message stays while somebody points at it, and what went wrong until it is closed', {
  skip,
}, async () => {
  await world.addJob({ name: 'told', command: 'true' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.clock.install();
  await page.goto(`${world.origin}/#/jobs/told`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Pause').click();
  await button('Pause it').click();
  const message = page.getByRole('log').getByText('told is paused.');
  await message.hover();
  await page.clock.runFor(30_000);
  assert.equal(await message.count(), 1);
  await page.getByRole('heading', { name: 'told' }).hover();
  await page.clock.runFor(11_000);
  await message.waitFor({ state: 'detached' });
  // A read under way would be given up by the jump, and made again when time passes.
  await button('Resume').waitFor();
  // From here time passes when it is told to, however long each look takes.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 60_000);
  await button('Resume').click();
  const resumed = page.getByRole('log').getByText('The schedule of told applies again.');
  await resumed.waitFor();
  await page.clock.runFor(6_500);
  assert.equal(await resumed.count(), 1, 'there is time to read it');
  await page.getByRole('log').getByRole('button', { name: 'Close' }).focus();
  await page.clock.runFor(30_000);
  assert.equal(await resumed.count(), 1);
  await page.keyboard.press('Enter');
  await resumed.waitFor({ state: 'detached' });
  assert.deepEqual(troubles, []);
  await close();
});
