import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { NodeActivity } from '../../src/domain/commit/nodeActivity.ts';
import type { NodeStore } from '../../src/domain/commit/nodeStore.ts';
import { makeActorWorld } from '../actors/actorWorld.ts';
import { lastFirst } from '../support/lastFirst.ts';
import type { Live } from '../support/liveMachines.ts';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';
import { faultsOf } from './checkScreen.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

test('versions of a rolling upgrade stand side by side, and what a drawing lacks is listed', {
  skip,
}, async (t) => {
  const actors = await makeActorWorld(lastFirst(t), world.store.url);
  actors.ledger.lastsMs = () => null;
  await world.change('POST', 'jobs', 201, onNode('web1', 'here'));
  await world.run('here', 'here-run');
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/machines?machine=slot&of=*`);
  await page.getByText('Counts of 1 session').or(page.getByText('which serves')).waitFor();
  const [{ version: own } = { version: '' }] = (await live()).reports;
  assert.equal(await page.getByRole('region', { name: `Version ${own}` }).count(), 0);

  const newer = actors.node('b', { version: '9.0.0' });
  reportAs(newer.running.store, withOtherChart);
  reportAs(actors.node('old', { version: '0.1.0' }).running.store, () => null);
  await until('the three nodes live', async () => (await live()).nodes.length === 3);
  await world.change('POST', 'jobs', 201, onNode('b', 'there'));
  await world.run('there', 'there-run');
  const launch = await until('it runs there', () => actors.ledger.of('there')[0]);

  const part = (version: string, nodes: string) =>
    page.getByRole('region', { name: `Version ${version}: ${nodes}`, exact: true });
  const here = part(own, 'node web1');
  const there = part('9.0.0', 'node b');
  const running = '[data-state="slot.executing.running"]';
  const start = '[data-arrow="slot.prepare.starting slot.executing"] .annotation';
  await here.locator(`${running}.active .annotation`, { hasText: /^1$/ }).waitFor();
  await there.locator('[data-state="slot.executing"].active').waitFor();
  for (const each of [here, there])
    await each
      .locator(start)
      .filter({ hasText: /^1( |$)/ })
      .waitFor();
  assert.equal(await there.locator(`${running}.active`).count(), 0);
  const lacks = there.getByRole('region', { name: 'States and arrows of version 9.0.0' });
  await lacks.getByRole('row', { name: /^executing\.working 1$/ }).waitFor();
  await lacks.getByRole('row', { name: 'executing.working → executing.finishing 0' }).waitFor();
  await there
    .getByText(/^Arrows that are drawn, but not of version 9.0.0: .*running → reset/)
    .waitFor();
  assert.equal(await here.getByText('not drawn').or(here.getByText('are drawn')).count(), 0);
  await part('0.1.0', 'node old').getByText('earlier versions report nothing').waitFor();
  const [left, right] = [await here.boundingBox(), await there.boundingBox()];
  assert.ok(left !== null && right !== null && left.x + left.width <= right.x, 'side by side');
  assert.equal(left.y, right.y);
  assert.deepEqual(await faultsOf(page), []);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await until('they are below each other', async () => {
    const [upper, lower] = [await here.boundingBox(), await there.boundingBox()];
    return upper !== null && lower !== null && upper.y + upper.height <= lower.y;
  });
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  assert.ok(width <= 360, `the page is ${width} wide`);
  assert.deepEqual(await faultsOf(page), []);

  await page.getByRole('combobox', { name: 'Drawing' }).selectOption('');
  await page
    .getByRole('region', { name: 'Transitions of archiver, which has no drawing here' })
    .getByRole('row', { name: 'idle archive.full idle 7' })
    .waitFor();
  launch.end();
  newer.running.drain();
  await page.getByRole('heading', { name: 'Version 9.0.0: no live node' }).waitFor();
  await page.getByText('What its nodes did').click();
  await page.getByRole('group', { name: 'Drawing of actors of version 9.0.0' }).waitFor();
  assert.deepEqual(troubles, []);
  await close();
});

const onNode = (node: string, name: string) => {
  return { name, command: 'sleep 600', cron: ['@manual'], onNode: [node] };
};

const live = () => world.read<Live>('machines/live?cluster=true');

/** Has a node report something else, or nothing, as one of another version may. */
function reportAs(store: NodeStore, other: (own: NodeActivity) => NodeActivity | null): void {
  const report = store.reportActivity.bind(store);
  store.reportActivity = async (sessionId, activity) => {
    const changed = other(activity);
    if (changed !== null) await report(sessionId, changed);
  };
}

/** A state has another name in this version, and there is one machine more. */
function withOtherChart(activity: NodeActivity): NodeActivity {
  const renamed = JSON.parse(
    JSON.stringify(activity).replaceAll('executing.running', 'executing.working'),
  ) as NodeActivity;
  const archiver = {
    ...{ machine: 'archiver', from: 'archiver.idle', to: 'archiver.idle' },
    ...{ event: 'archive.full', guard: null, count: 7 },
  };
  return { ...renamed, transitions: [...renamed.transitions, archiver] };
}
