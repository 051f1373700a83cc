import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeGate } from '../support/makeGate.ts';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('a job is added and edited, and what others save meanwhile is kept', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: false }).first();
  const meaning = page.getByRole('status', { name: 'What the schedule means' });

  await page.goto(`${world.origin}/#/add`);
  await field('name').fill('report');
  await field('command').fill('echo done');
  await field('schedule').fill('30 8 * * *');
  await meaning.getByText('At 08:30').waitFor();
  await button('Add the job').click();
  await page.getByRole('heading', { name: 'report' }).waitFor();

  await button('Edit').click();
  await field('description').fill('Of the day');
  // Somebody else saves before.
  const headers = { authorization: `Bearer ${world.token}`, 'if-match': '*' };
  const path = `${world.origin}/api/v1/jobs/report`;
  const body = JSON.stringify({ command: 'echo theirs' });
  const type = { 'content-type': 'application/json' };
  const theirs = await fetch(path, { method: 'PATCH', headers: { ...headers, ...type }, body });
  assert.equal(theirs.status, 200);
  await button('Save').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else has changed the job meanwhile').waitFor();
  assert.deepEqual(
    troubles.splice(0).filter((text) => !text.includes('412')),
    [],
  );
  await button('Take both; mine where both changed').click();
  await button('Save').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'report' }).waitFor();

  const saved = await fetch(path, { headers });
  const { fields, revision } = (await saved.json()) as { fields: object; revision: number };
  assert.equal(revision, 3);
  const wanted = { cron: ['30 8 * * *'], command: 'echo theirs', description: 'Of the day' };
  assert.deepEqual(fields, wanted);
  assert.deepEqual(troubles, []);
  await close();
});

test('what a job needs is told before it is sent, and a fault goes when its field is changed', {
  skip,
}, async () => {
  await world.addJob({ name: 'taken', command: 'true' });
  const { close, page, troubles } = await world.open({ as: world.token });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/jobs')) sent.push(request.url());
  });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const add = () => page.getByRole('button', { name: 'Add the job' }).click();
  const told = async (name: string, fault: string | RegExp) => {
    await field(name).and(page.locator(':focus')).waitFor();
    assert.equal(await field(name).getAttribute('aria-invalid'), 'true');
    await field(name).locator('..').getByText(fault, { exact: true }).waitFor();
  };

  await page.goto(`${world.origin}/#/add`);
  await field('Name (needed)').focus();
  await page.keyboard.press('Tab');
  await page.getByText('Name is needed.').waitFor();
  await field('Name (needed)').fill('taken');
  assert.equal(await page.getByText('Name is needed.').count(), 0);
  await add();
  await told('Schedule (needed)', 'Schedule is needed.');
  await page.getByText('Command is needed.').waitFor();
  await page.getByText('Not saved: 2 fields are wrong.').waitFor();
  assert.deepEqual(sent, []);

  await field('Schedule (needed)').fill('61 8 * * *');
  assert.equal(await page.getByText('Schedule is needed.').count(), 0);
  await field('Command (needed)').fill('true');
  await add();
  await told('Schedule (needed)', /^Schedule: minute: "61" is out of range 0-59/);
  await field('Schedule (needed)').fill('1 8 * * *');
  assert.equal(await page.locator('.field .fault').count(), 0);
  await add();
  await told('Name (needed)', 'Name is taken already.');
  await field('Name (needed)').fill('follower');
  await page.getByText('Order and history').click();
  await field('After').fill('nothing');
  await add();
  await told('After', 'After: there is no job "nothing".');
  assert.equal((await page.locator('main').innerText()).match(/--[a-z]/), null);
  assert.equal(sent.length, 3);
  // The browser says of each refusal that it was one.
  assert.deepEqual(
    troubles.filter((text) => !/status of (409|422)/.test(text)),
    [],
  );
  await close();
});

