import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { startCutProxy } from '../support/cutProxy.ts';
import { until, within } from '../support/until.ts';
import { makeActorWorld, moreLooks } from './actorWorld.ts';
import { holdStripes } from './holdStripes.ts';

const commit = '/* commitBatch commit */';

describe('resets', { concurrency: true }, () => {
  test('a reset asked for again while its stripe is held is done once', async (t) => {
    const world = await makeActorWorld(t);
    const proxy = await startCutProxy(world.scope, world.url);
    await world.addOnce('job', 4);
    const node = world.node('a', { url: proxy.url });
    const first = await within('the claim', node.firstAdopted);
    await proxy.cutAt(commit, 'reply lost');
    const release = await holdStripes(world, [first.stripe]);
    await until('memory lets go', () => node.running.roster.size === 0);
    // Two looks make a suspect, each one after them asks again.
    await moreLooks(node, 5);
    await release();
    await until('the run', async () =>
      (await world.runs('job')).some(({ result }) => result === 'succeeded'),
    );
    assert.equal(node.ending(), null, 'the node lives on');
    assert.deepEqual(
      (await world.runs('job')).map(({ result }) => result),
      ['not_started', 'succeeded'],
    );
    await world.requireSound();
  });

  test('a launch whose claim is acknowledged late is not reset while it executes', async (t) => {
    let tries = 1;
    while (!(await acknowledgeLate(t))) {
      tries += 1;
      assert.ok(tries <= 20, 'the machine stood still each time');
    }
  });
});

/** False: the machine stood still until the client gave up the claim, so that it is not late. */
async function acknowledgeLate(t: TestContext): Promise<boolean> {
  const world = await makeActorWorld(t);
  world.ledger.lastsMs = () => null;
  const proxy = await startCutProxy(world.scope, world.url);
  await world.addOnce('job', 2);
  const held = proxy.holdAt(commit);
  // The client waits for five seconds at this TTL, which is little more than two looks.
  const node = world.node('a', { url: proxy.url, ttlMs: 45_000 });
  const letReplyGo = await held;
  const began = performance.now();
  const slot = await world.slot('job');
  assert.equal(slot.state, 'prepare');
  const release = await holdStripes(world, [slot.stripe]);
  await moreLooks(node, 2);
  letReplyGo();
  const hasGivenUp = () => performance.now() - began > 10_000;
  await until('the claim', () => node.adopted.length > 0 || hasGivenUp());
  const [late] = node.adopted;
  if (late === undefined) {
    await release();
    return false;
  }
  assert.equal(late.launchId, slot.launch_id);
  // Reset and start are asked for; now they can get the stripe, in one transaction.
  await until('the start is asked for', () => node.running.roster.running === 1);
  await release();
  await until('it executes', () => world.ledger.running().length > 0);
  await moreLooks(node, 2);
  assert.equal(world.ledger.entries.length, 1);
  assert.equal((await world.slot('job')).state, 'executing');
  world.ledger.entries[0]?.end();
  await until('the run', async () => (await world.runs('job')).length > 0);
  assert.deepEqual(
    (await world.runs('job')).map(({ result, launch_id }) => [result, launch_id]),
    [['succeeded', late.launchId]],
  );
  await world.requireSound();
  return true;
}
