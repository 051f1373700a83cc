import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { chartedMachines } from '../statecharts/chartedMachines.ts';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('current states of machines are highlighted, that of a slot until its run ends', {
  skip,
}, async () => {
  await world.addJob({ name: 'long', command: 'sleep 600' });
  await world.run('long', 'long-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/machines`);
  const chart = page.locator('.chart');
  await chart
    .locator('[data-state="actors.node"] .annotation', { hasText: 'live.serving' })
    .waitFor();
  await chart
    .locator('[data-state="actors.slot"].active .annotation', { hasText: '1 slot' })
    .waitFor();
  await page.getByRole('row', { name: 'recorder' }).getByRole('link', { name: 'poller' }).click();
  await page.getByRole('img', { name: 'The statechart poller' }).waitFor();
  assert.match(page.url(), /#\/machines\?machine=poller$/);
  await page.getByRole('row', { name: 'cleaner' }).waitFor();
  assert.equal(await page.getByRole('row', { name: 'scheduler' }).count(), 0);

  await page.getByRole('combobox', { name: 'Drawing' }).selectOption('slot');
  const running = chart.locator('[data-state="slot.executing.running"]');
  await running.locator('.annotation', { hasText: '1' }).waitFor();
  await page.getByRole('row', { name: 'executing.running' }).getByText('1').waitFor();
  assert.deepEqual(await activeStates(), ['slot.executing', 'slot.executing.running']);
  await page.getByRole('combobox', { name: 'Drawing' }).selectOption('lifecycle');
  await chart
    .locator('[data-state="lifecycle.executing"].active .annotation', { hasText: '1' })
    .waitFor();

  await page.getByRole('combobox', { name: 'Drawing' }).selectOption('slot');
  await running.locator('.annotation').waitFor();
  await world.change('POST', 'runs/long-run/stop', 200);
  await page.getByText('No slot is held').waitFor();
  assert.deepEqual(await activeStates(), []);
  assert.deepEqual(troubles, []);
  await close();

  async function activeStates() {
    return await chart
      .locator('.active')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-state')));
  }
});

test('each drawing is seen in its whole width beside the navigation, at 1280 pixels', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/machines`);
  const choice = page.getByRole('combobox', { name: 'Drawing' });
  await choice.waitFor();
  const values = await choice
    .getByRole('option')
    .evaluateAll((all) => all.map((each) => (each as unknown as { readonly value: string }).value));
  const machines = chartedMachines.map(({ id }) => id);
  assert.deepEqual(values.toSorted(), ['', 'lifecycle', ...machines].toSorted());
  for (const value of values) {
    await choice.selectOption(value);
    const name = value === '' ? 'actors' : value;
    await page.getByRole('img', { name: `The statechart ${name}` }).waitFor();
    const box = page.getByRole('group', { name: `Drawing of ${name}` });
    const hidden = await box.evaluate((each) => each.scrollWidth - each.clientWidth);
    assert.equal(hidden, 0, `${name} is cut`);
  }
  assert.deepEqual(troubles, []);
  await close();
});

test('a drawing follows the colours that the reader has chosen, and scrolls by itself', {
  skip,
}, async () => {
  for (const colours of ['light', 'dark'] as const) {
    const { close, page, troubles } = await world.open({ as: world.token, colours, width: 360 });
    await page.goto(`${world.origin}/#/machines?machine=scheduler`);
    await page.locator('.chart svg').waitFor();
    const paper = `document.querySelector('.chart svg > rect')`;
    const fill = await page.evaluate<string>(`getComputedStyle(${paper}).fill`);
    assert.equal(fill, colours === 'light' ? 'rgb(251, 250, 247)' : 'rgb(19, 23, 29)');
    const box = page.getByRole('group', { name: 'Drawing of scheduler' });
    const isWider = await box.evaluate((box) => box.scrollWidth > box.clientWidth);
    assert.ok(isWider);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    assert.ok(width <= 360, `the page is ${width} wide`);
    assert.deepEqual(troubles, []);
    await close();
  }
});
