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

test('the moments of a run are gone through by the keyboard, with the state of its slot', {
  skip,
}, async () => {
  await world.addJob({ name: 'long', command: 'sleep 600' });
  await world.run('long', 'long-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/runs/long-run`);
  const current = page.locator('.steps [aria-current="step"] strong');
  await current.getByText('running', { exact: true }).waitFor();
  await page.getByText('State of the slot: executing.running').click();
  const running = page.locator('.chart [data-state="slot.executing.running"]');
  await running.locator('.annotation', { hasText: 'then' }).waitFor();

  const slider = page.getByRole('slider', { name: 'moment' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await current.getByText('starting', { exact: true }).waitFor();
  assert.equal(await slider.getAttribute('aria-valuetext'), 'starting');
  const queueing = page.locator('.chart [data-state="slot.prepare.queueing"].active');
  await queueing.locator('.annotation', { hasText: 'possible' }).waitFor();
  assert.equal(await running.locator('.annotation').count(), 0);

  await page.keyboard.press('Home');
  await current.getByText('requested', { exact: true }).waitFor();
  await page.getByText('State of the slot: not known').waitFor();
  await page.reload();
  await current.getByText('requested', { exact: true }).waitFor();

  await world.change('POST', 'runs/long-run/stop', 200, {});
  await page.locator('.steps').getByText('finishing', { exact: true }).waitFor();
  await current.getByText('requested', { exact: true }).waitFor();
  await slider.press('End');
  const last = page.locator('.steps li').last();
  assert.equal(await last.getAttribute('aria-current'), 'step');
  assert.deepEqual(troubles, []);
  await close();
});

test('a run that is looked at while it goes on has the messages of its actors', {
  skip,
}, async () => {
  await world.addJob({ name: 'looked', command: 'sleep 600' });
  await world.run('looked', 'looked-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/runs/looked-run`);
  await page.locator('.steps').getByText('running', { exact: true }).waitFor();
  await page.getByText('Messages of its actors').click();
  await until('its node keeps messages', async () => {
    const [row] = await world.store.rows('SELECT COUNT(*) AS number FROM node_activity');
    return row?.number === 1;
  });
  await world.change('POST', 'runs/looked-run/stop', 200, {});
  const row = page.locator('tr', { hasText: 'finish.committed' });
  await row.getByText('committer').waitFor();
  await row.getByText('idle').waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('the bars of phases are side by side, as long as the phases took', { skip }, async () => {
  await world.addJob({ name: 'done', command: 'echo text' });
  await world.run('done', 'done-run');
  await until('the run has ended', async () => {
    const { result } = await world.read<{ readonly result: string | null }>('runs/done-run');
    return result !== null;
  });
  await world.store.rows(`UPDATE launch_request SET asked_at = '2020-01-01 00:00:00'`);
  await world.store.rows(`UPDATE run SET scheduled_for = '2020-01-01 00:00:00',
    started_at = '2020-01-01 00:01:00', ended_at = '2020-01-01 00:04:00'
    WHERE request_id = 'done-run'`);
  for (const width of [360, 1280]) {
    const { close, page, troubles } = await world.open({ as: world.token, width });
    await page.goto(`${world.origin}/#/runs/done-run`);
    const boxes = page.locator('.steps .took');
    await boxes.last().waitFor();
    const [starting, running] = [
      await boxes.first().boundingBox(),
      await boxes.last().boundingBox(),
    ];
    assert.ok(starting && running);
    assert.ok(Math.abs(running.width / starting.width - 3) < 0.1, `${running.width}`);
    assert.ok(Math.abs(starting.x + starting.width - running.x) < 1);
    assert.deepEqual(troubles, []);
    await close();
  }
});
