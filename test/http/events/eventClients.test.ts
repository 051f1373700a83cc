import assert from 'node:assert/strict';
import test from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { openEventReader } from '../../../src/store/events/openEventReader.ts';
import type { HistoryScope } from '../../../src/store/events/readRunEvents.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { makeGate } from '../../support/makeGate.ts';
import { until } from '../../support/until.ts';
import type { EventStream } from './eventStream.ts';
import { type EventWorld, makeEventWorld } from './eventWorld.ts';

test('one reader serves all clients, and none is open while there are none', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const server = await world.serve('a');
  assert.deepEqual(server.readers, { opened: 0, closed: 0 });
  const streams: EventStream[] = [];
  for (let count = 0; count < 5; count += 1) streams.push(await server.stream());
  for (const stream of streams) await stream.event('stream.live');
  const runId = await world.writeRun();
  for (const stream of streams) await stream.event('run.ended', (data) => data.runId === runId);
  assert.deepEqual(server.readers, { opened: 1, closed: 0 });
  for (const stream of streams) stream.close();
  await until('the reader is closed', () => server.readers.closed === 1);
  assert.deepEqual(server.hub.counts().clients, 0);
});

test('a HEAD, and a stream too many, leave no client behind', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const server = await world.serve('a', { clientsMax: 2 });
  const head = await server.stream({ method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(server.hub.counts().clients, 0);
  const streams = [await server.stream(), await server.stream()];
  assert.equal((await server.stream()).status, 503);
  streams[0]?.close();
  await until('there is a place', () => server.hub.counts().clients === 1);
  assert.equal((await server.stream()).status, 200);
});

test('who asks for what is no kind, or with unknown words, is told so', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const server = await world.serve('a');
  for (const query of ['?kinds=runs', '?kinds=', '?limit=1', '?kinds=run,run;']) {
    const { status } = await server.stream({ query });
    assert.ok(status >= 400 && status < 500, `${query}: ${status}`);
  }
  assert.equal((await server.stream({ token: 'statecron_none' })).status, 401);
  assert.equal(server.hub.counts().clients, 0);
});

test('a token for one group hears of its jobs alone, whatever it asks for', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const server = await world.serve('a');
  const definition = { ...jobDefaults, schedule: '0 0 1 1 *', command: 'true' };
  for (const group of ['ours', 'theirs']) {
    await addJob(world.channel, { ...definition, name: `${group} job`, group, format: 3 });
  }
  const ids = await world.rows('SELECT job_id FROM job WHERE name LIKE ? ORDER BY job_id', [
    '% job',
  ]);
  const [ours, theirs] = ids.map((row) => row.job_id as number);
  const token = await world.token(['ours']);
  const wide = await server.stream({ token });
  const bold = await server.stream({ token, query: '?group=theirs&job=theirs+job' });
  const resumed = await server.stream({ token, lastEventId: '1.0' });
  for (const stream of [wide, bold, resumed]) await stream.event('stream.live');
  for (const jobId of [theirs, ours, 1, theirs]) await world.writeRun(undefined, jobId);
  const end = await world.writeRun(undefined, ours);
  const late = await server.stream({ token, lastEventId: '1.0' });
  for (const stream of [wide, resumed, late]) {
    await stream.event('run.ended', ({ runId }) => runId === end);
    const jobs = stream.seen.flatMap(({ data }) => (data.type === 'run.ended' ? data.job : []));
    assert.deepEqual(jobs, ['ours job', 'ours job']);
  }
  assert.deepEqual(bold.runIds(), []);
});

test('who asks for the default group hears of the jobs that name none', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const server = await world.serve('a');
  const own = await server.stream({ token: await world.token(['default']) });
  const asked = await server.stream({ query: '?group=default' });
  const other = await server.stream({ query: '?group=other' });
  for (const stream of [own, asked, other]) await stream.event('stream.live');
  const end = await world.writeRun();
  for (const stream of [own, asked]) {
    const { group } = await stream.event('run.ended', ({ runId }) => runId === end);
    assert.equal(group, 'default');
  }
  assert.deepEqual(other.runIds(), []);
});

test('clients that never read are cut; the others go on, and who was cut may, too', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const server = await world.serve('a');
  const query = '?kinds=run';
  const deaf: EventStream[] = [];
  for (let count = 0; count < 3; count += 1) {
    deaf.push(await server.stream({ query, neverReads: true }));
  }
  const reader = await server.stream({ query });
  await reader.event('stream.live');
  const from = reader.position();
  // Numbers as a loaded cluster has them, in few statements: a socket takes some megabytes.
  const rows = 2_000;
  let written = 0;
  await until(
    'those that do not read are cut',
    async () => {
      await writeMany(world, rows);
      written += rows;
      await until('it is read', () => reader.runCount() === written, 120_000);
      return server.hub.counts().ended.cut === deaf.length;
    },
    400_000,
  );
  assert.equal(server.hub.counts().clients, 1);
  assert.equal(reader.isOver(), false);
  await until('their connections are gone', async () => (await server.connections()) <= 2);
  const back = await server.stream({ query, lastEventId: from });
  await until('it has all', () => back.runCount() >= written, 120_000);
  assert.deepEqual(back.runIds(), reader.runIds());
});

/** As wide as a row can be. */
async function writeMany(world: EventWorld, count: number): Promise<void> {
  const now = new Date();
  const row = [1, 1, 'schedule', 1, now, now, now, 'failed', 'x'.repeat(450)];
  await world.rows(insertMany, [Array.from({ length: count }, () => row)]);
}

const insertMany = `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
    started_at, ended_at, result, reason) VALUES ?`;