test('all that is wrong with a job is told together, the schedule beside any other field', {
  skip,
}, async () => {
  const { close, page } = await world.open({ as: world.token });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const meaning = page.getByRole('status', { name: 'What the schedule means' });
  await page.goto(`${world.origin}/#/add`);
  await field('Name (needed)').fill('wrong');
  await field('Command (needed)').fill('true');
  await field('Schedule (needed)').fill('61 8 * * *');
  await field('Timezone').fill('Mars/Phobos');
  await meaning.getByText(/^Timezone: /).waitFor();
  await meaning.getByText(/^Schedule: minute: "61" is out of range/).waitFor();
  await page.getByText('Its process', { exact: true }).click();
  await field('Timeout').fill('5 apples');
  await page.getByRole('button', { name: 'Add the job' }).click();
  await page.getByText('Not saved: 3 fields are wrong.').waitFor();
  for (const name of ['Schedule (needed)', 'Timezone', 'Timeout']) {
    assert.equal(await field(name).getAttribute('aria-invalid'), 'true', name);
  }
  assert.equal(await meaning.locator('.fault').count(), 0, 'each is told once');
  await close();
});

test('what was typed is there again when one has looked at another screen', { skip }, async () => {
  await world.addJob({ name: 'half', command: 'true' });
  const { close, page, troubles } = await world.open({ as: world.token });
  const command = page.getByRole('textbox', { name: 'Command (needed)', exact: true });
  await page.goto(`${world.origin}/#/jobs/half/edit`);
  await command.fill('echo half typed');
  await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await page.goBack();
  await page.getByText('What you had typed here is back.').waitFor();
  assert.equal(await command.inputValue(), 'echo half typed');
  const asked = page.waitForEvent('dialog');
  await page.reload();
  assert.equal((await asked).type(), 'beforeunload');
  await command.fill('echo half typed again');
  await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
  await page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Start anew' }).click();
  assert.equal(await command.inputValue(), 'true');

  await command.fill('echo dropped');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page
    .getByRole('link', { name: 'Edit' })
    .or(page.getByRole('button', { name: 'Edit' }))
    .click();
  assert.equal(await command.inputValue(), 'true');
  assert.deepEqual(troubles, []);
  await close();
});

test('a plan of a file that was changed meanwhile is dropped, and asked for anew', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const show = page.getByRole('button', { name: 'Show the plan', exact: true });
  const file = page.getByLabel('A file of jobs');
  const gate = makeGate();
  let asked = 0;
  await page.route('**/api/v1/plan*', async (route) => {
    asked += 1;
    if (asked === 1) await gate.passed;
    await route.continue().catch(() => undefined); // the page has left it
  });
  await page.goto(`${world.origin}/#/plan`);
  await file.fill(`jobs: { first: { cron: '@daily', command: x } }`);
  await show.click();
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  await file.fill(`jobs: { other: { cron: '@daily', command: x } }`);
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
  // A button that is still at work takes no click, and the end of the dropped request is told late.
  await show.and(page.locator('[aria-busy=false]')).click();
  const steps = page.locator('.plan-steps');
  await steps.getByText('other', { exact: true }).waitFor();
  gate.open();
  assert.equal(await steps.getByText('first', { exact: true }).count(), 0);
  assert.deepEqual(troubles, []);
  await close();
});

