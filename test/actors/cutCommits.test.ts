import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Cut } from '../support/cutProxy.ts';
import { startCutProxy } from '../support/cutProxy.ts';
import { until, within } from '../support/until.ts';
import { makeActorWorld } from './actorWorld.ts';

const commit = '/* commitBatch commit */';
const cuts = ['request lost', 'reply lost'] as const satisfies Cut[];

describe('a COMMIT that is cut', { concurrency: 4 }, () => {
  for (const cut of cuts) {
    test(`(a) a claim whose COMMIT is cut (${cut}) is in no roster; its tick runs`, async (t) => {
      const world = await makeActorWorld(t);
      const proxy = await startCutProxy(world.scope, world.url);
      const tickMs = await world.addOnce('job', 3);
      const wasCut = proxy.cutAt(commit, cut);
      const node = world.node('a', { url: proxy.url });
      await wasCut;
      const row = await until('the cut settled in the database', async () => {
        const slot = await world.slot('job');
        return cut === 'request lost' || slot.state === 'prepare' ? slot : null;
      });
      const unknownLaunch = row.launch_id;
      assert.equal(unknownLaunch === null, cut === 'request lost');
      await until('the run', async () => (await world.runs('job')).length === 1);
      assert.ok(node.adopted.every(({ launchId }) => launchId !== unknownLaunch));
      const [run] = await world.runs('job');
      assert.equal(run?.result, 'succeeded');
      assert.equal(run?.scheduled_for.getTime(), tickMs);
      assert.equal(world.ledger.entries.length, 1);
      await world.requireSound();
    });

    test(`(b) a start whose COMMIT is cut (${cut}) spawns nothing; another runs`, async (t) => {
      const world = await makeActorWorld(t);
      const proxy = await startCutProxy(world.scope, world.url);
      const tickMs = await world.addOnce('job', 4);
      const node = world.node('a', { url: proxy.url });
      const first = await within('the claim', node.firstAdopted);
      await proxy.cutAt(commit, cut);
      const slot = await world.slot('job');
      assert.equal(slot.launch_id, first.launchId);
      await until('memory lets go', () => node.running.roster.get(first.launchId) === undefined);
      await until('the run', async () =>
        (await world.runs('job')).some(({ result }) => result === 'succeeded'),
      );
      assert.ok(world.ledger.entries.every(({ launch }) => launch.launchId !== first.launchId));
      assert.equal(world.ledger.entries.length, 1);
      const runs = await world.runs('job');
      const expected =
        cut === 'request lost'
          ? [['succeeded', 1]]
          : [
              ['not_started', 0],
              ['succeeded', 1],
            ];
      assert.deepEqual(
        runs.map(({ result, is_final }) => [result, is_final]),
        expected,
      );
      assert.ok(runs.every((run) => run.scheduled_for.getTime() === tickMs));
      assert.ok(runs.every((run) => run.started_at.getTime() >= tickMs));
      await world.requireSound();
    });

    test(`(c) a finish whose COMMIT is cut (${cut}) is retried and leaves one row`, async (t) => {
      const world = await makeActorWorld(t);
      world.ledger.lastsMs = () => null;
      const proxy = await startCutProxy(world.scope, world.url);
      await world.addOnce('job', 2);
      const node = world.node('a', { url: proxy.url });
      const entry = await until('it executes', () => world.ledger.entries[0]);
      const { launchId } = entry.launch;
      const wasCut = proxy.cutAt(commit, cut);
      entry.end({ result: 'failed', exitCode: 3 });
      await wasCut;
      assert.ok(node.running.roster.get(launchId), 'it stays in executing');
      await until('it is idle', async () => (await world.slot('job')).state === 'idle');
      await until('memory lets go', () => node.running.roster.size === 0);
      const runs = await world.runs('job');
      assert.deepEqual(
        runs.map((run) => [run.launch_id, run.result, run.exit_code]),
        [[launchId, 'failed', 3]],
      );
      assert.equal(world.ledger.entries.length, 1);
      await world.requireSound();
    });

    test(`(d) a reset whose COMMIT is cut (${cut}) is asked for until it is settled`, async (t) => {
      const world = await makeActorWorld(t);
      const proxy = await startCutProxy(world.scope, world.url);
      await world.addOnce('job', 4);
      const node = world.node('a', { url: proxy.url });
      const first = await within('the claim', node.firstAdopted);
      await proxy.cutAt(commit, 'reply lost'); // the start
      await proxy.cutAt(commit, cut); // the reset
      const [slot, runs] = [await world.slot('job'), await world.runs('job')];
      assert.equal(slot.launch_id === first.launchId, cut === 'request lost');
      assert.equal(runs.length, cut === 'request lost' ? 0 : 1);
      await until('the run', async () =>
        (await world.runs('job')).some(({ result }) => result === 'succeeded'),
      );
      assert.deepEqual(
        (await world.runs('job')).map(({ result }) => result),
        ['not_started', 'succeeded'],
      );
      assert.equal(world.ledger.entries.length, 1);
      assert.equal(node.ending(), null, 'the node lives on');
      await world.requireSound();
    });
  }
});
