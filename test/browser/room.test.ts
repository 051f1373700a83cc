import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeGate } from '../support/makeGate.ts';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
  await world.addJob({ name: 'backup-db', command: 'true', tag: ['nightly'], cron: '@daily' });
  const name = 'invoice-export-of-each-month';
  await world.addJob({ name, command: 'true', tag: ['nightly', 'invoices'], cron: '@manual' });
});

test('Revisions stay where they are when the next ticks arrive', { skip }, async () => {
  for (const job of ['backup-db', 'invoice-export-of-each-month']) {
    const { close, page, troubles } = await world.open({ as: world.token });
    const gate = makeGate();
    await page.route(/\/next\?/, async (route) => {
      await gate.passed;
      await route.continue();
    });
    await page.goto(`${world.origin}/#/jobs/${job}`);
    const revisions = page.getByRole('heading', { name: 'Revisions' });
    await revisions.waitFor();
    const top = async () => (await revisions.boundingBox())?.y ?? 0;
    const before = await top();
    gate.open();
    const ticks = page.getByRole('region', { name: 'Next ticks' });
    await ticks.getByRole('status').waitFor({ state: 'detached' });
    assert.ok(Math.abs((await top()) - before) <= 6, `${job}: ${before} to ${await top()}`);
    assert.deepEqual(troubles, []);
    await close();
  }
});

test('labels of a job that do not fit are said to be there', { skip }, async () => {
  const { close, page, troubles } = await world.open({ as: world.token, width: 1_000 });
  await page.goto(`${world.origin}/#/jobs`);
  const isShown = (name: string) =>
    page
      .getByRole('row', { name })
      .locator('.labels')
      .evaluate((labels) => {
        const [{ top = 0, bottom = 0 }, more] = [
          labels.getBoundingClientRect(),
          labels.querySelector('.more')?.getBoundingClientRect(),
        ];
        return more !== undefined && more.top >= top - 4 && more.top < bottom && more.width > 0;
      });
  await page.getByRole('row', { name: 'backup-db' }).waitFor();
  assert.deepEqual([await isShown('backup-db'), await isShown('invoice-export')], [false, true]);
  assert.deepEqual(troubles, []);
  await close();
});

test('the bar of selected jobs takes the room that it has, and messages stand above it', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  await page.getByRole('checkbox', { name: 'Select backup-db' }).check();
  const bar = page.getByRole('toolbar', { name: 'Selected jobs' });
  const height = async () => (await bar.boundingBox())?.height ?? 0;
  assert.ok((await height()) < 60, `one row at 1280: ${await height()}`);
  await page.setViewportSize({ width: 360, height: 800 });
  assert.ok((await height()) < 100, `two rows at 360: ${await height()}`);
  for (const width of [360, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole('button', { name: 'Run backup-db now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run it now' }).click();
    const message = page.getByRole('log').locator('.message');
    await message.first().waitFor();
    const { y = 0, height: high = 0 } = (await message.last().boundingBox()) ?? {};
    const { y: barTop = 0 } = (await bar.boundingBox()) ?? {};
    assert.ok(y + high <= barTop, `${width}: ${y + high} above ${barTop}`);
  }
  assert.deepEqual(troubles, []);
  await close();
});
