import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
  const group = { group: 'shop', tag: ['hourly'] };
  await world.addJob({ name: 'loud', command: 'true', cron: '0 6 * * *', timezone: 'UTC' });
  await world.addJob({
    ...{ name: 'hushed', command: 'true', cron: '0 6 * * MON-FRI' },
    ...{ timezone: 'America/New_York', ...group },
  });
  await world.addJob({ name: 'session-of-many-words', command: 'true', ...group });
});

test('a job says in the list by which clock it runs, and that its alerts are muted', {
  skip,
}, async () => {
  await world.change('PUT', 'notify/mutes/group/shop', 200, { until: '1h' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  const row = (name: string) => page.getByRole('row', { name });
  await row('hushed').getByText('New York', { exact: true }).waitFor();
  await row('loud').getByText('UTC', { exact: true }).waitFor();
  await row('hushed').getByText('muted', { exact: true }).waitFor({ state: 'attached' });
  assert.equal(await row('loud').getByText('muted', { exact: true }).count(), 0);
  const cut = await page.evaluate(`[...document.querySelectorAll('.zone-of, .labels .chip')]
    .filter((part) => part.offsetTop < 20 && part.scrollWidth > part.clientWidth + 1)
    .map((part) => part.textContent)`);
  assert.deepEqual(cut, []);
  const labels = 'group: shop\ntags: hourly';
  for (const part of [row('hushed').getByRole('link'), row('hushed').locator('.more')]) {
    assert.equal(await part.getAttribute('title'), labels);
  }
  await world.change('DELETE', 'notify/mutes/group/shop', 200);
  await page.getByRole('combobox', { name: 'Group' }).selectOption('shop');
  await row('loud').waitFor({ state: 'detached' });
  await row('hushed').waitFor();
  assert.match(page.url(), /#\/jobs\?group=shop$/);
  assert.deepEqual(troubles, []);
  await close();
});

test('a click on the head of the names turns their order, which the head says', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  const head = page.getByRole('columnheader', { name: 'Job', exact: true });
  const first = page.locator('[aria-rowindex="2"]');
  await first.getByText('hushed').waitFor();
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
  await head.getByRole('button').click();
  await first.getByText('session-of-many-words').waitFor();
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  await page.getByRole('combobox', { name: 'Order' }).selectOption('order: newest first');
  assert.equal(await head.getAttribute('aria-sort'), 'none');
  assert.deepEqual(troubles, []);
  await close();
});

test('Escape empties the search, and the list follows', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  const [row, search] = [
    page.getByRole('row', { name: 'loud' }),
    page.getByLabel('Search by name'),
  ];
  await row.waitFor();
  await search.fill('hush');
  await row.waitFor({ state: 'detached' });
  await search.press('Escape');
  await row.waitFor();
  assert.equal(await search.inputValue(), '');
  assert.match(page.url(), /#\/jobs$/);
  assert.deepEqual(troubles, []);
  await close();
});

test('by tag: in the field of search a tag is a condition, beside a part of the name', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  const search = page.getByPlaceholder('Search by name, or tag:…');
  const row = (name: string) => page.getByRole('row', { name });
  await row('loud').waitFor();
  await search.fill('tag:hour');
  await page.waitForTimeout(400); // what is typed of a name would count by then
  assert.match(page.url(), /#\/jobs$/, 'a part of a tag is none');
  await search.fill('sess tag:hourly');
  await search.press('Enter');
  await row('hushed').waitFor({ state: 'detached' });
  await row('session-of-many-words').waitFor();
  assert.equal(await search.inputValue(), 'sess');
  assert.match(page.url(), /#\/jobs\?tag=hourly&text=sess$/);
  await page.getByRole('button', { name: 'tag: hourly' }).click();
  await search.fill('group:shop ');
  await row('hushed').waitFor();
  assert.match(page.url(), /#\/jobs\?group=shop$/);
  await page.getByRole('columnheader', { name: 'Next tick' }).getByRole('link').click();
  await page.getByRole('heading', { name: 'Upcoming' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('where the whole name of a job is wanted, a part of it leads to it', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  for (const [screen, field] of [
    ['runs', 'Job, by its whole name'],
    ['audit', 'Whole name of what was changed'],
  ] as const) {
    await page.goto(`${world.origin}/#/${screen}`);
    const search = page.getByLabel(field);
    await search.pressSequentially('hush');
    await page.locator('datalist option[value=hushed]').waitFor({ state: 'attached' });
    await search.press('Enter');
    await page.getByText('No job is called hush.').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'hushed' }).click();
    await page.getByText('No job is called hush.').waitFor({ state: 'detached' });
    assert.match(page.url(), /=hushed$/);
  }
  assert.deepEqual(troubles, []);
  await close();
});

test('the whole name of a job filters as it is typed, and a click on a row is not lost to it', {
  skip,
}, async () => {
  await world.run('loud', 'loud-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/runs`);
  const search = page.getByLabel('Job, by its whole name');
  const row = page.getByRole('row', { name: 'loud' });
  await row.waitFor();
  await search.pressSequentially('lou');
  await page.locator('datalist option[value=loud]').waitFor({ state: 'attached' });
  await search.pressSequentially('d');
  await page.waitForURL(/#\/runs\?job=loud$/);
  await search.and(page.locator(':focus')).waitFor();
  await search.fill('lou');
  await row.waitFor();
  await row.getByRole('cell', { name: 'succeeded' }).click();
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('all that match are counted, and the alerts of those that are chosen are muted', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  await page.getByRole('checkbox', { name: 'Select all jobs that match' }).check();
  const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
  await bar.getByText('All 3 jobs that match').waitFor();
  await bar.getByRole('button', { name: 'Clear' }).click();
  for (const name of ['hushed', 'loud']) {
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  }
  await bar.getByRole('button', { name: 'Mute' }).click();
  const dialog = page.getByRole('dialog');
  const nobody = 'There is no target: nobody is notified of anything, muted or not.';
  await dialog.getByText(nobody).waitFor();
  await dialog.getByRole('button', { name: 'Mute 2 jobs' }).click();
  await page.getByText('The alerts of 2 jobs are muted.').waitFor();
  await page.getByRole('log').getByText(nobody).waitFor();
  const { items } = await world.read<{ items: readonly { name: string }[] }>('notify/mutes');
  assert.deepEqual(items.map(({ name }) => name).sort(), ['hushed', 'loud']);
  assert.deepEqual(troubles, []);
  await close();
});

test('who may only read sees that a row cannot be acted on, and is told why', {
  skip,
}, async () => {
  const colours: unknown[] = [];
  for (const as of [world.token, world.tokens.viewer]) {
    const { close, page, troubles } = await world.open({ as });
    await page.goto(`${world.origin}/#/jobs`);
    const button = page.getByRole('button', { name: 'Pause loud' });
    await button.waitFor();
    const colour = `getComputedStyle(document.querySelector('[aria-label="Pause loud"]')).color`;
    colours.push(await page.evaluate(colour));
    if (as === world.tokens.viewer) {
      await button.click({ force: true });
      const messages = page.getByRole('log', { name: 'Messages' });
      await messages.getByText('This needs the role operator').waitFor();
    }
    assert.deepEqual(troubles, []);
    await close();
  }
  assert.notEqual(colours[0], colours[1]);
});

test('an end of a mute is written as a date of the zone that stands beside it', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/session-of-many-words`);
  await page.getByRole('button', { name: 'Mute alerts' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Until, in CES?T$/).fill('2030-01-02 09:30');
  await dialog.getByRole('button', { name: 'Mute alerts' }).click();
  await page.getByText(/muted until 02 Jan 2030 09:30 CET/).waitFor();
  const { mutes } = await world.read<{ mutes: readonly { until: string }[] }>(
    'jobs/session-of-many-words',
  );
  assert.equal(mutes[0]?.until, '2030-01-02T08:30:00.000Z');
  assert.deepEqual(troubles, []);
  await close();
});

test('a label that fits stands there, and not that there are more', { skip }, async () => {
  const { close, page } = await world.open({ as: world.token });
  await world.addJob({ name: 'report-10', command: 'true', group: 'reports', tag: ['daily'] });
  await page.goto(`${world.origin}/#/jobs?text=report`);
  await page.getByRole('row', { name: 'report-10' }).waitFor();
  const shown = await page.evaluate(`[...document.querySelectorAll('.labels :is(.tag, .more)')]
    .filter(({ offsetTop }) => offsetTop >= 0 && offsetTop < 18)
    .map(({ textContent }) => textContent)`);
  assert.deepEqual(shown, ['daily']);
  await close();
});
