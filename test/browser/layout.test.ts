import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import type { BrowserWorld, Window } from './browserWorld.ts';
import { makeSampleWorld } from './sampleWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeSampleWorld(fileScope);
});

async function openAt(path: string, colours: 'light' | 'dark' = 'light'): Promise<Window> {
  const opened = await world.open({ as: world.token, colours });
  await opened.page.goto(`${world.origin}/#/${path}`);
  return opened;
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  assert.ok(box !== null);
  return { ...box, right: box.x + box.width, middle: box.y + box.height / 2 };
}

/** What is seen at a place: red, green and blue. */
async function colourAt(page: Page, x: number, y: number): Promise<readonly number[]> {
  const png = await page.screenshot({ clip: { x, y, width: 1, height: 1 } });
  return (await page.evaluate(`(async () => {
    const picture = await createImageBitmap(new Blob([new Uint8Array([${[...png]}])]));
    const context = new OffscreenCanvas(1, 1).getContext('2d');
    context.drawImage(picture, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  })()`)) as readonly number[];
}

test('the veil of a dialog reaches to the right edge', { skip }, async () => {
  for (const colours of ['light', 'dark'] as const) {
    const { close, page } = await openAt('groups', colours);
    await page.getByRole('button', { name: 'Add a group' }).click();
    await page.getByRole('dialog').waitFor();
    const [veiled, edge] = [await colourAt(page, 1_250, 700), await colourAt(page, 1_275, 700)];
    const apart = veiled.map((value, at) => Math.abs(value - (edge[at] ?? 0)));
    assert.ok(Math.max(...apart) <= 1, `${colours}: ${veiled}, ${edge}`);
    await close();
  }
});

test('where a new job is added, and it appears, is nothing that removes it', {
  skip,
}, async () => {
  const { close, page } = await openAt('add');
  const add = await boxOf(page.getByRole('button', { name: 'Add the job' }));
  await page.goto(`${world.origin}/#/jobs/sample`);
  await page.getByRole('button', { name: 'Remove', exact: true }).waitFor();
  for (const button of await page.locator('.bar button').all()) {
    const { right, x } = await boxOf(button);
    assert.ok(x > add.right || right < add.x, `${x} to ${right}, ${add.x} to ${add.right}`);
  }
  const top = async () => (await boxOf(page.getByRole('heading', { name: 'What it is' }))).y;
  const before = await top();
  await page.getByRole('button', { name: 'Live' }).click();
  await page.getByText('nothing changes until you go on').waitFor();
  assert.equal(await top(), before);
  await page.getByText('new revision', { exact: true }).waitFor();
  await close();
});

test('at 360 pixels all screens and the zone of times can be reached', { skip }, async () => {
  const { close, page } = await openAt('audit');
  await page.setViewportSize({ width: 360, height: 800 });
  const more = page.getByRole('button', { name: 'More' });
  const { x } = await boxOf(more);
  for (const link of await page.locator('.places a').all()) {
    assert.ok((await boxOf(link)).right <= x);
  }
  const hint = page.locator('.search kbd');
  assert.ok((await boxOf(hint)).right < (await boxOf(page.locator('.search input'))).right);
  await more.click();
  await page.getByRole('link', { name: 'Cluster' }).waitFor();
  await page.getByRole('button', { name: 'Times in Europe/Berlin' }).click();
  await page.getByRole('dialog').waitFor();
  await page.goto(`${world.origin}/#/jobs/half-monthly`);
  await page.locator('.next-ticks').waitFor();
  const isCut = `[...document.querySelectorAll('.next-ticks')]
    .some((table) => table.parentElement.scrollWidth > table.parentElement.clientWidth)`;
  assert.equal(await page.evaluate(isCut), false);
  await close();
});

test('a check box stands in the middle of its line, and is no grey of the browser', {
  skip,
}, async () => {
  const { close, page } = await openAt('notifications', 'dark');
  await page.getByRole('button', { name: 'Mute alerts' }).click();
  const label = page.getByRole('dialog').getByText('1 hour');
  const [radio, line] = [await boxOf(label.getByRole('radio')), await boxOf(label)];
  assert.ok(Math.abs(radio.middle - line.middle) <= 1, `${radio.middle} ${line.middle}`);
  await close();
});

