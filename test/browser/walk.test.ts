import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { makeBrowserWorld } from './browserWorld.ts';

test('one logs in, runs a job, reads its output as it comes, and logs out', { skip }, async () => {
  const world = await makeBrowserWorld(fileScope);
  // It goes on only when its first lines were seen, so that they can only have come live.
  const gate = `until [ -e "$TMPDIR/go" ]; do sleep 0.1; done`;
  const first = 'TMPDIR=$(mktemp -d); echo "the gate is $TMPDIR"';
  const command = `${first}; ${gate}; printf '\\033[32mgreen\\033[0m end\\n'`;
  await world.addJob({ name: 'slow one', command, description: 'It waits for a gate' });
  await world.addJob({ name: 'other', command: 'true' });
  const { page, troubles } = await world.open();

  await page.goto(world.origin);
  await page.getByLabel('Token').fill('statecron_000000000000_wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('No token is like this one').waitFor();
  // The browser says of each refusal that it was one.
  assert.deepEqual(
    troubles.splice(0).filter((text) => !text.includes('401')),
    [],
  );
  await page.getByLabel('Token').fill(world.token);
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'Now' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await page.getByRole('link', { name: 'slow one' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('slow');
  await page.getByRole('link', { name: 'other' }).waitFor({ state: 'detached' });
  assert.match(page.url(), /#\/jobs\?text=slow$/);
  await page.getByRole('link', { name: 'slow one' }).click();
  await page.getByRole('heading', { name: 'slow one' }).waitFor();
  await page.getByText('It waits for a gate').waitFor();

  await page.getByRole('button', { name: 'Run now' }).click();
  await page.getByRole('button', { name: 'Run it now' }).click();
  await page.getByRole('link', { name: 'Show the run and its output' }).click();
  const output = page.getByRole('region', { name: 'Output' });
  await output.getByText('the gate is').waitFor();
  await page.locator('.status').getByText('running', { exact: true }).waitFor();
  const folder = /the gate is (\S+)/.exec(await output.innerText())?.[1];
  const { writeFile } = await import('node:fs/promises');
  await writeFile(`${folder}/go`, '');
  await output.getByText('green').waitFor();
  await page.getByText('succeeded', { exact: true }).waitFor();
  assert.equal(await output.locator('.ansi-green').innerText(), 'green');

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').waitFor();
  await page.reload();
  await page.getByLabel('Token').waitFor();
  assert.deepEqual(troubles, []);
});
