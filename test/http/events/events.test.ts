import assert from 'node:assert/strict';
import test from 'node:test';
import { cordonNode, uncordonNode } from '../../../src/store/cluster/holdNode.ts';
import { asReason } from '../../support/asReason.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { until } from '../../support/until.ts';
import { makeEventWorld } from './eventWorld.ts';

await forEachEngine((engine) => {
  test('the end of a run on one node is told by every node', async (t) => {
    const world = await makeEventWorld(t, engine);
    const [a, b] = [await world.serve('a'), await world.serve('b')];
    const streams = [await a.stream(), await b.stream()];
    for (const stream of streams) await stream.event('stream.live');
    const node = await world.join('worker');
    await world.addJob('due');
    const [launch] = await node.claim();
    assert.ok(launch !== undefined);
    await until('it may start', async () => {
      const verdict = await node.start(launch);
      return typeof verdict === 'object' && verdict.verdict === 'done';
    });
    const { launchId } = launch;
    for (const stream of streams) {
      await stream.event('run.started', (data) => data.launchId === launchId);
    }
    await node.finish(launch, { result: 'failed', exitCode: 7, reason: asReason('so\nit is') });
    for (const stream of streams) {
      const ended = await stream.event('run.ended', (data) => data.launchId === launchId);
      const { job, node: name, result, exitCode, reason } = ended;
      assert.deepEqual([job, name, result, exitCode], ['due', 'worker', 'failed', 7]);
      assert.equal(reason, 'so\nit is');
      await stream.event('session.joined', (data) => data.node === 'worker');
      const started = await stream.event('run.started', (data) => data.launchId === launchId);
      assert.equal(started.startedAt, ended.startedAt);
      await stream.event('slot.changed', (data) => data.state === 'idle');
    }
    const isWorker = (data: { node?: unknown }) => data.node === 'worker';
    await cordonNode(world.channel, 'worker');
    for (const stream of streams) await stream.event('session.cordoned', isWorker);
    await uncordonNode(world.channel, 'worker');
    for (const stream of streams) await stream.event('session.uncordoned', isWorker);
  });

  test('a row that is committed after a higher number is told of, once', async (t) => {
    const world = await makeEventWorld(t, engine);
    const server = await world.serve('a');
    const stream = await server.stream({ query: '?kinds=run' });
    await stream.event('stream.live');
    const slow = await world.connect();
    await slow.beginTransaction();
    const late = await world.writeRun(slow);
    const early = await world.writeRun();
    assert.ok(early > late);
    await stream.event('run.ended', ({ runId }) => runId === early);
    await slow.commit();
    await stream.event('run.ended', ({ runId }) => runId === late);
    const last = await world.writeRun();
    await stream.event('run.ended', ({ runId }) => runId === last);
    assert.deepEqual(stream.runIds(), [early, late, last]);
  });

  test('a row that was under way when a stream began is told of', async (t) => {
    const world = await makeEventWorld(t, engine);
    await world.writeRun();
    const slow = await world.connect();
    await slow.beginTransaction();
    const late = await world.writeRun(slow);
    const before = await world.writeRun();
    const stream = await (await world.serve('a')).stream({ query: '?kinds=run' });
    await stream.event('stream.live');
    await slow.commit();
    await stream.event('run.ended', ({ runId }) => runId === late);
    assert.ok(!stream.runIds().includes(before));
  });

  test('a client goes on at another node, with the gap that it had', async (t) => {
    const world = await makeEventWorld(t, engine);
    const [a, b] = [await world.serve('a'), await world.serve('b')];
    const first = await a.stream({ query: '?kinds=run,session' });
    await first.event('stream.live');
    const slow = await world.connect();
    await slow.beginTransaction();
    const late = await world.writeRun(slow);
    const seen = await world.writeRun();
    await first.event('run.ended', ({ runId }) => runId === seen);
    a.die();
    await until('the client has noticed', () => first.isOver());
    const missed = await world.writeRun();
    await slow.commit();
    const lastEventId = first.position();
    const second = await b.stream({ query: '?kinds=run,session', lastEventId });
    await second.event('stream.live');
    const { isResumed, node } = await second.event('stream.opened');
    assert.deepEqual([isResumed, node], [true, 'b']);
    // What came after the gap comes again, and only once.
    assert.deepEqual(second.runIds(), [late, seen, missed]);
    const next = await world.writeRun();
    await second.event('run.ended', ({ runId }) => runId === next);
    assert.deepEqual(second.runIds(), [late, seen, missed, next]);
  });

  test('a client is told when the history does not reach back to its position', async (t) => {
    const world = await makeEventWorld(t, engine);
    const server = await world.serve('a');
    const first = await server.stream();
    await first.event('stream.live');
    const lastEventId = first.position();
    first.close();
    await until('nobody listens', () => server.readers.closed === 1);
    const gone = await world.writeRun();
    const kept = await world.writeRun();
    await world.rows('UPDATE run SET ended_at = ended_at - INTERVAL 11 MINUTE');
    await world.rows('DELETE FROM run WHERE run_id = ?', [gone]);
    await world.rows('UPDATE job SET runs_deleted_until = ? WHERE job_id = 1', [gone]);
    const second = await server.stream({ lastEventId });
    assert.equal((await second.event('stream.reset')).reason, 'cleaned');
    await second.event('stream.live');
    assert.deepEqual(second.runIds(), [kept]);
    await world.addJob('other', { dueInMs: 3_600_000 });
    const third = await server.stream({ lastEventId, query: '?job=other' });
    await third.event('stream.live');
    assert.ok(!third.seen.some(({ type }) => type === 'stream.reset'));
    await world.rows('TRUNCATE TABLE run');
    const fourth = await server.stream({ lastEventId: second.position() });
    assert.equal((await fourth.event('stream.reset')).reason, 'restored');
    await fourth.event('stream.live');
    const fifth = await server.stream({ lastEventId: 'DROP TABLE run' });
    assert.equal((await fifth.event('stream.reset')).reason, 'unreadable');
  });
});
