import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

const ways: Readonly<Record<string, (target: Locator) => Promise<void>>> = {
  'by mouse': (target) => target.click(),
  'by keyboard alone': pressEnterOn,
};

for (const [way, use] of Object.entries(ways)) {
  const title = `a job is run, read as it runs, paused, rolled back and removed ${way}`;
  test(title, { skip }, async () => {
    const job = `of the walk ${way}`;
    // It goes on only when its first line was seen, so that this can only have come live.
    const first = 'gate=$(mktemp -d); echo "the gate is $gate"';
    const command = `${first}; until [ -e "$gate/go" ]; do sleep 0.1; done; echo it went on`;
    await world.addJob({ name: job, command });
    const { close, page, troubles } = await world.open();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const link = (name: string) => page.getByRole('link', { name, exact: true });

    await page.goto(world.origin);
    await page.getByLabel('Token').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(world.token);
    await use(button('Log in'));
    await use(link('Jobs'));
    await use(page.getByRole('row', { name: job }).getByRole('link', { name: job, exact: true }));
    await use(button('Run now'));
    await use(page.getByRole('dialog').getByRole('button', { name: 'Run it now' }));
    await whileItStays(page, () => use(link('Show the run and its output')));
    const output = page.getByRole('region', { name: 'Output' });
    await link('Show the run and its output').waitFor({ state: 'detached' });
    await output.getByText('the gate is').waitFor();
    const folder = /the gate is (\S+)/.exec(await output.innerText())?.[1];
    await writeFile(`${folder}/go`, '');
    await output.getByText('it went on').waitFor();
    await page.getByText('succeeded', { exact: true }).waitFor();

    await use(page.locator('header').getByRole('link', { name: job }));
    const place = async () => (await button('Run now').boundingBox())?.x;
    const placeBefore = await place();
    await use(button('Pause'));
    await use(button('Pause it'));
    await page.getByText(`${job} is paused.`).waitFor();
    await button('Resume').waitFor();
    assert.equal(await place(), placeBefore);
    await use(button('Resume'));
    await seeInstead(page, `${job} is paused.`, `The schedule of ${job} applies again.`);
    await button('Pause').waitFor();

    await use(button('Mute alerts'));
    await page.getByLabel('Why, for others to read').fill('new disk');
    await page.getByLabel('Why, for others to read').press('Enter');
    await page.getByText(/alerts muted until .* by .*: new disk/).waitFor();
    assert.equal((await page.locator('.bar').boundingBox())?.height, 44);
    await use(button('Unmute alerts'));
    await button('Mute alerts').waitFor();

    await world.editJob(job, { description: 'Changed meanwhile' });
    await page.reload(); // no event says so; by itself it would be seen within half a minute
    await page.getByText('Changed meanwhile').first().waitFor();
    await use(button('Go back to revision 1'));
    await use(page.getByRole('dialog').getByRole('button', { name: 'Go back to revision 1' }));
    await page.getByText(/has the definition of revision 1 again/).waitFor();
    await page.getByText('same fields as now').first().waitFor();
    await button('Go back to revision 1').waitFor({ state: 'detached' });
    await page.locator('.sentence').getByText('Changed meanwhile').waitFor({ state: 'detached' });

    await closeByBack(page, () => use(button('Remove')));
    await use(button('Remove'));
    await use(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await use(button('Remove'));
    await use(page.getByRole('dialog').getByRole('button', { name: 'Remove the job' }));
    await page.getByText('is removed. Its history is kept.').waitFor();
    await page.getByRole('row', { name: job }).waitFor({ state: 'detached' });
    // A read of the job that was under way finds it removed.
    const others = troubles.filter((each) => !/status of 404 \(Not Found\)/.test(each));
    assert.deepEqual(others, []);
    await close();
  });
}

/** A message stays while somebody points at it: who presses Tab so often may be slow. */
async function whileItStays(page: Page, act: () => Promise<void>): Promise<void> {
  await page.getByRole('log').locator('.message').last().hover();
  await act();
}

/** A dialog is of its place. */
async function closeByBack(page: Page, open: () => Promise<void>): Promise<void> {
  await open();
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goForward();
}

async function seeInstead(page: Page, older: string, newer: string): Promise<void> {
  await page.getByText(newer).waitFor();
  assert.equal(await page.getByText(older).count(), 0);
}

/** Goes there by Tab, which fails where it cannot be reached, and presses Enter. */
async function pressEnterOn(target: Locator): Promise<void> {
  await target.waitFor();
  const page: Page = target.page();
  const tabsMax = 150;
  for (let tabs = 0; tabs <= tabsMax; tabs += 1) {
    if ((await target.and(page.locator(':focus')).count()) > 0) {
      await page.keyboard.press('Enter');
      return;
    }
    await page.keyboard.press('Tab');
  }
  assert.fail(`${target} cannot be reached by Tab`);
}
