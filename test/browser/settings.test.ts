import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld, type Window } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

async function openAt(path: string, options: { width?: number } = {}): Promise<Window> {
  const opened = await world.open({ as: world.token, ...options });
  await opened.page.goto(`${world.origin}/#/${path}`);
  return opened;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => button(page, name).and(page.locator('dialog *'));

const field = (page: Page, label: string) =>
  page.getByRole('dialog').getByLabel(label, { exact: true });

test('what runs next is of each job the next, or each tick, as the address says', {
  skip,
}, async () => {
  await world.addJob({ name: 'often', command: 'true', cron: '0 0 * * * *', group: 'clock' });
  await world.addJob({ name: 'monthly', command: 'true', cron: '0 0 1,15 * *' });
  const { close, page, troubles } = await openAt('upcoming?within=1d');
  const often = page.getByRole('row', { name: 'often' });
  await often.getByText(/^2[34] more/).waitFor();
  await page.getByRole('combobox', { name: 'Which ticks' }).selectOption('each tick');
  await page.locator('tbody [data-row]').nth(23).waitFor();
  await often.first().getByRole('button', { name: 'clock' }).click();
  await page.getByRole('button', { name: 'group: clock' }).waitFor();
  assert.match(page.url(), /#\/upcoming\?within=1d&ticks=each&group=clock$/);
  await page.goto(`${world.origin}/#/upcoming?within=10m&group=nobody`);
  await button(page, 'Look 30 days ahead, at all groups').click();
  await page.getByRole('link', { name: 'monthly' }).waitFor();
  assert.match(page.url(), /#\/upcoming\?within=30d$/);
  assert.deepEqual(troubles, []);
  await close();
});

test('a group of nodes is added, changed and removed, unless a job names it', {
  skip,
}, async () => {
  const { close, page, troubles } = await openAt('groups');
  await page.getByText('There is no group of nodes').waitFor();
  await button(page, 'Add a group').click();
  await field(page, 'Name').fill('web');
  await field(page, 'web1').check();
  await field(page, 'Other nodes, by their names').fill('web2, web3');
  await button(page, 'Add the group').click();
  const group = page.getByRole('row', { name: 'web' });
  await group.getByText('1 of 3 nodes live').waitFor();
  await world.addJob({ name: 'of the group', command: 'true', onGroup: ['web'] });
  await page.reload();
  await button(page, '1 job').click();
  await group.getByRole('link', { name: 'of the group' }).waitFor();
  assert.match(page.url(), /#\/groups\?jobs=web$/);
  const remove = group.getByRole('button', { name: 'Remove web' });
  assert.equal(await remove.getAttribute('title'), '1 job names it.');
  await world.change('DELETE', 'jobs/of%20the%20group', 200);
  await page.reload();
  await group.getByText('none', { exact: true }).waitFor();
  await button(page, 'Change the nodes of web').click();
  await field(page, 'web3').uncheck();
  await button(page, 'Change the group').click();
  await group.getByText('1 of 2 nodes live').waitFor();
  await remove.click();
  await page.getByText('Remove the group web, 2 nodes?').waitFor();
  await button(page, 'Remove the group').click();
  await page.getByText('There is no group of nodes').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a limit says what runs and what waits, and how many that are may change', {
  skip,
}, async () => {
  for (const name of ['one', 'two']) {
    await world.addJob({ name, command: 'sleep 600', group: 'reports' });
  }
  const { close, page, troubles } = await openAt('limits');
  await button(page, 'Set a limit').click();
  await field(page, 'Group of jobs').fill('reports');
  await field(page, 'The most at once').fill('1');
  await inDialog(page, 'Set the limit').click();
  const limit = page.getByRole('row', { name: 'reports' });
  await limit.getByText('0 of 1').waitFor();
  for (const name of ['one', 'two']) await world.run(name, `run-${name}`);
  await limit.getByText('full, jobs wait').waitFor();
  await limit.getByText('1 of 1').waitFor();
  await button(page, 'Change the limit of reports').click();
  await page.getByText('Change the limit of reports, 2 jobs?').waitFor();
  await field(page, 'The most at once').fill('3');
  await inDialog(page, 'Change the limit').click();
  await limit.getByText('2 of 3').waitFor();
  await button(page, 'Remove the limit of reports').click();
  await inDialog(page, 'Remove the limit').click();
  await page.getByText('No group of jobs has a limit').waitFor();
  for (const name of ['one', 'two']) await world.change('POST', `runs/run-${name}/stop`, 200, {});
  assert.deepEqual(troubles, []);
  await close();
});

test('a target is added, tested, muted, changed and removed, and the log says what became of it', {
  skip,
}, async () => {
  const { close, page, troubles } = await openAt('notifications');
  await button(page, 'Add a target').click();
  await field(page, 'Name').fill('hook');
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('webhook: a signed CloudEvent');
  await field(page, 'URL').fill('http://127.0.0.1:9/hook');
  await field(page, 'long runs').check();
  await button(page, 'Add the target').click();
  await page.getByText(/^whsec_/).waitFor();
  await button(page, 'I have kept it').click();
  const target = page.getByRole('row', { name: 'hook' });
  await target
    .getByText(/^failures, recoveries, lost nodes, runs over 1 h of every job$/)
    .waitFor();

  await button(page, 'Send a test to hook').click();
  const log = page.getByRole('region', { name: 'Log' });
  await log.getByText('127.0.0.1 is not allowed').waitFor();
  await page.getByRole('combobox', { name: 'State' }).selectOption('sent');
  await page.getByText('None matches, or it is not kept any more.').waitFor();
  await page.getByRole('combobox', { name: 'State' }).selectOption('waiting');
  await log.getByRole('button', { name: 'hook' }).click();
  await log.getByText('test', { exact: true }).waitFor();
  assert.match(page.url(), /#\/notifications\?state=waiting&target=hook$/);

  await button(page, 'Mute hook').click();
  await field(page, 'Why, for others to read').fill('it moves');
  await inDialog(page, 'Mute alerts').click();
  const muted = page.getByRole('table', { name: 'Muted' });
  await muted.getByText('it moves').waitFor();
  await button(page, 'Unmute hook').first().click();
  await page.getByText('Nothing is muted.').waitFor();
  await button(page, 'Change hook').click();
  await field(page, 'failures').uncheck();
  await button(page, 'Change the target').click();
  await target.getByText(/^recoveries, lost nodes/).waitFor();
  await button(page, 'Remove hook').click();
  await button(page, 'Remove the target').click();
  await page.getByText('nobody is told of failures').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('alerts of a group of jobs are muted by its name', { skip }, async () => {
  await world.addJob({ name: 'quiet', command: 'true', group: 'night' });
  const { close, page, troubles } = await openAt('notifications');
  await button(page, 'Mute alerts').click();
  await field(page, 'Its name').fill('nigth');
  await inDialog(page, 'Mute alerts').click();
  const fault = page.getByRole('dialog').getByRole('alert');
  await fault.getByRole('link', { name: 'Show the jobs' }).waitFor();
  await page.getByRole('combobox', { name: 'What' }).selectOption('a group of jobs');
  await field(page, 'Its name').fill('night');
  await inDialog(page, 'Mute alerts').click();
  await page.getByText('The alerts of the group night are muted.').waitFor();
  await page.getByRole('row', { name: 'night' }).getByRole('link', { name: 'night' }).click();
  await page.getByRole('link', { name: 'quiet' }).waitFor();
  assert.match(page.url(), /#\/jobs\?group=night$/);
  assert.deepEqual(
    troubles.filter((text) => !/status of 404/.test(text)),
    [],
  );
  await close();
});

test('a verification says what it looked at and what it found, and leads there', {
  skip,
}, async () => {
  await world.addJob({ name: 'sound', command: 'true' });
  await world.addJob({ name: 'unsound', command: 'true' });
  const { close, page, troubles } = await openAt('verify');
  await page.getByLabel('Only the job of this name').fill('sound');
  await page.keyboard.press('Enter');
  await button(page, 'Verify').click();
  await page.getByText('Nothing is wrong').waitFor();
  await page.getByText('No tick was due.').waitFor();
  assert.match(page.url(), /#\/verify\?job=sound&run=yes$/);

  await world.store.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
      ended_at, result)
    SELECT job_id, 1, 'schedule', 1, NOW(3), NOW(3), 'skipped' FROM job WHERE name = 'unsound'`);
  await page.goto(`${world.origin}/#/verify?run=yes&since=all`);
  await page.getByText(/^The history is wrong in \d places?/).waitFor();
  await page.getByText('the beginning').waitFor();
  await button(page, 'run without reason 1').click();
  assert.match(page.url(), /code=run_without_reason$/);
  await page.getByRole('listitem').getByRole('link', { name: 'unsound' }).click();
  await page.getByRole('heading', { name: 'unsound' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a verification that breaks off says so, and is begun again', { skip }, async () => {
  const { close, page, troubles } = await openAt('verify');
  const place = '**/api/v1/verify*';
  await page.route(place, (route) => {
    const body = `${JSON.stringify({ progress: { jobs: 3, runs: 40 } })}\n`;
    return route.fulfill({ body, contentType: 'application/x-ndjson' });
  });
  await button(page, 'Verify').click();
  await page.getByText('This node does not answer.').waitFor();
  await page.unroute(place);
  await button(page, 'Try again').click();
  await page.getByText('rows read').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('who sees one group of jobs is told why limits and groups of nodes are not theirs', {
  skip,
}, async () => {
  const { secret } = await world.addToken('of night', { role: 'admin', groups: ['night'] });
  const { close, page, troubles } = await world.open({ as: secret });
  const why = 'This needs all groups of jobs; your token has night.';
  for (const [path, act] of [
    ['groups', 'Add a group'],
    ['limits', 'Set a limit'],
    ['verify', 'Verify'],
    ['notifications', 'Add a target'],
  ] as const) {
    await page.goto(`${world.origin}/#/${path}`);
    const disabled = page.getByRole('button', { name: act, disabled: true });
    assert.equal(await disabled.getAttribute('title'), why);
  }
  assert.deepEqual(troubles, []);
  await close();
});

test('who may not see the targets is told why, and nothing of a log that is not theirs', {
  skip,
}, async () => {
  await world.addJob({ name: 'of an operator', command: 'true' });
  const { secret } = await world.addToken('who operates', { role: 'operator' });
  const { close, page, troubles } = await world.open({ as: secret });
  await page.goto(`${world.origin}/#/notifications`);
  const hidden = page.getByRole('region', { name: 'Targets and log' });
  const why = 'This needs the role admin; your token has the role operator.';
  await hidden.getByText(`${why} An address may hold a password`).waitFor();
  await page.goto(`${world.origin}/#/jobs/of an operator`);
  await button(page, 'Mute alerts').click();
  await inDialog(page, 'Mute alerts').click();
  const said = page.getByRole('log').getByText(/^What fails until /);
  await said.waitFor();
  assert.match(
    (await said.textContent()) ?? '',
    / is not sent later\. Administrators of all groups see who is notified\.$/,
  );
  await world.change('DELETE', 'notify/mutes/job/of%20an%20operator', 200);
  assert.deepEqual(troubles, []);
  await close();
});

test('on a narrow screen the other screens are behind one button', { skip }, async () => {
  const { close, page, troubles } = await openAt('', { width: 320 });
  const more = button(page, 'More');
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Tokens' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Tokens' }).waitFor({ state: 'detached' });
  assert.ok(await more.evaluate((element) => element === element.ownerDocument.activeElement));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Cluster' }).waitFor();
  await page.getByRole('link', { name: 'Tokens' }).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  assert.deepEqual(troubles, []);
  await close();
});