test('what can be done to a target is in one line', { skip }, async () => {
  const { close, page } = await openAt('notifications');
  const target = page.getByRole('row', { name: 'ops' });
  const tops = ['Send a test to ops', 'Mute ops', 'Change ops', 'Remove ops'].map(
    async (name) => (await boxOf(target.getByRole('button', { name }))).y,
  );
  assert.equal(new Set(await Promise.all(tops)).size, 1);
  await close();
});

test('a message stands beside the button that closes it', { skip }, async () => {
  const { close, page } = await openAt('jobs/sample');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.getByRole('button', { name: 'Pause it' }).click();
  const message = page.getByRole('log').getByText('sample is paused');
  const [text, button] = [
    await boxOf(message),
    await boxOf(page.getByRole('log').getByRole('button', { name: 'Close' }).first()),
  ];
  assert.ok(Math.abs(text.middle - button.middle) <= 1, `${text.middle} ${button.middle}`);
  await world.change('POST', 'jobs/sample/resume', 200);
  await close();
});

test('the runs of a job and its next ticks fit their place, whatever the width', {
  skip,
}, async () => {
  await world.addJob({ name: 'wide', command: 'true', cron: '50 * * * *', timezone: 'Asia/Tokyo' });
  await world.store.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
      started_at, ended_at, result, exit_code, reason)
    SELECT job_id, 1, 'backfill', 1, NOW(3) - INTERVAL 1 DAY, NOW(3) - INTERVAL 1 DAY,
      NOW(3) - INTERVAL 1425 MINUTE, 'timed_out', 1, 'it took longer than it may'
    FROM job WHERE name = 'wide'`);
  const { close, page } = await openAt('jobs/wide?why=open');
  await page.getByText('it took longer than it may').waitFor();
  await page.getByText('Asia/Tokyo').last().waitFor();
  await page.getByText('It may run on 1 of 1 node').click();
  for (const width of [360, 1_160, 1_280, 1_440]) {
    await page.setViewportSize({ width, height: 800 });
    const cut = await page.evaluate(`[...document.querySelectorAll('.job .scrolls table')]
      .filter(({ parentElement: { clientWidth, scrollWidth } }) => scrollWidth > clientWidth)
      .map((table) => table.className)`);
    assert.deepEqual(cut, [], `${width} pixels`);
  }
  await close();
});

test('a schedule is set in one width in what a revision changed', { skip }, async () => {
  await world.addJob({ name: 'spaced', command: 'true', cron: '0 7 * * *' });
  await world.editJob('spaced', { cron: ['15 7 * * *'] });
  const { close, page } = await openAt('jobs/spaced');
  await page.getByText('15 7 * * *').and(page.locator('ins')).waitFor();
  const font = await page.evaluate("getComputedStyle(document.querySelector('ins')).fontFamily");
  assert.match(String(font), /monospace$/);
  await close();
});

test('the numbers of Now reach from side to side', { skip }, async () => {
  const { close, page } = await openAt('');
  const nodes = page.getByRole('region', { name: 'Nodes' });
  const last = page.locator('.counts li').last();
  const [right, wanted] = [(await boxOf(last)).right, (await boxOf(nodes)).right];
  assert.ok(Math.abs(right - wanted) <= 1, `${right} ${wanted}`);
  await close();
});

test('ticks to come of a timeline do not merge, and go on to its end', { skip }, async () => {
  await world.addJob({ name: 'often', command: 'true', cron: '*/5 * * * * *' });
  const { close, page } = await openAt('timeline?text=often&window=1h');
  await page.getByText(/^\+.* to come$/).waitFor();
  const path = await page.locator('.tracks path.next').getAttribute('d');
  const places = [...(path ?? '').matchAll(/M([\d.]+) /g)].map(([, place]) => Number(place));
  assert.ok(places.length > 2);
  for (const [at, place] of places.entries()) {
    assert.ok(at === 0 || place - (places[at - 1] ?? 0) >= 7, `${places}`);
  }
  assert.match((await page.locator('.tracks path.rest').getAttribute('d')) ?? '', /H1000$/);
  await page.getByText('new revision', { exact: true }).waitFor();
  const range = page.locator('.axis-row p');
  assert.ok((await boxOf(range)).height < 20);
  const texts = page.locator('.axis span');
  for (const text of await texts.all()) {
    const { right } = await boxOf(text);
    assert.ok(right <= (await boxOf(page.locator('.axis'))).right + 8, `${right}`);
  }
  await close();
});
