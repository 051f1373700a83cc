import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('a run that failed is run again with another variable, which the job does not get', {
  skip,
}, async () => {
  const command = 'echo "to $TARGET"; test "$TARGET" = b';
  await world.addJob({ name: 'backup', command });
  await world.editJob('backup', { env: { TARGET: 'a' } });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/backup`);
  await page.getByRole('button', { name: 'Run now' }).click();
  const act = page.getByRole('button', { name: 'Run it now' });
  await act.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Show the run and its output' }).click();
  await page.getByText('failed', { exact: true }).waitFor();
  await page.getByText('to a', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Retry' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Variables for this run alone');
  await field.fill('TARGET b');
  await dialog.getByRole('button', { name: 'Run it again' }).click();
  await dialog.getByRole('alert').getByText('“TARGET b” is no variable').waitFor();
  assert.equal(await field.inputValue(), 'TARGET b');
  await field.fill('TARGET=b');
  await dialog.getByRole('button', { name: 'Run it again' }).click();
  await page.getByRole('link', { name: 'Show the new run' }).click();
  await page.getByText('to b', { exact: true }).waitFor();
  await page.getByText('succeeded', { exact: true }).waitFor();
  const { fields } = await world.read<{ fields: { env: object } }>('jobs/backup');
  assert.deepEqual(fields.env, { TARGET: 'a' });
  assert.deepEqual(troubles, []);
  await close();
});

test('times are shown in any zone that the reader chooses, and stay so', { skip }, async () => {
  await world.addJob({ name: 'nightly', command: 'true', cron: '30 3 * * *' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/nightly`);
  await page.getByLabel('Times in').selectOption('Asia/Tokyo');
  const ticks = page.getByRole('region', { name: 'Next ticks' });
  await ticks.getByRole('columnheader', { name: 'Asia/Tokyo (yours)' }).waitFor();
  assert.match(await ticks.innerText(), /12:30:00 GMT\+9/);
  await page.reload();
  await ticks.getByRole('columnheader', { name: 'Asia/Tokyo (yours)' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('what runs is stopped where the job is, and who changed the job stands there', {
  skip,
}, async () => {
  await world.addJob({ name: 'long', command: 'sleep 600' });
  await world.run('long', 'long-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/long`);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByText('are ended').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the run' }).click();
  await page.getByRole('cell', { name: 'stopped', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  const added = page.getByRole('region', { name: 'Revisions' }).getByText(/^by \S/);
  await added.waitFor();
  assert.deepEqual(troubles, []);
  await close();
});
