import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { skip } from '../../browser/browserProgram.ts';
import { faultsOf } from '../../browser/checkScreen.ts';
import { fileScope } from '../../support/testEngine.ts';
import { faultKinds } from '../faults/faultKinds.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { FaultKind } from '../world/faultWorld.ts';
import { type BoardWorld, makeBoardWorld } from './boardWorld.ts';
import { pressFault } from './pressFault.ts';

let world: BoardWorld;
/** No node is to lose its lease for whatever else this machine is busy with. */
const sessionTtl = '15s';
before(async () => {
  if (skip === false) world = await makeBoardWorld(fileScope, 'mariadb', sessionTtl);
});

test('the board is whole at 1280 by 800, in letters that one can read', { skip }, async () => {
  const { page } = world;
  await page.getByRole('button', { name: 'node killed', exact: true }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await faultsOf(page), []);
  }
  assert.deepEqual(await page.evaluate(size), [1_280, 800]);
  assert.ok(Number(await page.evaluate(smallest)) >= 11);
  assert.equal(await page.locator('#rules li').count(), 12);
});

test('kinds that this engine has not are off and say why', { skip }, async () => {
  const button = world.page.getByRole('button', { name: 'member frozen', exact: true });
  assert.equal(await button.isDisabled(), true);
  await world.page.getByText('only a cluster of databases has members').waitFor();
});

for (const name of ['connections refused', 'node killed', 'one stripe held']) {
  test(`${name} on the board is done at once, and heals`, { skip }, async () => {
    await pressFault(faultKinds().find(({ kind }) => kind === name) as FaultKind, world);
  });
}

test('the seed deals beside what is pressed, until it is told to stop', { skip }, async () => {
  const { page, table } = world;
  const before = table.healed.length;
  await page.getByRole('button', { name: 'Deal by seed' }).click();
  await page.locator('#faults [aria-pressed=true]').first().waitFor();
  await page.getByRole('button', { name: 'Stop dealing' }).click();
  await page.getByRole('button', { name: 'Deal by seed' }).waitFor();
  await page.locator('#faults:not(:has([aria-pressed=true]))').waitFor();
  assert.ok(table.healed.length >= before);
});

/** Healing, the recovery bound, reading and judging come before it; on a busy machine, minutes. */
const atEnd = { timeout: 600_000 };
/** No slot ever held it. */
const phantom = 'phantom:1';

test('the lights tell of the run so far, and what is broken is red at once', { skip }, async () => {
  const { folder, page, state } = world;
  await page.locator('#rules:has(li):not(:has(li:not([data-state=sofar])))').waitFor(atEnd);
  const upTo = /no violation found up to \d\d:\d\d:\d\d$/;
  assert.match((await page.locator('#judged').textContent()) ?? '', upTo);
  assert.match((await page.locator('#rules li').first().getAttribute('title')) ?? '', upTo);
  const tick = ['', 'second-1', '2030-01-01T00:00:00.000Z', '1', 'n1', 'second-1#1'];
  const start = ['S', phantom, '1', String(bootNowMs()), ...tick].join('\t');
  await appendFile(path.join(folder, 'ledger', 'phantom'), `${start}\n`);
  const light = page.locator('#rules li[data-state=broken]', { hasText: 'C2' });
  await light.waitFor(atEnd);
  assert.equal(state.phase, 'faults');
  assert.match((await light.textContent()) ?? '', / – broken \(1\)$/);
  assert.match((await light.getAttribute('title')) ?? '', /which no slot ever held/);
});

test('when it is ended each rule is judged, and the report opens', { skip }, async (t) => {
  const { page, pageTroubles, verdict } = world;
  await page.locator('#operations li').first().waitFor();
  await page.getByRole('button', { name: 'End and judge' }).click();
  const undecided = ':has([data-state=open], [data-state=sofar])';
  await page.locator(`#rules:has([data-state=kept]):not(${undecided})`).waitFor(atEnd);
  const { text, violations } = await verdict;
  assert.ok(violations.some(({ launchId, rule }) => launchId === phantom && rule === 'C2'));
  if (violations.some(({ launchId }) => launchId !== phantom)) t.diagnostic(text);
  await page.waitForURL(/\/report$/);
  await page.locator('#lanes').waitFor();
  assert.deepEqual(pageTroubles, []);
});

const size = '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]';
const smallest = `Math.min(...[...document.querySelectorAll('body *')]
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))`;
