import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

/** As if no node had come for the tick of the one job that no node may run. */
const fiveMinutesAgo = `UPDATE slot JOIN job USING (job_id)
  SET cursor_at = NOW(3) - INTERVAL 310 SECOND, next_run_at = NOW(3) - INTERVAL 310 SECOND
  WHERE job.name = 'nowhere'`;
let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('a job that no node may run says why by itself, another one when it is asked', {
  skip,
}, async () => {
  await world.addJob({ name: 'nowhere', command: 'true', onLabel: ['gpu'], cron: '@hourly' });
  await world.store.rows(fiveMinutesAgo);
  await world.addJob({ name: 'planned', command: 'true', cron: '30 2 * * *' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/nowhere`);
  const why = page.getByRole('region', { name: 'Why not now' });
  await why.getByText('No live node may run it: its ticks wait').waitFor();
  await page.getByText('nothing runs', { exact: true }).waitFor();
  assert.equal(await page.getByText(/^idle/).count(), 0, 'its state is cannot run');
  await why.getByRole('row', { name: 'web1' }).getByText('the job is for on-label gpu').waitFor();

  await page.goto(`${world.origin}/#/jobs/planned`);
  await page.getByText('At 02:30 (UTC)').waitFor();
  const waits = page.getByRole('region', { name: 'What it waits for' });
  assert.equal(await waits.getByText('It runs next').count(), 0);
  await waits.getByRole('button').click();
  // By the reader's clock, as everything else.
  await waits.getByText(/^It runs next at .*(03:30(:00)? CET|04:30(:00)? CEST)\.$/).waitFor();
  await page.reload();
  await waits.getByText('It runs next').waitFor();
  await waits.getByText('idle').waitFor();

  await page.goto(`${world.origin}/#/jobs`);
  const row = (name: string) => page.getByRole('row', { name });
  await row('nowhere')
    .getByText(/overdue \d+ min/)
    .waitFor();
  await row('planned').getByText('idle').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('the timeline leads to a run by the keyboard, and its window stands in the address', {
  skip,
}, async () => {
  await world.addJob({ name: 'timed', command: 'echo of the timeline' });
  await world.run('timed', 'timed-run');
  const { close, page, troubles } = await world.open({ as: world.token, width: 320 });
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

  // In the middle of a narrow screen, what is said of the run fits on it.
  const until = new Date(Date.now() + 5.2 * 60_000).toISOString();
  await page.goto(`${world.origin}/#/timeline?text=timed&window=10m&until=${until}`);
  await track.focus();
  await page.keyboard.press('ArrowRight');
  await track.getByText(/^succeeded/).waitFor();
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  assert.deepEqual(troubles, []);
  await close();
});

test('the timeline has its own colour for a run under way, and a bar says from when to when', {
  skip,
}, async () => {
  await world.addJob({ name: 'under-way', command: 'sleep 300' });
  await world.run('under-way', 'long-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/timeline?text=under-way`);
  await page.getByRole('button', { name: /^under-way: 1 running/ }).waitFor();
  await page.locator('.legend').getByText('running', { exact: true }).waitFor();
  const strokeOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).stroke`);
  const running = await strokeOf('.track .run.work');
  assert.equal(running, await strokeOf('.legend .run.work'));
  assert.notEqual(running, await strokeOf('.legend .run.good'));
  await world.change('POST', 'runs/long-run/stop', 200, {});

  await page.route('**/api/v1/timeline*', async (route) => {
    const answer = await (await route.fetch()).json();
    const bins = [{ bin: 20, result: 'succeeded', ticks: 2 }];
    for (const job of answer.items) Object.assign(job, { binned: true, bins, runs: [] });
    await route.fulfill({ json: answer });
  });
  await page.reload();
  const track = page.getByRole('button', { name: /^under-way: 2 succeeded/ });
  await track.press('ArrowRight');
  await track.getByText(/^\S.*\d\d:\d\d to .*\d\d:\d\d(:\d\d)? CES?T: 2 succeeded$/).waitFor();
  const heights = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.legend, .legend li')].map((part) => part.offsetHeight)`,
  );
  assert.ok((heights[0] ?? 0) < 2 * (heights[1] ?? 0) + 24, `a legend of one line: ${heights}`);
  await track.hover();
  await track.getByText(/^\S.* to .* CES?T: no run$/).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('who changed what is read by an administrator, and found by the name of the job', {
  skip,
}, async () => {
  await world.addJob({ name: 'audited', command: 'true' });
  await world.editJob('audited', { command: 'echo changed' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/audit`);
  const name = page.getByLabel('Whole name of what was changed');
  await name.fill('audited');
  await name.press('Enter');
  await page.waitForURL(/target=audited$/);
  const edit = page.getByRole('listitem').filter({ hasText: 'job edited' });
  await edit.getByText('1 value').click();
  await edit.getByText('echo changed').waitFor();
  await edit.getByRole('button', { name: 'job edited' }).click();
  await page.getByRole('button', { name: 'job added' }).waitFor({ state: 'detached' });
  assert.match(page.url(), /#\/audit\?target=audited&action=job.edit$/);
  await page.getByRole('link', { name: 'Tokens' }).click();
  const { secret } = await world.addToken('reader');
  await page.reload();
  await page.getByRole('row', { name: 'reader' }).waitFor();
  assert.ok(!(await page.content()).includes(secret));

  const other = await world.open({ as: secret });
  await other.page.goto(`${world.origin}/#/audit`);
  await other.page.getByText('This needs the role admin').waitFor();
  assert.equal(await other.page.getByRole('link', { name: 'Audit' }).count(), 0);
  await other.close();

  await page.getByRole('button', { name: 'Revoke reader' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByRole('row', { name: 'reader' }).waitFor({ state: 'detached' });
  assert.deepEqual([...troubles, ...other.troubles], []);
  await close();
});

test('a node is drained and takes work again, with who kept it from it and why', {
  skip,
}, async () => {
  const { secret } = await world.addToken('an operator', { role: 'operator' });
  const { close, page, troubles } = await world.open({ as: secret });
  await page.goto(world.origin);
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  for (const key of ['g', 'c']) await page.keyboard.press(key);
  const node = page.getByRole('row', { name: 'web1' });
  await node.getByText('live', { exact: true }).waitFor();
  await node.getByRole('button', { name: 'Drain web1' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why, for others to read').fill('kernel upgrade');
  await dialog.getByRole('button', { name: 'Drain the node' }).click();
  await node.getByText('cordoned', { exact: true }).waitFor();
  await node.getByText(/^drained: nothing is left on it$|^\d+ runs? go(?:es)? on/).waitFor();
  await node.getByText(/^kernel upgrade, by an operator/).waitFor();
  await node.getByRole('button', { name: 'Uncordon web1' }).click();
  await node.getByText('live', { exact: true }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});
