import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';
import { faultsOf } from './checkScreen.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('a run that failed is run again with another variable, which the job does not get', {
  skip,
}, async () => {
  const command = 'echo "to $TARGET"; test "$TARGET" = b';
  await world.addJob({ name: 'backup', command });
  await world.editJob('backup', { env: { TARGET: 'a' } });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/backup`);
  await page.getByText('One node runs it only when it is asked for.').waitFor();
  await page.getByText('None: it runs only when it is asked for.').waitFor();
  await page.getByRole('button', { name: 'Run now' }).click();
  const act = page.getByRole('button', { name: 'Run it now' });
  await act.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Show the run and its output' }).click();
  await page.getByText('failed', { exact: true }).waitFor();
  await page.getByText('to a', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Retry' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Variables for this run alone');
  assert.equal(await field.getAttribute('placeholder'), 'NAME=value, one a line');
  await dialog.getByText('They win over the job’s own: TARGET.').waitFor();
  await field.fill('TARGET b');
  await dialog.getByRole('button', { name: 'Run it again' }).click();
  await dialog.getByRole('alert').getByText('“TARGET b” is no variable').waitFor();
  assert.equal(await field.inputValue(), 'TARGET b');
  await field.fill('TARGET=b');
  await dialog.getByRole('button', { name: 'Run it again' }).click();
  await page.getByText('to b', { exact: true }).waitFor();
  await page.getByText('succeeded', { exact: true }).waitFor();
  const fact = (term: string) => page.locator('.fact', { hasText: term });
  await fact('started by').getByText('a request of a admin', { exact: true }).waitFor();
  await fact('command').getByText(command, { exact: true }).waitFor();
  const said = 'TARGET for this run alone; values are not shown, as they may be secret';
  await fact('variables').getByText(said).waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByText('Those of the run that has ended are used again: TARGET.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await fact('retry of').getByRole('link').click();
  await page.getByText('to a', { exact: true }).waitFor();
  await fact('tried again as').getByRole('link').click();
  await page.getByText('to b', { exact: true }).waitFor();
  await page.goto(`${world.origin}/#/jobs/backup`);
  await page.getByRole('columnheader', { name: 'Started' }).waitFor();
  await page.getByRole('cell', { name: 'exit code 1' }).click();
  await page.getByText('to a', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Retry' }).click();
  await dialog.getByRole('button', { name: 'Run it again' }).click();
  await page.getByText('Attempt 2 of this tick of backup is requested.').waitFor();
  await fact('attempt').getByText('2', { exact: true }).waitFor();
  await page.getByText('failed', { exact: true }).waitFor();
  await page.goBack();
  await fact('tried again as').getByRole('link').click();
  await fact('attempt').getByText('2', { exact: true }).waitFor();
  const { fields } = await world.read<{ fields: { env: object } }>('jobs/backup');
  assert.deepEqual(fields.env, { TARGET: 'a' });
  assert.deepEqual(troubles, []);
  await close();
});

