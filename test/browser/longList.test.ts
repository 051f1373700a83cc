import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inOrder, nextRows, rowsThatFit } from '../../src/page/rows/nextRows.ts';
import { RowKeys } from '../../src/page/rows/rowKeys.ts';
import { makeGate } from '../support/makeGate.ts';
import { addManyJobs } from '../support/manyJobs.ts';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip !== false) return;
  world = await makeBrowserWorld(fileScope);
  await addManyJobs(world.store, 400);
});

const rowPixels = 24;
const seenRows = 30;

test('a fast scroll gives the rows that are drawn to other jobs, in the order of the list', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  await inPlace(page, 60);
  const mark = `for (const row of document.querySelectorAll('.rows > .row')) row.isOld = true`;
  await page.evaluate(mark);
  for (const place of [100, 20, 200, 40]) await inPlace(page, place);
  const made = await page.evaluate<number>(
    `[...document.querySelectorAll('.rows > .row')].filter((row) => !row.isOld).length`,
  );
  // At another place parts of two more may be seen.
  assert.ok(made <= 3, `${made} rows were made`);
  assert.deepEqual(troubles, []);
  await close();
});

test('a row that has the focus becomes no other job, and keeps it when a job is added above', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  await inPlace(page, 0);
  const focused = 'document.activeElement.closest(".row")?.querySelector("[data-row]").textContent';
  await page.getByRole('link', { name: 'job-000003', exact: true }).focus();
  await world.addJob({ name: 'above-all', command: 'true' });
  await page.getByRole('link', { name: 'above-all', exact: true }).waitFor();
  assert.equal(await page.evaluate(focused), 'job-000003');
  await inPlace(page, 200);
  assert.equal(await page.evaluate(focused), undefined);
  assert.deepEqual(troubles, []);
  await close();
});

test('a scroll that goes on while more of the list is read lets that be read', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  let reads = 0;
  const answer = makeGate();
  await page.route('**/api/v1/jobs?*after=*', async (route) => {
    reads += 1;
    await answer.passed;
    // A read that was given up is nobody's any more.
    await route.continue().catch(() => undefined);
  });
  await page.goto(`${world.origin}/#/jobs`);
  await inPlace(page, 0);
  for (let place = 30; reads === 0 || place < 100; place += 1) {
    await page.evaluate(`scrollTo(0, ${(place % 70) * rowPixels})
      new Promise((resolve) => requestAnimationFrame(resolve))`);
  }
  assert.equal(reads, 1);
  answer.open();
  await inPlace(page, 150);
  assert.deepEqual(troubles, []);
  await close();
});

test('a row that is moved has the others keep their styles', { skip }, async () => {
  const { close, page } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/jobs`);
  await inPlace(page, 0);
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['devtools.timeline'] });
  await page.evaluate(`const rows = document.querySelector('.rows');
    rows.insertBefore(rows.lastElementChild, rows.firstElementChild);
    document.body.offsetTop`);
  const { traceEvents } = JSON.parse(`${await browser?.stopTracing()}`) as {
    traceEvents: { name: string; args: { elementCount?: number } }[];
  };
  const styled = traceEvents.filter(({ name }) => name === 'UpdateLayoutTree');
  const counts = styled.map(({ args }) => args.elementCount ?? 0);
  assert.ok(Math.max(...counts) > 10 && Math.max(...counts) < 200, `${counts} elements`);
  await close();
});

/** Scrolls there, and waits until what can be seen is drawn, and stands in its order. */
async function inPlace(page: Page, place: number): Promise<void> {
  await until(`the rows from ${place}`, async () => {
    // Further than has been read it does not go.
    await page.evaluate(`scrollTo(0, ${place * rowPixels})`);
    const places = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.rows > .row')].map((row) => Number(row.ariaRowIndex) - 2)`,
    );
    const isInOrder = places.every((at, index) => index === 0 || at > (places[index - 1] ?? 0));
    const seen = Array.from({ length: seenRows }, (_, row) => place + row);
    return isInOrder && seen.every((at) => places.includes(at));
  });
}

test('of the rows of a long list so many change in a frame, and none that is wanted', () => {
  const first = nextRows([], { first: 0, end: 6 }, 6);
  assert.deepEqual(first, [0, 1, 2, 3, 4, 5]);
  assert.equal(nextRows(first, { first: 0, end: 6 }, 2), first);
  const wanted = { first: 4, end: 10 };
  const second = nextRows(first, wanted, 2);
  assert.deepEqual(second, [6, 7, 2, 3, 4, 5]);
  const third = nextRows(second, wanted, 2);
  assert.deepEqual(third, [6, 7, 8, 9, 4, 5]);
  assert.deepEqual(inOrder(third, 1), [4, 6, 7, 8, 9, 5]);
  assert.deepEqual(inOrder(third, 2), [4, 5, 6, 7, 8, 9]);
  assert.equal(inOrder(first, 1), first);
  // A window that became higher has more rows; one that became lower leaves them as they are.
  assert.deepEqual(nextRows(first, { first: 0, end: 8 }, 9), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(nextRows(first, { first: 1, end: 3 }, 9), first);
});

test('a frame that took too long has the next one change fewer rows, and at least two', () => {
  assert.equal(rowsThatFit(5, 4), 6);
  assert.equal(rowsThatFit(10, 4), 10);
  assert.equal(rowsThatFit(10, 12), 5);
  assert.equal(rowsThatFit(5, 100), 2);
});

test('a row of the document is given to what comes unless the focus is in it', () => {
  const keys = new RowKeys();
  assert.deepEqual(keys.keysOf(['a', 'b', 'c'], null), [0, 1, 2]);
  assert.deepEqual(keys.keysOf(['new', 'a', 'b'], null), [2, 0, 1]);
  assert.deepEqual(keys.keysOf(['d', 'e', 'b'], 0), [2, 3, 1]);
});
