import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';
import { faultsOf } from './checkScreen.ts';

let world: BrowserWorld;
before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
  for (const name of ['b', 'c', 'a']) {
    await world.addJob({ name: `held ${name}`, command: 'true', cron: '@daily' });
  }
});

test('all jobs are paused for an hour with a note, which Now and Jobs say and end', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const dialog = page.getByRole('dialog');
  await page.goto(`${world.origin}/#/jobs`);
  await page.getByRole('checkbox', { name: 'Select all jobs that match' }).check();
  const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
  const top = (await page.getByRole('table', { name: 'Jobs' }).boundingBox())?.y;
  await bar.getByRole('button', { name: 'Pause' }).click();
  await dialog.getByText('No run of them starts by its schedule from then on.').waitFor();
  await dialog.getByRole('radio', { name: 'until they are resumed' }).waitFor();
  await dialog.getByRole('radio', { name: '1 hour' }).check();
  assert.deepEqual(await faultsOf(page), []);
  const names = await dialog.getByRole('listitem').allTextContents();
  assert.deepEqual(names, ['held a', 'held b', 'held c']);
  await dialog.getByLabel('Why, for others to read').fill('database move');
  const read = page.waitForResponse(/\/api\/v1\/cluster/);
  await dialog.getByRole('button', { name: 'Pause 3 jobs' }).click();
  const line = page.getByText(
    /^3 jobs are paused by .*a admin until (\d\d \w+ )?\d\d:\d\d.*: database move$/,
  );
  await page.getByText('3 jobs are paused.').waitFor();
  const table = page.getByRole('table', { name: 'Jobs' });
  await table.getByText('paused', { exact: true }).nth(2).waitFor();
  await read;
  await page.waitForTimeout(500);
  assert.equal((await table.boundingBox())?.y, top, 'the list stays where it is');
  await page.reload();
  await line.waitFor();

  for (const [path, name] of [
    ['cluster', 'Cluster'],
    ['', 'Now'],
  ] as const) {
    await page.goto(`${world.origin}/#/${path}`);
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await line.waitFor();
    assert.equal(await page.getByText('job list --state paused').count(), 0);
    assert.deepEqual(await faultsOf(page), []);
  }
  assert.equal(await page.getByText('end it earlier with').count(), 0);
  await page.getByRole('button', { name: 'Resume them' }).click();
  await dialog.getByRole('button', { name: 'Resume 3 jobs' }).click();
  await page.getByText('3 jobs are resumed.').waitFor();
  await line.waitFor({ state: 'detached' });
  assert.deepEqual(troubles, []);
  await close();
});

test('a job is paused by the keyboard for 8 hours with a note, and says who and why', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/held a`);
  await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog');
  const chosen = dialog.getByRole('radio', { name: 'until it is resumed' });
  await chosen.waitFor();
  assert.ok(await chosen.isChecked());
  await chosen.focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'Tab']) await page.keyboard.press(key);
  await page.keyboard.press('Tab');
  await page.keyboard.type('new disk');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('held a is paused.').waitFor();
  await page.getByText('No run starts by its schedule until the pause ends.').waitFor();
  await page.getByText(/^by .*a admin since .*, until .*: new disk$/).waitFor();
  const read = await world.read<{ pause: { until: string; since: string } }>('jobs/held%20a');
  const lengthMs = Date.parse(read.pause.until) - Date.parse(read.pause.since);
  assert.ok(Math.abs(lengthMs - 8 * 3_600_000) < 60_000);
  // Jobs that were selected one by one are paused with who and why, too.
  await page.goto(`${world.origin}/#/jobs?text=held`);
  await page.getByText(/^resumes in 7 h$/).waitFor();
  assert.equal(await page.evaluate(isCut), false);
  for (const name of ['held b', 'held c']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }
  await page.getByRole('toolbar').getByRole('button', { name: 'Pause' }).click();
  await dialog.getByLabel('Why, for others to read').fill('a move');
  await dialog.getByRole('button', { name: 'Pause 2 jobs' }).click();
  await page.getByText('2 jobs are paused.').waitFor();
  await page.goto(`${world.origin}/#/`);
  const line = page.locator('.pause-line').filter({ hasText: /until they are resumed: a move/ });
  await line.getByRole('link', { name: 'Show them' }).click();
  await page.getByRole('row', { name: 'held c' }).waitFor();
  assert.equal(await page.getByRole('row', { name: 'held a' }).count(), 0);
  await page.getByText('2 jobs', { exact: true }).waitFor();
  await page.getByRole('checkbox', { name: 'Select all jobs that match' }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Resume' }).click();
  await dialog.getByRole('button', { name: 'Resume 2 jobs' }).click();
  await page.getByText('2 jobs are resumed.').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a pause until a time of day ends when the clock shows it next', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await world.addJob({ name: 'until-eight', command: 'true', cron: '@daily' });
  await page.goto(`${world.origin}/#/jobs/until-eight`);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Until, in /).fill('20:00');
  await dialog.getByRole('button', { name: 'Pause it' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { resumeAt } = await world.read<{ resumeAt: string }>('jobs/until-eight');
  const awayHours = (Date.parse(resumeAt) - Date.now()) / 3_600_000;
  assert.ok(awayHours > -1 && awayHours < 25, resumeAt);
  const local = { timeZone: 'Europe/Berlin', timeStyle: 'short' } as const;
  assert.equal(new Intl.DateTimeFormat('en-GB', local).format(new Date(resumeAt)), '20:00');
  assert.deepEqual(troubles, []);
  await close();
});

test('a pause that the node refuses stays open with what is typed, and says why', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await world.addJob({ name: 'kept', command: 'true', cron: '@daily' });
  await page.goto(`${world.origin}/#/jobs/kept`);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const note = dialog.getByLabel('Why, for others to read');
  await note.fill('new disk');
  const until = dialog.getByLabel(/^Until, in /);
  await until.fill('2020-01-02 09:00');
  const act = dialog.getByRole('button', { name: 'Pause it' });
  await act.click();
  await dialog
    .getByRole('alert')
    .getByText('Thu, 02 Jan 2020 09:00:00 CET is over already.')
    .waitFor();
  assert.deepEqual(await faultsOf(page), []);
  assert.equal(await note.inputValue(), 'new disk');
  await until.fill('2099-01-02 09:00');
  await act.click();
  await page.getByText(/until .*2099.*: new disk$/).waitFor();
  const next = page.getByRole('region', { name: 'Next ticks' });
  await next.getByText(/^None before 02 Jan 2099 09:00 CET, when the pause ends\.$/).waitFor();
  await next
    .getByRole('cell', { name: /03 Jan 2099/ })
    .first()
    .waitFor();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(
    troubles.filter((text) => !/status of 4/.test(text)),
    [],
  );
  await close();
});

/** Whether a next tick runs into what stands beside it. */
const isCut = `[...document.querySelectorAll('.jobs .next-tick')].some(
  (part) => part.scrollWidth > part.clientWidth)`;
