import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { commandPieces } from '../../src/page/links/commandPieces.ts';
import { makeGate } from '../support/makeGate.ts';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('where a text names a command, the page has its own way', () => {
  const places = (text: string) =>
    commandPieces(text).map((piece) => (typeof piece === 'string' ? piece : piece.path.join('/')));
  assert.deepEqual(places('2 notifications to ops given up; see: statecron notify log ops'), [
    '2 notifications to ops given up. ',
    'notifications',
  ]);
  assert.deepEqual(places("statecron runs --job 'a b'; statecron job show 'it'\\''s' --json"), [
    'runs',
    '; ',
    "jobs/it's",
  ]);
  assert.deepEqual(places('See the jobs that there are: statecron job list'), [
    'See the jobs that there are: ',
    'jobs',
  ]);
  assert.deepEqual(places('see: statecron job list --state paused'), [
    'see: statecron job list --state paused',
  ]);
  assert.deepEqual(places('statecron cluster (it warns); statecron doctor'), [
    'cluster',
    ' (it warns); statecron doctor',
  ]);
});

test('a job that is paused is resumed where it says what helps', { skip }, async () => {
  await world.addJob({ name: 'rests', command: 'true' });
  await world.change('POST', 'jobs/rests/pause', 200, {});
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/rests`);
  const why = page.getByRole('region', { name: 'Why not now' });
  await why.getByRole('button', { name: 'Resume it' }).click();
  await page.getByRole('log').getByText('The schedule of rests applies again.').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a run says who requested it and who stopped it', { skip }, async () => {
  await world.addJob({ name: 'long', command: 'sleep 600' });
  await world.run('long', 'long-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/runs/long-run`);
  await page.getByText('running', { exact: true }).and(page.locator('.steps *')).waitFor();
  const by = page.getByText('a request of a admin', { exact: true });
  await by.waitFor();
  // As of a request that had waited for a node.
  await world.store.rows(`UPDATE audit_log SET happened_at = happened_at - INTERVAL 5 MINUTE
    WHERE action = 'job.run'`);
  await page.reload();
  await by.waitFor();
  await world.change('POST', 'runs/long-run/stop', 200, {});
  const stopped = page.locator('.fact', { hasText: 'stopped by' });
  await stopped.getByText('a admin', { exact: true }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a change of a job is told in the words and spans that its fields are given in', {
  skip,
}, async () => {
  await world.addJob({ name: 'slow', command: 'true' });
  await world.editJob('slow', { timeout: '10m', retries: 2, retryDelay: '1m' });
  await world.change('POST', 'jobs/slow/pause', 200, { until: '2099-01-31T09:30:00Z' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/audit?target=slow`);
  const row = (action: string) => page.getByRole('listitem').filter({ hasText: action });
  await row('job edited').getByText('3 values').click();
  await row('job edited').getByRole('definition').nth(2).waitFor();
  const edit = await row('job edited').getByRole('group').locator('dl').innerText();
  const before = 'none';
  assert.deepEqual(edit.split(/\s*\n\s*/), [
    ...['retries', before, '2'],
    ...['retry delay', before, '1m'],
    ...['timeout', before, '10m'],
  ]);
  await row('job paused').getByText('2 values').click();
  await row('job paused').getByText('Sat, 31 Jan 2099 10:30:00 CET').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('changes are chosen by who made them, what they did, and the day', { skip }, async () => {
  await world.addJob({ name: 'audited', command: 'true' });
  await world.editJob('audited', { command: 'echo changed' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/audit`);
  const choose = (name: string, text: string) =>
    page.getByRole('combobox', { name, exact: true }).selectOption(text);
  await page.getByRole('button', { name: 'job added' }).first().waitFor();
  await page.getByText('What was done', { exact: true }).waitFor();
  await choose('What', 'job edited');
  await page.getByRole('button', { name: 'job added' }).first().waitFor({ state: 'detached' });
  await choose('Who', 'a admin');
  await page.getByRole('link', { name: 'audited' }).waitFor();
  assert.match(page.url(), /actor=a(\+|%20)admin/);
  await choose('When', 'of yesterday');
  await page.getByText('No change matches').waitFor();
  await choose('When', 'of today');
  await page.getByRole('link', { name: 'audited' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('what is typed stays in its field while the list below it is read', { skip }, async () => {
  await world.addJob({ name: 'typed', command: 'true' });
  const { close, page, troubles } = await world.open({ as: world.token });
  const isTyped = makeGate();
  await page.route('**/api/v1/audit*', async (route) => {
    await isTyped.passed;
    await route.continue();
  });
  await page.goto(`${world.origin}/#/audit`);
  const name = page.getByLabel('Whole name of what was changed');
  await name.fill('typed');
  isTyped.open();
  await page.getByRole('button', { name: 'job added' }).first().waitFor();
  assert.equal(await name.inputValue(), 'typed');
  await name.press('Enter');
  await page.waitForURL(/target=typed$/);
  assert.deepEqual(troubles, []);
  await close();
});

test('a token is added, and its secret shown once', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  await page.goto(`${world.origin}/#/tokens`);
  await page.getByRole('button', { name: 'Add a token' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the person or program').fill('anna');
  await dialog.getByLabel('Role').selectOption('operator: runs and changes jobs');
  await dialog.getByLabel('Only for these groups of jobs').fill('shop, web');
  await dialog.getByText('No job is in shop, web yet.').waitFor();
  await dialog.getByLabel('Expires after').fill('90d');
  await dialog.getByLabel('Expires after').press('Enter');
  const secret = (await dialog.getByText(/^statecron_/).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  await page.keyboard.press('Escape');
  await page.goBack();
  assert.deepEqual(await dialog.getByRole('button').allTextContents(), [
    'Copied',
    'I have kept it',
  ]);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await page.goForward();
  const row = page.getByRole('row', { name: 'anna' });
  await row.getByText('shop, web').waitFor();
  await row.getByText('operator', { exact: true }).waitFor();
  assert.equal(await page.getByText(secret).count(), 0);
  const other = await world.open({ as: secret });
  await other.page.goto(`${world.origin}/#/tokens`);
  await other.page.getByText('This needs the role admin').waitFor();
  assert.deepEqual([...troubles, ...other.troubles], []);
  await other.close();
  await close();
});

test('another length of the timeline keeps the middle of what is shown', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/timeline?until=2026-11-20T06:00:00.000Z`);
  await page.getByLabel('How long').selectOption({ label: 'an hour' });
  await page.waitForURL(/until=2026-11-19T18%3A30%3A00/);
  await page.goto(`${world.origin}/#/timeline`);
  await page.getByLabel('How long').selectOption({ label: '6 hours' });
  await page.waitForURL(/timeline\?window=6h$/);
  assert.deepEqual(troubles, []);
  await close();
});

test('a run that waits says that its output comes, and that Runs has those that ended', {
  skip,
}, async () => {
  await world.addJob({ name: 'held', command: 'true', onLabel: ['gpu'] });
  await world.run('held', 'held-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/runs/held-run`);
  await page.getByText('It has not started yet: its output will be shown here.').waitFor();
  await page.goto(`${world.origin}/#/runs`);
  const choice = page.getByRole('combobox', { name: 'Result' });
  await choice.getByText('ended, any result').waitFor({ state: 'attached' });
  assert.deepEqual(troubles, []);
  await close();
});

test('a screen that is opened by its letter is where the keyboard goes on', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).focus();
  for (const key of ['g', 'a']) await page.keyboard.press(key);
  await page.getByRole('heading', { name: 'Add a job' }).waitFor();
  await page.keyboard.press('Tab');
  await page.locator('main :focus').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});