test('a file of jobs is planned, and applied only as it was shown', { skip }, async () => {
  await world.addJob({ name: 'old', command: 'echo old', cron: '@daily', group: 'files' });
  const { close, page, troubles } = await world.open({ as: world.token });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const apply = page.locator('header').getByRole('button', { name: 'Apply it' });
  await page.goto(`${world.origin}/#/plan`);
  assert.equal(await apply.getAttribute('title'), 'Look at the plan first.');
  const file = page.getByLabel('A file of jobs');
  await file.fill('jobs: { a: { cron: 61 * * * *, command: x } }');
  await button('Show the plan').click();
  await page.getByRole('alert').getByRole('link', { name: '/docs/jobs' }).waitFor();
  const prune = page.getByLabel('Remove jobs of its groups that are not in it');
  await prune.check();
  const asked = page.waitForEvent('dialog');
  await page.reload();
  assert.equal((await asked).type(), 'beforeunload', 'what is typed is not dropped unasked');
  assert.equal(await file.inputValue(), '');
  assert.ok(!(await prune.isChecked()), 'a reload keeps neither of them');
  const changed = `old: { cron: '@daily', command: echo new }`;
  const added = `one: { cron: '@hourly', command: x }`;
  await file.fill(`group: files\njobs: { ${changed}, ${added} }`);
  await button('Show the plan').click();
  await page.getByText('Jobs that would be: 1 added, 1 changed.').waitFor();
  const step = page.getByRole('listitem').filter({ hasText: 'old' });
  await step.getByText('echo old', { exact: true }).and(page.locator('del *, del')).waitFor();
  await step.getByText('echo new', { exact: true }).and(page.locator('ins *, ins')).waitFor();

  await world.editJob('old', { description: 'Changed meanwhile' });
  await apply.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply it' }).click();
  await page.getByText('Somebody else has changed the jobs meanwhile.').waitFor();
  await step.getByText('Changed meanwhile').waitFor();
  await apply.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply it' }).click();
  await page.getByText('Jobs: 1 added, 1 changed.').waitFor();
  await page.getByRole('link', { name: 'one', exact: true }).waitFor();

  await prune.check();
  await file.fill('group: files\njobs: {}');
  await button('Show the plan').click();
  await page.getByText('Jobs that would be: 2 removed.').waitFor();
  await apply.click();
  await page.getByRole('dialog').getByText('It removes:').waitFor();
  const named = page.getByRole('dialog').getByRole('listitem');
  assert.deepEqual(await named.allTextContents(), ['old', 'one']);
  await page.getByRole('dialog').getByRole('button', { name: 'Apply it' }).click();
  await page.getByText('Jobs: 2 removed.').waitFor();
  let isAsked = false;
  page.on('dialog', () => (isAsked = true));
  await page.reload();
  assert.ok(!isAsked, 'what is applied may go');
  const refused = troubles.filter((text) => !/ (412|422) /.test(text));
  assert.deepEqual(refused, []);
  await close();
});

test('who edits a job that is paused reads until when, and that it no longer is', {
  skip,
}, async () => {
  await world.addJob({ name: 'rests', command: 'true', cron: '@daily' });
  await world.change('POST', 'jobs/rests/pause', 200, { until: '1h', note: 'disk swap' });
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs/rests/edit`);
  const head = page.getByRole('main').locator('header');
  await head.getByText('paused', { exact: true }).waitFor();
  await head.getByText(/until .*\d\d:\d\d.* CES?T: disk swap$/).waitFor();
  await world.change('POST', 'jobs/rests/resume', 200);
  await head.getByText('paused', { exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual(troubles, []);
  await close();
});

test('on a telephone the next ticks of a new job stand next to its schedule', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token, width: 360 });
  await page.goto(`${world.origin}/#/add`);
  await page.getByLabel('Schedule (needed)').fill('30 8 * * *');
  const meaning = page.getByRole('status', { name: 'What the schedule means' });
  await meaning.getByText('At 08:30').waitFor();
  const { height = 0, y = 0 } = (await meaning.boundingBox()) ?? {};
  assert.ok(height > 0 && y + height < 800, `it ends at ${y + height}`);
  assert.deepEqual(troubles, []);
  await close();
});

// The last one, as it ends the login that all share.
test('what one reader typed is gone when another may come', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  const command = page.getByLabel('command', { exact: false }).first();
  await page.goto(`${world.origin}/#/add`);
  await command.fill('curl -u me:secret');
  await page.goto(`${world.origin}/#/plan`);
  const file = page.getByRole('textbox').last();
  await file.fill('jobs: {}');
  await page.goto(`${world.origin}/#/add`);
  await page.getByText('curl -u me:secret').or(command).first().waitFor();
  assert.equal(await command.inputValue(), 'curl -u me:secret');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').fill(world.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  await page.goto(`${world.origin}/#/add`);
  assert.equal(await command.inputValue(), '');
  await page.goto(`${world.origin}/#/plan`);
  assert.equal(await file.inputValue(), '');
  assert.deepEqual(troubles, []);
  await close();
});
