import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wholeLine } from '../../../src/domain/run/share.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import type { TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { forEachStore, verdictWord } from './forEachStore.ts';

const labels = (...names: string[]) => ({ facts: { labels: names } });
const users = (allowed: string[], number = 1) => ({ facts: { users: allowed, level: number } });
const level = (number: number) => ({ facts: { level: number } });

/** The names of the jobs that the node claims, sorted. */
async function claimed(node: TestNode): Promise<string[]> {
  return (await node.claim()).map(({ definition }) => definition.name).sort();
}

await forEachStore((makeWorld) => {
  test('a node claims what names it, its labels or its groups, and nothing else', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a', labels('disk=ssd')), await world.join('b')];
    await world.group('web', ['b']);
    await world.place('byName', { target: { nodes: ['b'] } });
    await world.place('byLabel', { target: { labels: ['disk'] } });
    await world.place('byGroup', { target: { groups: ['web', 'gone'] } });
    await world.place('notA', { target: { excludeNodes: ['a'] } });
    await world.place('notWeb', { target: { nodes: ['a', 'b'], excludeGroups: ['web'] } });
    await world.place('nobody', { target: { groups: ['gone'] } });
    assert.deepEqual(await claimed(a), ['byLabel', 'notWeb']);
    assert.deepEqual(await claimed(b), ['byGroup', 'byName', 'notA']);
    assert.deepEqual(await world.nodeSlots('nobody'), [' idle']);
  });

  test('a job of a user is left to the nodes that allow the user', async (t) => {
    const world = await makeWorld(t);
    const [none, another, both] = [
      await world.join('none', users([])),
      await world.join('another', users(['backup'])),
      await world.join('both', users(['backup', 'www-data'], 2)),
    ];
    await world.place('of nobody', {});
    await world.place('of backup', { user: 'backup' });
    await world.place('of www-data', { user: 'www-data' });
    await world.place('everywhere', { user: 'www-data', kind: 'every-node' });
    assert.deepEqual(await world.nodeSlots('everywhere'), ['both idle']);
    assert.deepEqual(await claimed(none), ['of nobody']);
    assert.deepEqual(await claimed(both), ['everywhere', 'of www-data'], 'whatever its level');
    assert.deepEqual(await claimed(another), ['of backup']);
    await world.place('of root', { user: 'root' });
    for (const node of [none, another, both]) assert.deepEqual(await claimed(node), []);
    await world.editFields('of root', { user: 'backup' });
    assert.deepEqual(await claimed(another), ['of root'], 'edited');
  });

  test('a node of an earlier release takes jobs of any user: it does not say', async (t) => {
    const world = await makeWorld(t);
    const [unknown, known] = [await world.join('unknown'), await world.join('known', users([]))];
    await world.place('of www-data', { user: 'www-data' });
    assert.deepEqual(await claimed(known), []);
    assert.deepEqual(await claimed(unknown), ['of www-data']);
  });

  test('what a node may not take hides nothing from its look and its claim', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a');
    for (let job = 1; job <= 5; job += 1) {
      await world.place(`other${job}`, { target: { nodes: ['b'] } }, -10_000);
    }
    await world.place('own', {});
    const horizon = { nodeName: 'a', share: wholeLine, aheadMs: 30_000, aheadAnywhereMs: 3_000 };
    const look = await a.store.peekDue(horizon, 1);
    const [launch] = await a.claim(1);
    assert.equal(launch?.definition.name, 'own');
    assert.deepEqual(look, { stripes: [launch.stripe], slots: 1 });
  });

  test('the lowest level that lives takes the work, 0 and -1 never', async (t) => {
    const world = await makeWorld(t);
    const first = await world.join('first', level(1));
    const [second, tenth] = [
      await world.join('second', level(2)),
      await world.join('tenth', level(10)),
    ];
    const [never, always] = [
      await world.join('never', level(0)),
      await world.join('always', level(-1)),
    ];
    await world.place('anywhere', {});
    await world.place('pinned', { target: { nodes: ['tenth', 'never'] } });
    assert.deepEqual(await claimed(never), []);
    assert.deepEqual(await claimed(second), []);
    assert.deepEqual(await claimed(tenth), ['pinned'], 'no lower level may run this one');
    assert.deepEqual(await claimed(first), ['anywhere']);
    await world.place('last', {});
    const beside = await always.claim();
    assert.deepEqual([...new Set(beside.map(({ slotNodeName }) => slotNodeName))], ['always']);
    await first.store.endSession(first.sessionId, 'test', null);
    assert.deepEqual(await claimed(tenth), []);
    assert.deepEqual(await claimed(second), ['last']);
  });

  test('a level that leaves, or whose session ran out, holds nobody back', async (t) => {
    const world = await makeWorld(t);
    const first = await world.join('first', level(1));
    const second = await world.join('second', level(2));
    const third = await world.join('third', level(3));
    await world.place('one', {});
    assert.deepEqual(await claimed(third), []);
    await world.ageSession(first.sessionId, 50);
    assert.deepEqual(await claimed(third), [], 'the second lives');
    await second.store.markDraining();
    assert.deepEqual(await claimed(second), []);
    assert.deepEqual(await claimed(third), ['one']);
  });

  test('an edited group withdraws what its old members have prepared, and no more', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    await world.group('web', ['a']);
    await world.place('inGroup', { schedule: '0 0 1 1 *', target: { groups: ['web'] } });
    await world.place('running', { target: { groups: ['web'] } });
    await world.place('elsewhere', { target: { excludeGroups: ['spare'] } });
    const launches = await a.claim();
    assert.equal(launches.length, 3);
    const of = (name: string) => {
      const launch = launches.find(({ definition }) => definition.name === name);
      assert.ok(launch);
      return launch;
    };
    await a.start(of('running'));
    assert.equal(await world.group('web', ['b']), 1);
    assert.equal(await verdictWord(a.start(of('inGroup'))), 'refused');
    assert.equal(await verdictWord(a.start(of('elsewhere'))), 'done');
    assert.deepEqual(await claimed(a), []);
    const [again] = await b.claim();
    assert.equal(again?.scheduledForMs, of('inGroup').scheduledForMs, 'its tick is the next again');
    assert.equal(await verdictWord(a.finish(of('running'))), 'done');
  });

  test('an edit of a group is done only when nobody holds a stripe any more', async (t) => {
    const world = await makeWorld(t);
    const [a, gone] = [await world.join('a'), await world.join('gone')];
    await gone.store.endSession(gone.sessionId, 'test', null);
    const release = await world.hold([63]);
    let isDone = false;
    const edit = world.group('web', ['a']).then(() => {
      isDone = true;
    });
    const reap = { kind: 'reap', sessionId: gone.sessionId, stripes: allStripes } as const;
    await until('it holds all others', async () => {
      const verdict = await a.ask(reap);
      return typeof verdict === 'object' && verdict.verdict === 'reaped' && !verdict.stripes.length;
    });
    assert.equal(isDone, false);
    await release();
    await edit;
  });

  test('an edited target is in force for the next claim', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    await world.place('moves', { target: { nodes: ['a'] } });
    const [launch] = await a.claim();
    assert.ok(launch);
    await world.editFields('moves', { target: { nodes: ['b'] } });
    assert.equal(await verdictWord(a.start(launch)), 'refused');
    assert.deepEqual(await claimed(a), []);
    assert.deepEqual(await claimed(b), ['moves']);
  });

  test('the version that nodes watch is another after each change of the targeting', async (t) => {
    const world = await makeWorld(t);
    const { store } = await world.join('a');
    const versions = [(await store.listSessions()).targetingVersion];
    const noted = async () => versions.push((await store.listSessions()).targetingVersion);
    await world.place('plain', {});
    assert.equal((await store.listSessions()).targetingVersion, versions[0], 'of no concern');
    await world.place('target', { target: { nodes: ['a'] } });
    await noted();
    await world.group('web', ['a']);
    await noted();
    await world.place('everywhere', { kind: 'every-node' });
    await noted();
    await world.group('web', null);
    await noted();
    assert.equal(new Set(versions).size, 5, versions.join());
  });
});
