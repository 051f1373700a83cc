import assert from 'node:assert/strict';
import { test } from 'node:test';
import mysql from 'mysql2/promise';
import { Channel, type Row } from '../../../src/store/connection/channel.ts';
import { classifyError } from '../../../src/store/connection/classifyError.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { boundsOfTtl } from '../../../src/store/openNodeStore.ts';
import { renewSession } from '../../../src/store/sessions/sessions.ts';
import { takeStripes } from '../../../src/store/transaction/takeStripes.ts';
import { transact } from '../../../src/store/transaction/transact.ts';
import { makeStoreWorldAt } from '../../support/storeWorld.ts';
import { until, within } from '../../support/until.ts';
import { clusterUrl } from './clusterUrl.ts';
import type { EngineMember, FaultEngine } from './faultEngine.ts';
import { withFaultEngine } from './withFaultEngine.ts';

await withFaultEngine('group-replication', { expelSeconds: 0 }, (engine) => {
  testKill(engine);
  testStop(engine);
});

/** A failover takes longer on a machine that is busy with other things. */
const patienceMs = (engine: FaultEngine) => 4 * engine.failoverMsMax;

async function primaryOf(engine: FaultEngine): Promise<EngineMember> {
  return await until('a primary', async () => (await engine.writable())[0], patienceMs(engine));
}

function testKill(engine: FaultEngine): void {
  test('a channel goes by the secondaries, whatever the order of the hosts', async (t) => {
    const database = await engine.createDatabase();
    const primary = await primaryOf(engine);
    const others = engine.members.filter((member) => member !== primary);
    const address = readDatabaseUrl(clusterUrl([...others, primary], database));
    const channel = new Channel('tried', address, boundsOfTtl(45_000));
    t.after(() => channel.close());
    const [row] = await channel.query<Row[]>('SELECT @@port AS port');
    assert.equal(row?.port, primary.port);
  });

  test('after a primary was killed under load nothing acknowledged is missing', async (t) => {
    const primary = await primaryOf(engine);
    const others = engine.members.filter((member) => member !== primary);
    const database = await engine.createDatabase();
    const url = clusterUrl([primary, ...others], database);
    const world = await makeStoreWorldAt(t, url);
    const node = await world.join('a', { ttlMs: 45_000 });
    const address = readDatabaseUrl(url);
    const [writer, heartbeat] = ['writer', 'heartbeat'].map(
      (name) => new Channel(name, address, boundsOfTtl(45_000)),
    ) as [Channel, Channel];
    t.after(() => Promise.all([writer.close(), heartbeat.close()]).then(() => undefined));

    const counts = { committed: 0, unknown: 0, refused: 0 };
    let beats = { acked: 0, sent: 0 };
    const work = async () => {
      const outcome = await transact(writer, 'counted', async (connection) => {
        await takeStripes(connection, [3]);
        return { commit: null };
      });
      counts[outcome.outcome] += 1;
      const renewal = await renewSession(heartbeat, node.sessionId, beats.acked, beats.sent + 1);
      assert.notEqual(renewal.outcome, 'refused', 'a failover fences nobody');
      const sent = beats.sent + 1;
      beats = { acked: renewal.outcome === 'committed' ? sent : beats.acked, sent };
    };
    for (let round = 0; round < 20; round += 1) await work();
    const killed = primary.kill();
    await work(); // some statement is under way when it dies, or meets the dead
    await killed;
    const before = counts.committed;
    await until(
      'a write through the next primary',
      async () => {
        await work();
        return counts.committed > before;
      },
      patienceMs(engine),
    );
    const [row] = await world.rows('SELECT taken FROM lock_row WHERE lock_id = 3');
    const taken = Number(row?.taken);
    assert.ok(taken >= counts.committed && taken <= counts.committed + counts.unknown);
    await primary.start();
    assert.equal(await primary.isWritable(), false, 'it is a secondary now');
  });
}

function testStop(engine: FaultEngine): void {
  test('a COMMIT that a stopped primary finds when it goes on is not done', async (t) => {
    const primary = await primaryOf(engine);
    const database = await engine.createDatabase();
    const world = await makeStoreWorldAt(t, clusterUrl(engine.members, database));
    const write = 'UPDATE lock_row SET taken = taken + 1 WHERE lock_id = 5';
    const late = await mysql.createConnection(primary.userUrl(database));
    late.on('error', () => undefined); // its statement says it
    t.after(async () => late.destroy());
    await late.query('START TRANSACTION');
    await late.query(write);
    await primary.stop();
    const answer = late.query('COMMIT').then(
      () => 'done',
      (error: Error) => `${classifyError(error)} (${error.message})`,
    );
    await until('the next primary', async () => (await primaryOf(engine)) !== primary);
    const next = new Channel('next', readDatabaseUrl(world.url), boundsOfTtl(10_000));
    t.after(() => next.close());
    await until('a write', () => next.change(write).catch(() => false), patienceMs(engine));
    await primary.cont();
    const said = await within('an answer', answer, 60_000);
    t.diagnostic(`its COMMIT said: ${said}`);
    await primary.rejoin();
    for (const member of engine.members) {
      const [row] = await member.query(`SELECT taken FROM ${database}.lock_row WHERE lock_id = 5`);
      assert.equal(Number(row?.taken), 1, `${member.name}; the COMMIT said ${said}`);
    }
    assert.notEqual(said, 'done');
  });
}
