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
  await world.addJob({ name: 'gone', command: 'exit 5' });
  await runToItsEnd('gone', 'gone-fails');
  await world.change('DELETE', 'jobs/gone', 200);

  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(world.origin);
  const failed = page.getByRole('region', { name: 'Failed in the last 24 hours' });
  const row = (name: string) => failed.getByRole('row', { name });
  await failed.getByRole('columnheader', { name: 'Since then' }).waitFor();
  await row('recovers').getByText('succeeded', { exact: true }).waitFor();
  await row('goes-on').getByText('exit code 4: disk full', { exact: true }).waitFor();
  assert.equal(await row('goes-on').getByText('succeeded').count(), 0);
  await row('gone').getByText('removed', { exact: true }).waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  const isCut = `[...document.querySelectorAll('.now .why, .now .why ~ td')].some((part) =>
    part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > innerWidth)`;
  assert.equal(await page.evaluate(isCut), false);
  await page.setViewportSize({ width: 1_280, height: 800 });

  const next = page.getByRole('region', { name: 'Next 24 hours' });
  await next.getByRole('columnheader', { name: 'Further ticks' }).waitFor();
  const failing = page.getByRole('region', { name: 'Failing' });
  assert.equal((await failed.boundingBox())?.x, (await failing.boundingBox())?.x);
  for (const name of ['Ended', 'Next tick']) {
    await failing.getByRole('columnheader', { name }).waitFor();
  }
  const goesOn = failing.getByRole('row', { name: 'goes-on' });
  await goesOn.getByText('exit code 4: disk full', { exact: true }).waitFor();
  await goesOn.getByRole('link', { name: 'failed' }).click();
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  assert.match(page.url(), /#\/runs\//);
  await page.goBack();
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
  const cause = page.getByText(/^No live node may run nowhere: see where it may run/);
  await failing.waitFor();
  assert.equal(await top(), before);
  for (const screen of ['', '#/cluster']) {
    await page.goto(`${world.origin}/${screen}`);
    await cause.getByRole('link', { name: 'nowhere' }).click();
    await page.getByText('No live node may run it: its ticks wait').waitFor();
  }
  await page.goto(world.origin);
  await failing.waitFor();
  const target = { name: 'ops', kind: 'mail', address: 'ops@example.com', events: ['missed'] };
  await world.change('POST', 'notify/targets', 201, target);
  await world.store.rows(`INSERT INTO notice (stable_id, target_name, event, facts, created_at,
      since_at, due_at, tries, last_error)
    VALUES ('n', 'ops', 'missed', '{}', NOW(3), NOW(3), NOW(3) + INTERVAL 1 DAY, 2, 'no route')`);
  await page.reload();
  await page
    .getByText(/^1 notification to ops has waited for \w+, after 2 tries: no route/)
    .waitFor();
  await page.getByRole('link', { name: 'Show 1 more on Cluster' }).waitFor();
  await page.getByRole('link', { name: 'Show what was sent to ops' }).click();
  await page.getByRole('heading', { name: 'Notifications' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a target that cannot be sent to has a mark in the menu, wherever one is', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const target = { name: 'pager', kind: 'mail', address: 'pager@example.com', events: ['missed'] };
  await world.change('POST', 'notify/targets', 201, target);
  const fail = (error: string | null) =>
    world.store.rows('UPDATE notice_target SET last_error = ? WHERE target_name = ?', [
      ...[error, 'pager'],
    ]);
  await fail('no route');
  await page.goto(`${world.origin}/#/plan`);
  const place = page.getByRole('link', { name: /^Notifications/ });
  await place.getByText('The last try failed: pager').waitFor();
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('button', { name: 'More The last try failed: pager' }).click();
  await place.getByText('The last try failed: pager').waitFor();
  await fail(null);
  await page.reload();
  await page.getByRole('button', { name: 'More', exact: true }).waitFor();
  await world.change('DELETE', 'notify/targets/pager', 200);
  assert.deepEqual(troubles, []);
  await close();
});

test('a job whose alerts are muted says so where it fails, and until when', {
  skip,
}, async () => {
  await world.addJob({ name: 'hushed', command: 'exit 3', group: 'quiet' });
  await runToItsEnd('hushed', 'hushed-fails');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(world.origin);
  const row = page.getByRole('region', { name: 'Failing' }).getByRole('row', { name: 'hushed' });
  await row.waitFor();
  assert.equal(await row.getByText('muted').count(), 0);
  await world.change('PUT', 'notify/mutes/job/hushed', 200, { until: '1h' });
  await world.change('PUT', 'notify/mutes/group/quiet', 200, { until: '2099-01-02T03:00:00Z' });
  await page.reload();
  await row.getByText('alerts muted until 02 Jan 2099 04:00 CET').waitFor();
  await world.change('DELETE', 'notify/mutes/group/quiet', 200);
  await page.reload();
  await row.getByText(/^alerts muted until (\d\d \w+ )?\d\d:\d\d(:\d\d)? CES?T$/).waitFor();
  await page.goto(`${world.origin}/#/jobs`);
  const isMuted = page
    .getByRole('row', { name: 'hushed' })
    .getByTitle(/^Its alerts are muted until/);
  await isMuted.waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('a cordon is said with who and why, in whole, where it keeps jobs from running', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token, width: 360 });
  for (let at = 0; at < 14; at += 1) {
    await world.addJob({ name: `waits-${at}`, command: 'true', cron: '@hourly' });
  }
  await world.store.rows('DELETE FROM notice');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.goto(`${world.origin}/#/cluster`);
  await button('Drain web1').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No other live node takes work').waitFor();
  await dialog
    .getByText(/waits until a node takes it\. .* The node itself does not stop\./)
    .waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await button('Cordon web1').click();
  await dialog.getByText('No other live node takes work: no job starts until one does.').waitFor();
  await page.getByLabel('Why, for others to read').fill('disk swap');
  await dialog.getByRole('button', { name: 'Cordon the node' }).click();
  await button('Uncordon web1').waitFor();

  await page.goto(`${world.origin}/#/`);
  const cause = /^web1 is cordoned by .*: disk swap; no other live node may run .* and \d+ more$/;
  await page.getByText(cause).waitFor();
  const isCut = `[...document.querySelectorAll('.warning-line .doubt, .now .stacks td')].some(
    (part) => part.scrollWidth > part.clientWidth + 1
      || part.getBoundingClientRect().right > innerWidth)`;
  await page.getByRole('region', { name: 'Nodes' }).getByText('web1').waitFor();
  assert.equal(await page.evaluate(isCut), false);
  const next = page.getByRole('region', { name: 'Next 24 hours' });
  await next.getByText('There are more than these 12.').waitFor();
  await next.getByRole('link', { name: 'Show all' }).click();
  await page.getByRole('heading', { name: 'Upcoming' }).waitFor();

  await page.goto(`${world.origin}/#/jobs/waits-0`);
  const why = page.getByRole('region', { name: 'Why not now' });
  await why.getByText('statecron node uncordon web1').waitFor();
  await why.getByRole('link', { name: 'Show the nodes on Cluster' }).waitFor();
  assert.equal(await why.getByText('not known').count(), 0);
  await page.locator('.statuses').getByText('cannot run').waitFor();
  await world.change('DELETE', 'nodes/web1/cordon', 200);
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

test('who sees one group of jobs reads counts of its jobs alone', { skip }, async () => {
  await world.addJob({ name: 'of-shop', command: 'true', group: 'shop' });
  await world.addJob({ name: 'unseen', command: 'true', onLabel: ['gpu'], cron: '@hourly' });
  const { secret } = await world.addToken('of shop', { groups: ['shop'] });
  const { close, page, troubles } = await world.open({ as: secret });
  await page.goto(`${world.origin}/#/`);
  await page.getByText('Each job of your groups has a live node that may run it.').waitFor();
  const counts = async () => (await page.locator('.counts li').allTextContents()).join(', ');
  assert.equal(
    await counts(),
    '0 failing, 0 cannot run, 0 late, 0 paused, 0 running, 1 live nodes',
  );
  await page.goto(`${world.origin}/#/cluster`);
  await page.getByText('take no work').waitFor();
  assert.match(await counts(), /of \d+ running, 0 prepared$/);
  assert.deepEqual(troubles, []);
  await close();
});

test('a node that has missed renewals is said to be silent, for how long of its time', {
  skip,
}, async () => {
  await world.store.rows(`INSERT INTO session (session_id, node_name, state, ttl_ms, started_at,
      renewed_at, host, process_id, version, timezone_data, capacity, concurrency)
    VALUES ('mute', 'mute', 'live', 3600000, NOW(3), NOW(3) - INTERVAL 750 SECOND, 'h', 1, '1',
      'z', 10, 10)`);
  const { close, page, troubles } = await world.open({ as: world.token });
  for (const screen of ['', '#/cluster']) {
    await page.goto(`${world.origin}/${screen}`);
    const row = page.getByRole('row', { name: 'mute' });
    await row.getByText('silent for 12 min of 1 h', { exact: true }).waitFor();
  }
  await world.store.rows("UPDATE session SET state = 'ended' WHERE session_id = 'mute'");
  assert.deepEqual(troubles, []);
  await close();
});
