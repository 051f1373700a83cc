import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { makeBrowserWorld } from './browserWorld.ts';

test('a job is added and edited, and what others save meanwhile is kept', { skip }, async () => {
  const world = await makeBrowserWorld(fileScope);
  const { page, troubles } = await world.open({ as: world.token });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: false }).first();
  const meaning = page.getByRole('status', { name: 'What the schedule means' });

  await page.goto(`${world.origin}/#/add`);
  await field('name').fill('report');
  await field('command').fill('echo done');
  await field('cron').fill('61 8 * * *');
  await meaning.getByText('minute').waitFor();
  await button('Add the job').click();
  await page.getByRole('alert').getByText('minute').waitFor();
  // The browser says of each refusal that it was one.
  assert.deepEqual(
    troubles.splice(0).filter((text) => !text.includes('422')),
    [],
  );
  await field('cron').fill('30 8 * * *');
  await meaning.getByText('At 08:30').waitFor();
  await button('Add the job').click();
  await page.getByRole('heading', { name: 'report' }).waitFor();

  await button('Edit').click();
  await field('description').fill('Of the day');
  // Somebody else saves before.
  const headers = { authorization: `Bearer ${world.token}`, 'if-match': '*' };
  const path = `${world.origin}/api/v1/jobs/report`;
  const body = JSON.stringify({ command: 'echo theirs' });
  const type = { 'content-type': 'application/json' };
  const theirs = await fetch(path, { method: 'PATCH', headers: { ...headers, ...type }, body });
  assert.equal(theirs.status, 200);
  await button('Save').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else has changed the job meanwhile').waitFor();
  assert.deepEqual(
    troubles.splice(0).filter((text) => !text.includes('412')),
    [],
  );
  await button('Take both; mine where both changed').click();
  await button('Save').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'report' }).waitFor();

  const saved = await fetch(path, { headers });
  const { fields, revision } = (await saved.json()) as { fields: object; revision: number };
  assert.equal(revision, 3);
  const wanted = { cron: ['30 8 * * *'], command: 'echo theirs', description: 'Of the day' };
  assert.deepEqual(fields, wanted);
  assert.deepEqual(troubles, []);
});