test('who retries a run that its schedule started is led to the next attempt', {
  skip,
}, async () => {
  await world.addJob({ name: 'often', command: 'exit 3', cron: '* * * * * *' });
  const failed = await until('a run of often', async () => {
    const { items } = await world.read<{ items: { launchId: string }[] }>('runs?job=often');
    return items[0]?.launchId;
  });
  await world.change('POST', 'jobs/often/pause', 200, {});
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/runs/${encodeURIComponent(failed)}`);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run it again' }).click();
  const fact = (term: string) => page.locator('.fact', { hasText: term });
  await fact('attempt').getByText('2', { exact: true }).waitFor();
  await page.goBack();
  await fact('tried again as').getByText('failed').waitFor();
  await page.goto(`${world.origin}/#/runs?job=often`);
  await page.locator('[aria-sort=descending]', { hasText: 'Ended' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('times are shown in any zone that the reader chooses, and stay so', { skip }, async () => {
  const timezone = 'America/New_York';
  await world.addJob({ name: 'nightly', command: 'true', cron: '30 3 * * *', timezone });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/nightly`);
  await page.getByRole('button', { name: /^Times in/ }).click();
  const option = page.getByRole('option');
  await option.nth(2).waitFor();
  const first = ['America/New_York', 'Europe/Berlin', 'UTC'];
  for (const [at, name] of first.entries()) {
    assert.match((await option.nth(at).textContent()) ?? '', RegExp(`^${name}`));
  }
  await page.keyboard.type('jst');
  await option.getByText('Asia/Tokyo', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  const ticks = page.getByRole('region', { name: 'Next ticks' });
  await ticks.getByRole('columnheader', { name: 'Asia/Tokyo GMT+9, yours' }).waitFor();
  assert.match(await ticks.innerText(), /\d\d [A-Z][a-z]{2,3} (\d{4} )?(16|17):30\s/);
  const isCut = `[...document.querySelectorAll('.next-ticks')]
    .some((table) => table.parentElement.scrollWidth > table.parentElement.clientWidth)`;
  assert.equal(await page.evaluate(isCut), false);
  await page.reload();
  await ticks.getByRole('columnheader', { name: 'Asia/Tokyo GMT+9, yours' }).waitFor();
  const times = page.getByRole('button', { name: /^Times in/ });
  await times.click();
  await option.getByText('UTC', { exact: true }).click();
  await times.click();
  await option.getByText('as now: Coordinated Universal Time, +00:00', { exact: true }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('by Ctrl-K one goes anywhere, and acts on what is shown, by the keyboard alone', {
  skip,
}, async () => {
  await world.addJob({ name: 'far away', command: 'true' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(world.origin);
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  const type = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await page.getByRole('button', { name: /^Times in/ }).focus();
  await type('far aw');
  await page.getByRole('heading', { name: 'far away' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  await type('pause');
  await page.getByRole('button', { name: 'Pause it' }).press('Enter');
  await page.getByText('far away is paused.').waitFor();
  await page.keyboard.press('Control+k');
  for (const name of ['Resume far away', 'Mute the alerts of far away', 'Remove far away']) {
    await page.getByRole('option', { name }).waitFor();
  }
  await page.keyboard.press('ArrowDown');
  const chosen = page.getByRole('option', { selected: true });
  assert.equal(await chosen.textContent(), 'Resume far away');
  assert.deepEqual(await faultsOf(page), []);
  await page.keyboard.press('Escape');
  await type('limits');
  await page.getByRole('heading', { name: 'Limits' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('what runs is stopped where the job is, and who changed the job stands there', {
  skip,
}, async () => {
  await world.addJob({ name: 'long', command: 'sleep 600' });
  await world.run('long', 'long-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/long`);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByText('are ended').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the run' }).click();
  await page.getByRole('cell', { name: 'stopped', exact: true }).waitFor();
  await page
    .getByRole('button', { name: 'Stop', exact: true })
    .and(page.getByTitle('Nothing runs.'))
    .waitFor();
  const added = page.getByRole('region', { name: 'Revisions' }).getByText(/^by \S/);
  await added.waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

test('what is said of a run that is stopped moves nothing that it wrote', { skip }, async () => {
  await world.addJob({ name: 'stubborn', command: "trap '' TERM; echo it is here; sleep 300" });
  await world.run('stubborn', 'stubborn-run');
  for (const width of [1_280, 360]) {
    const { close, page, troubles } = await world.open({ as: world.token, width });
    await page.goto(`${world.origin}/#/runs/stubborn-run`);
    const line = page.getByRole('region', { name: 'Output' }).getByText('it is here');
    await line.waitFor();
    const before = await line.boundingBox();
    await page.route('**/api/v1/runs/stubborn-run', async (route) => {
      const answer = await route.fetch();
      const run = (await answer.json()) as object;
      await route.fulfill({ response: answer, json: { ...run, reason: 'it is being stopped' } });
    });
    await page.getByText('it is being stopped').waitFor();
    assert.deepEqual(await line.boundingBox(), before, `at ${width}`);
    assert.deepEqual(troubles, []);
    await close();
  }
  await world.change('POST', 'runs/stubborn-run/stop', 200, {});
});

test('a job says that it runs as often as it does, as its list of runs does', {
  skip,
}, async () => {
  // Each run goes on until it was seen.
  const gate = path.join(await mkdtemp(path.join(os.tmpdir(), 'statecron-again-')), 'gate');
  fileScope.after(() => rm(path.dirname(gate), { recursive: true }));
  const command = `until rm ${gate} 2>/dev/null; do sleep 0.1; done; exit 1`;
  await world.addJob({ name: 'repeated', command, cron: '@daily' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/repeated`);
  const present = page.locator('.fact', { hasText: 'at present' });
  for (const runs of [1, 2]) {
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('button', { name: 'Run it now' }).click();
    await present.getByText('running').waitFor();
    await writeFile(gate, '');
    await page
      .getByRole('cell', { name: 'exit code 1' })
      .nth(runs - 1)
      .waitFor();
    await present.getByText('nothing runs', { exact: true }).waitFor();
  }
  assert.deepEqual(troubles, []);
  await close();
});
