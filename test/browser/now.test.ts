import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

async function runToItsEnd(job: string, run: string): Promise<void> {
  await world.run(job, run);
  await until(`the end of ${run}`, async () => {
    const { result } = await world.read<{ result: string | null }>(`runs/${run}`);
    return result;
  });
}

test('Now counts the paused jobs, and says of a job that failed that it went well since', {
  skip,
}, async () => {
  await world.addJob({ name: 'rests', command: 'true' });
  await world.change('POST', 'jobs/rests/pause', 200, {});
  await world.addJob({ name: 'recovers', command: 'exit 3', cron: '@hourly' });
  await world.addJob({ name: 'goes-on', command: 'echo disk full; exit 4' });
  for (const job of ['recovers', 'goes-on']) await runToItsEnd(job, `${job}-fails`);
  await world.editJob('recovers', { command: 'true' });
  await runToItsEnd('recovers', 'recovers-runs');

  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(world.origin);
  const failed = page.getByRole('region', { name: 'Failed in the last 24 hours' });
  const row = (name: string) => failed.getByRole('row', { name });
  await failed.getByRole('columnheader', { name: 'Since then' }).waitFor();
  await row('recovers').getByText('succeeded', { exact: true }).waitFor();
  await row('goes-on').getByText('exit code 4: disk full, a request').waitFor();
  assert.equal(await row('goes-on').getByText('succeeded').count(), 0);
  await page.setViewportSize({ width: 360, height: 800 });
  const isCut = `[...document.querySelectorAll('.now .why, .now .why ~ td')].some((part) =>
    part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > innerWidth)`;
  assert.equal(await page.evaluate(isCut), false);
  await page.setViewportSize({ width: 1_280, height: 800 });

  const next = page.getByRole('region', { name: 'Next 24 hours' });
  await next.getByRole('columnheader', { name: 'Further ticks' }).waitFor();
  const failing = page.getByRole('region', { name: 'Failing' });
  for (const name of ['Ended', 'Next tick']) {
    await failing.getByRole('columnheader', { name }).waitFor();
  }
  await page.getByRole('link', { name: '1 paused' }).click();
  await page.getByRole('row', { name: 'rests' }).waitFor();
  assert.match(page.url(), /#\/jobs\?state=paused$/);
  assert.deepEqual(troubles, []);
  await close();
});

test('a warning moves nothing on Now, and leads to what it is about', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(world.origin);
  const failing = page.getByRole('heading', { name: 'Failing' });
  const top = async () => (await failing.boundingBox())?.y;
  await failing.waitFor();
  const before = await top();
  await world.addJob({ name: 'nowhere', command: 'true', onLabel: ['gpu'], cron: '@hourly' });
  await page.reload();
  await page.getByText(/^no live node may run nowhere/).waitFor();
  await failing.waitFor();
  assert.equal(await top(), before);
  const target = { name: 'ops', kind: 'mail', address: 'ops@example.com', events: ['missed'] };
  await world.change('POST', 'notify/targets', 201, target);
  await world.store.rows(`INSERT INTO notice (stable_id, target_name, event, facts, created_at,
      since_at, due_at, tries, last_error)
    VALUES ('n', 'ops', 'missed', '{}', NOW(3), NOW(3), NOW(3) + INTERVAL 1 DAY, 2, 'no route')`);
  await page.reload();
  await page.getByText(/^1 notification to ops has waited after 2 tries: no route/).waitFor();
  await page.getByRole('link', { name: 'Show 1 more' }).waitFor();
  await page.getByRole('link', { name: 'Show what was sent to ops' }).click();
  await page.getByRole('heading', { name: 'Notifications' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a run that lasts has the page drawn once a second, not all the time', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await world.addJob({ name: 'render-thumbnails-of-all', command: 'sleep 300' });
  await world.run('render-thumbnails-of-all', 'long-run');
  await page.goto(`${world.origin}/#/`);
  const circle = page.locator('.status.moves circle');
  await circle.waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  const running = page.getByRole('region', { name: 'Running' });
  await running.getByText('a request', { exact: true }).waitFor();
  const [list, table] = [await running.boundingBox(), await running.locator('table').boundingBox()];
  assert.ok((table?.width ?? 0) <= (list?.width ?? 0), `${table?.width} of ${list?.width}`);
  const why = running.getByText('a request', { exact: true });
  assert.ok(((await why.boundingBox())?.height ?? 99) < 30, 'it is in one line');
  const turn = await circle.getAttribute('transform');
  await until('the badge turns', async () => (await circle.getAttribute('transform')) !== turn);
  await until('what appears has appeared', async () => {
    return (await page.evaluate('document.getAnimations().length')) === 0;
  });
  assert.deepEqual(troubles, []);
  await close();
});
