import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import type { ContractRun } from './contractWorld.ts';
import { forEachStore, verdictWord } from './forEachStore.ts';

const covers = (run: ContractRun, tickMs: number): boolean =>
  run.scheduledForMs <= tickMs && tickMs <= (run.scheduledUntilMs ?? run.scheduledForMs);

const everyNode = { kind: 'every-node' } as const;

await forEachStore((makeWorld) => {
  test('each eligible node runs each tick of an every-node job, whatever its level', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a', { facts: { level: 1 } });
    const b = await world.join('b', { facts: { level: 2, labels: ['disk'] } });
    await world.join('c', { facts: { level: 0 } });
    const yearly = { ...everyNode, schedule: '0 0 1 1 *' };
    await world.place('all', yearly);
    await world.place('disks', { ...yearly, target: { labels: ['disk'] } });
    assert.deepEqual(await world.nodeSlots('all'), ['a idle', 'b idle']);
    assert.deepEqual(await world.nodeSlots('disks'), ['b idle']);
    const [own] = await a.claim();
    assert.deepEqual([own?.slotNodeName, own?.definition.name], ['a', 'all']);
    const others = await b.claim();
    assert.deepEqual(
      others.map(({ slotNodeName, definition }) => `${slotNodeName} ${definition.name}`).sort(),
      ['b all', 'b disks'],
    );
    assert.equal(others[0]?.scheduledForMs, own?.scheduledForMs);
  });

  test('an every-node job runs so many launches at once on each node', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    await world.place('wide', { ...everyNode, parallel: 3 });
    const three = (name: string) => Array<string>(3).fill(`${name} idle`);
    assert.deepEqual(await world.nodeSlots('wide'), [...three('a'), ...three('b')]);
    for (const [node, name] of [
      [a, 'a'],
      [b, 'b'],
    ] as const) {
      const launches = await node.claim();
      assert.deepEqual([...new Set(launches.map(({ slotNodeName }) => slotNodeName))], [name]);
      assert.deepEqual(launches.map(({ slotNo }) => slotNo).sort(), [0, 1, 2]);
      assert.equal(new Set(launches.map(({ scheduledForMs }) => scheduledForMs)).size, 3);
      assert.deepEqual(await node.claim(), [], 'there is no fourth');
    }
    await world.editFields('wide', { parallel: 2 });
    assert.deepEqual(await world.nodeSlots('wide'), ['a idle', 'a idle', 'b idle', 'b idle']);
    const c = await world.join('c');
    await c.store.ensureNodeSlots();
    assert.deepEqual((await world.nodeSlots('wide')).slice(4), ['c idle', 'c idle']);
    assert.equal((await c.claim()).length, 2);
  });

  // Found by `npm run sim -- --seed 6565`.
  test('an edit leaves a node the ticks that another one has claimed ahead of it', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    await world.place('wide', { ...everyNode, parallel: 3 }, 20_000);
    const claimed = (await a.claim()).map(({ scheduledForMs }) => scheduledForMs);
    assert.equal(claimed.length, 3);
    await world.editFields('wide', { command: 'other' });
    assert.deepEqual(await world.runs('wide'), [], 'none of them is over');
    for (const node of [a, b]) {
      const launches = await node.claim();
      const ticks = launches.map(({ scheduledForMs }) => scheduledForMs).sort();
      assert.deepEqual(ticks, [...claimed].sort());
      assert.ok(launches.every(({ definition }) => definition.command === 'other'));
    }
  });

  test('slots side by side leave a node together, when the last has ended', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a');
    await world.group('web', ['a']);
    await world.place('wide', { ...everyNode, parallel: 2, target: { groups: ['web'] } }, -5_000);
    const [launch] = await a.claim(1);
    assert.ok(launch);
    await a.start(launch);
    await world.group('web', []);
    assert.equal(await a.store.ensureNodeSlots(), false);
    assert.deepEqual((await world.nodeSlots('wide')).sort(), ['a executing', 'a idle']);
    await a.finish(launch);
    await a.store.ensureNodeSlots();
    assert.deepEqual(await world.nodeSlots('wide'), []);
    // Each tick until then stands in one row, though both slots had a cursor.
    const rows = await world.runs('wide');
    const told = rows.flatMap((row) => {
      const untilMs = row.scheduledUntilMs ?? row.scheduledForMs;
      const count = (untilMs - row.scheduledForMs) / 1_000 + 1;
      return Array.from({ length: count }, (_, place) => row.scheduledForMs + place * 1_000);
    });
    const [firstMs = 0] = [...told].sort();
    const whole = told.map((_, place) => firstMs + place * 1_000);
    assert.deepEqual(told.sort(), whole, JSON.stringify(rows));
    assert.ok(told.length >= 6, `${told.length} ticks`);
  });

  test('a node that joins later owes the ticks from then on', async (t) => {
    const world = await makeWorld(t);
    await world.place('all', everyNode, -60_000);
    assert.deepEqual(await world.nodeSlots('all'), []);
    const joinedMs = Date.now();
    const a = await world.join('a');
    assert.equal(await a.store.ensureNodeSlots(), false, 'there was something to do');
    assert.equal(await a.store.ensureNodeSlots(), true);
    assert.deepEqual(await world.nodeSlots('all'), ['a idle']);
    const [launch] = await a.claim();
    assert.ok(launch !== undefined && launch.scheduledForMs >= joinedMs - 1_000);
    const runs = await world.runs('all');
    const before = runs.filter((run) => run.scheduledForMs < joinedMs - 1_000);
    assert.deepEqual(before, [], 'nothing of before is missed');
  });

  test('a slot is made under its stripe, later when somebody holds it', async (t) => {
    const world = await makeWorld(t);
    await world.place('all', everyNode);
    const a = await world.join('a');
    const release = await world.hold(allStripes);
    assert.equal(await a.store.ensureNodeSlots(), false);
    assert.deepEqual(await world.nodeSlots('all'), []);
    await release();
    await a.store.ensureNodeSlots();
    assert.deepEqual(await world.nodeSlots('all'), ['a idle']);
  });

  test('a node that may not run it any more loses its slot, its ticks are missed', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    await world.group('web', ['a', 'b']);
    await world.place('all', { ...everyNode, target: { groups: ['web'] } }, -5_000);
    const launches = await a.claim();
    assert.equal(launches.length, 1);
    assert.equal(await world.group('web', ['b']), 1, 'the prepared one is withdrawn');
    assert.deepEqual(await a.claim(), []);
    assert.equal(await a.store.ensureNodeSlots(), false);
    assert.deepEqual(await world.nodeSlots('all'), ['b idle']);
    const missed = (await world.runs('all')).filter(({ result }) => result === 'missed');
    assert.ok(missed.reduce((sum, { ticks }) => sum + ticks, 0) >= 6, JSON.stringify(missed));
    const { scheduledForMs } = launches[0] as Launch;
    assert.ok(
      missed.some((run) => covers(run, scheduledForMs)),
      'the withdrawn one, too',
    );
    assert.equal((await b.claim()).length, 1);
    assert.equal(await b.store.ensureNodeSlots(), true);
  });

  test('a slot that executes is taken away after its end, and claimed no more', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a');
    await world.group('web', ['a']);
    await world.place('all', { ...everyNode, target: { groups: ['web'] } });
    const [launch] = await a.claim();
    assert.ok(launch);
    await a.start(launch);
    await world.group('web', []);
    assert.equal(await a.store.ensureNodeSlots(), false);
    assert.deepEqual(await world.nodeSlots('all'), ['a executing']);
    assert.equal(await verdictWord(a.finish(launch)), 'done');
    assert.deepEqual(await a.claim(), []);
    await a.store.ensureNodeSlots();
    assert.deepEqual(await world.nodeSlots('all'), []);
    assert.equal(await a.store.ensureNodeSlots(), true);
  });

  test('a node that is gone keeps its slots until it is forgotten', async (t) => {
    const world = await makeWorld(t);
    const [a, b] = [await world.join('a'), await world.join('b')];
    await world.place('all', everyNode, -3_000);
    assert.equal(await world.forget('a'), 'node_live');
    const [launch] = await a.claim();
    assert.ok(launch);
    await a.store.endSession(a.sessionId, 'test', null);
    assert.equal(await world.forget('a'), 'node_not_reaped');
    await b.ask({ kind: 'reap', sessionId: a.sessionId, stripes: allStripes });
    await b.store.ensureNodeSlots();
    assert.deepEqual(await world.nodeSlots('all'), ['a idle', 'b idle']);
    assert.equal(await world.forget('a'), 1);
    assert.deepEqual(await world.nodeSlots('all'), ['b idle']);
    const runs = await world.runs('all');
    const missed = runs.filter(({ result }) => result === 'missed');
    assert.ok(
      missed.some((run) => covers(run, launch.scheduledForMs)),
      JSON.stringify(runs),
    );
    const back = await world.join('a');
    await back.store.ensureNodeSlots();
    assert.deepEqual(await world.nodeSlots('all'), ['a idle', 'b idle']);
  });

  test('an edit makes one slot of many, or many of one, and keeps every tick', async (t) => {
    const world = await makeWorld(t);
    await world.join('a');
    await world.join('b');
    await world.place('plain', {}, -3_000);
    await world.editFields('plain', everyNode);
    assert.deepEqual(await world.nodeSlots('plain'), ['a idle', 'b idle']);
    const passed = (await world.runs('plain')).reduce((sum, { ticks }) => sum + ticks, 0);
    assert.ok(passed >= 3, `${passed} ticks are told of`);
    await world.editFields('plain', { ...everyNode, target: { excludeNodes: ['b'] } });
    assert.deepEqual(await world.nodeSlots('plain'), ['a idle']);
    await world.editFields('plain', { kind: undefined, target: undefined } as never);
    assert.deepEqual(await world.nodeSlots('plain'), [' idle']);
  });

  test('the kind of a job cannot change while it executes', async (t) => {
    const world = await makeWorld(t);
    const a = await world.join('a');
    await world.place('plain', {});
    const [launch] = await a.claim();
    assert.ok(launch);
    await a.start(launch);
    await assert.rejects(world.editFields('plain', everyNode), { code: 'job_executing' });
    assert.deepEqual(await world.nodeSlots('plain'), [' executing']);
    await a.finish(launch);
    await world.editFields('plain', everyNode);
    assert.deepEqual(await world.nodeSlots('plain'), ['a idle']);
  });
});