test('a client that is told the past and stops reading does not hold up the others', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const server = await world.serve('a');
  await writeMany(world, 2_000);
  const query = '?kinds=run';
  const still = await server.stream({ query, lastEventId: '1.0', neverReads: true });
  const other = await server.stream({ query, lastEventId: '1.0' });
  await until('it is told all', () => other.runCount() >= 2_000, 120_000);
  await other.event('stream.live');
  assert.equal(new Set(other.runIds()).size, 2_000);
  still.close();
});

test('while the database is away streams stand still, and nothing of it is lost', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const proxy = await startCutProxy(world.scope, world.url);
  const server = await world.serve('a', { databaseUrl: proxy.url });
  const stream = await server.stream();
  await stream.event('stream.live');
  const comeBack = proxy.goAway();
  await stream.event('stream.stalled');
  const missed = [await world.writeRun(), await world.writeRun()];
  const seen = stream.seen.length;
  comeBack();
  await until('it goes on', () =>
    stream.seen.slice(seen).some(({ type }) => type === 'stream.live'),
  );
  await until('it has what it missed', () => stream.runIds().length === 2);
  assert.deepEqual(stream.runIds(), missed);
  assert.equal(stream.isOver(), false);
});

test('a client from a node that was ahead hears nothing again, there or at the next', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const database = readDatabaseUrl(world.url);
  const query = '?kinds=run';
  const feedMay = makeGate();
  let isHeld = false;
  // The feed of b finds no further rows until a latecomer has looked how far the history goes.
  const openReader = () => {
    const reader = openEventReader(database, 'behind');
    return {
      ...reader,
      runsAfter: async (after: number, until: number, rows: number) => {
        if (isHeld && until === Number.MAX_SAFE_INTEGER) await feedMay.passed;
        return reader.runsAfter(after, until, rows);
      },
      historyBounds: async (scope: HistoryScope) => {
        setTimeout(feedMay.open, 100);
        return reader.historyBounds(scope);
      },
    };
  };
  const [a, b] = [await world.serve('a'), await world.serve('b', { openReader })];
  const holder = await b.stream({ query });
  await holder.event('stream.live');
  isHeld = true;
  const first = await a.stream({ query });
  await first.event('stream.live');
  for (let count = 0; count < 2; count += 1) await world.writeRun();
  await until('it is told of both', () => first.runCount() === 2);
  const second = await b.stream({ query, lastEventId: first.position() });
  await second.event('stream.live');
  await until('b has told of both', () => holder.runCount() === 2);
  const third = await a.stream({ query, lastEventId: second.position() });
  await third.event('stream.live');
  const last = await world.writeRun();
  for (const stream of [second, third])
    await stream.event('run.ended', (run) => run.runId === last);
  assert.deepEqual([second.runIds(), third.runIds()], [[last], [last]]);
});

test('a client that wanders from node to node hears of each end, once a connection', async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const servers = [await world.serve('a'), await world.serve('b')];
  const query = '?kinds=run';
  // Others that stay: the nodes' looks at the database go on, each at its own times.
  for (const server of servers) await (await server.stream({ query })).event('stream.live');
  let stream = await servers[0]?.stream({ query });
  assert.ok(stream !== undefined);
  await stream.event('stream.live');
  const writers = writeOutOfOrder(world);
  const heard = new Set<number>();
  const hear = ({ runIds }: EventStream): void => {
    assert.equal(new Set(runIds()).size, runIds().length, 'once a connection');
    for (const runId of runIds()) heard.add(runId);
  };
  for (let hop = 1; hop <= 5; hop += 1) {
    const { runCount }: EventStream = stream;
    const enough = writers.committed.length + (hop === 1 ? 150 : 10);
    await until('more is written', () => writers.committed.length > enough, 120_000);
    await until('some of it is sent', () => runCount() > 2, 120_000);
    // What it has read by now is what it knows of: the rest is lost on the way.
    const lastEventId = stream.position();
    hear(stream);
    stream.close();
    stream = (await servers[hop % 2]?.stream({ query, lastEventId })) ?? stream;
  }
  await writers.stop();
  const { committed } = writers;
  const last = stream;
  await until('all is sent', () => {
    hear(last);
    return heard.size >= committed.length;
  });
  const inOrder = (runIds: Iterable<number>) => [...runIds].sort((a, b) => a - b);
  assert.deepEqual(inOrder(heard), inOrder(committed));
});

test("a client goes on where it was while many numbers are nobody's", async (t) => {
  const world = await makeEventWorld(t, 'mariadb');
  const server = await world.serve('a');
  const query = '?kinds=run';
  const first = await server.stream({ query });
  await first.event('stream.live');
  const slow = await world.connect();
  const written: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    await slow.beginTransaction();
    await world.writeRun(slow);
    await slow.rollback();
    written.push(await world.writeRun());
  }
  await until('it is sent all', () => first.runCount() === written.length);
  first.close();
  const missed = await world.writeRun();
  const second = await server.stream({ query, lastEventId: first.position() });
  await second.event('stream.live');
  assert.ok(second.runIds().includes(missed));
  assert.equal(new Set(second.runIds()).size, second.runCount());
});

/** Three transactions at a time, of which some come to nothing and each is as long as it likes. */
function writeOutOfOrder(world: EventWorld) {
  const committed: number[] = [];
  let isWriting = true;
  const write = async (): Promise<void> => {
    const connection = await world.connect();
    while (isWriting) {
      await connection.beginTransaction();
      const runIds = [await world.writeRun(connection), await world.writeRun(connection)];
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      if (Math.random() < rollbackShare) await connection.rollback();
      else {
        await connection.commit();
        committed.push(...runIds);
      }
    }
  };
  const writers = [write(), write(), write()];
  const stop = async (): Promise<void> => {
    isWriting = false;
    await Promise.all(writers);
  };
  return { committed, stop };
}

const rollbackShare = 0.2;
