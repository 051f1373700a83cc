import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel, type Row } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { boundsOfTtl } from '../../../src/store/openNodeStore.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { renewSession } from '../../../src/store/sessions/sessions.ts';
import { takeStripes } from '../../../src/store/transaction/takeStripes.ts';
import { transact } from '../../../src/store/transaction/transact.ts';
import { makeStoreWorldAt } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { clusterUrl } from './clusterUrl.ts';
import type { EngineMember, FaultEngine } from './faultEngine.ts';
import { openChannel, overlapOnMembers } from './overlapOnMembers.ts';
import { testMembers } from './testMembers.ts';
import { withFaultEngine } from './withFaultEngine.ts';

const selectLock = 'SELECT taken FROM lock_row WHERE lock_id = 7 FOR UPDATE';
const fillNotes = `INSERT INTO note (note_name, note_value)
  SELECT CONCAT('note ', seq), '' FROM seq_1_to_4000`;
const setNote = 'INSERT INTO note (note_name, note_value) VALUES (?, 1)';

await withFaultEngine('galera', { faketime: false }, (engine) => {
  testLocks(engine);
  testRenewals(engine);
  testMembers(engine);
  testLosses(engine);
});

function testLocks(engine: FaultEngine): void {
  const [g1, g2] = engine.members as [EngineMember, EngineMember];

  test('three nodes migrate an empty database at once through three members', async () => {
    const database = await engine.createDatabase();
    const reports = await Promise.all(
      engine.members.map((member) => migrate(readDatabaseUrl(member.userUrl(database)))),
    );
    const [most] = reports.map(({ present }) => present.length).sort((a, b) => b - a);
    assert.ok(reports.every(({ present }) => present.length === most));
  });

  test('the lock, which is a write, excludes between two members', async (t) => {
    const world = await makeStoreWorldAt(t, g1.userUrl(await engine.createDatabase()));
    const database = new URL(world.url).pathname.slice(1);
    const [first, second] = [openChannel(t, g1, database), openChannel(t, g2, database)];
    const { outcomes, secondTries } = await overlapOnMembers(
      first,
      second,
      (connection) => takeStripes(connection, [7]),
      (connection, who) => connection.change(setNote, [who]),
    );
    assert.deepEqual(outcomes, ['committed', 'committed']);
    assert.ok(secondTries >= 2, 'its first try, beside the other, was rolled back');
  });

  test('SELECT … FOR UPDATE alone excludes nobody between two members', async (t) => {
    const world = await makeStoreWorldAt(t, g1.userUrl(await engine.createDatabase()));
    const database = new URL(world.url).pathname.slice(1);
    const [first, second] = [openChannel(t, g1, database), openChannel(t, g2, database)];
    const { outcomes, secondTries } = await overlapOnMembers(
      first,
      second,
      (connection) => connection.query(selectLock),
      (connection, who) => connection.change(setNote, [who]),
    );
    assert.deepEqual([outcomes, secondTries], [['committed', 'committed'], 1]);
  });
}

function testRenewals(engine: FaultEngine): void {
  const [g1, g2] = engine.members as [EngineMember, EngineMember];

  test('renewals through two members in turn are never refused', async (t) => {
    const world = await makeStoreWorldAt(t, g1.userUrl(await engine.createDatabase()));
    const database = new URL(world.url).pathname.slice(1);
    const node = await world.join('a');
    const [near, far] = [openChannel(t, g1, database), openChannel(t, g2, database)];
    await world.rows(fillNotes);
    for (let beats = 1; beats <= 40; beats += 1) {
      // What the other member has to apply first, so that it lags when it is asked.
      if (beats % 2 === 1) await near.change('UPDATE note SET note_value = ?', [beats]);
      const channel = beats % 2 === 1 ? near : far;
      const outcome = await renewSession(channel, node.sessionId, beats - 1, beats);
      assert.equal(outcome.outcome, 'committed', `beat ${beats}`);
    }
  });
}

function testLosses(engine: FaultEngine): void {
  const [g1, g2, g3] = engine.members as [EngineMember, EngineMember, EngineMember];

  test('all channels of a node leave a member that is parted from the others', async (t) => {
    const world = await makeStoreWorldAt(t, g1.userUrl(await engine.createDatabase()));
    const database = new URL(world.url).pathname.slice(1);
    const address = readDatabaseUrl(clusterUrl([g2, g3, g1], database));
    const bounds = boundsOfTtl(45_000);
    const [writer, looker] = ['writer', 'looker'].map((name) => new Channel(name, address, bounds));
    const portOf = async (channel: Channel | undefined) =>
      (await channel?.query<Row[]>('SELECT @@port AS port'))?.[0]?.port;
    t.after(() => Promise.all([writer, looker].map((channel) => channel?.close())).then(() => {}));
    assert.deepEqual([await portOf(writer), await portOf(looker)], [g2.port, g2.port]);
    await g2.isolate();
    t.after(() => g2.rejoin());
    const write = () =>
      transact(writer as Channel, 'parted', async (connection) => {
        await takeStripes(connection, [9]);
        return { commit: null };
      });
    await until('a write somewhere else', async () => (await write()).outcome === 'committed');
    assert.notEqual(await portOf(writer), g2.port);
    assert.notEqual(await portOf(looker), g2.port, 'it only reads, and has not failed itself');
  });

  test('a member that is killed comes back with what it missed', async (t) => {
    const world = await makeStoreWorldAt(t, g1.userUrl(await engine.createDatabase()));
    const database = new URL(world.url).pathname.slice(1);
    await g3.kill();
    assert.equal(await g3.state(), 'dead');
    await until('the others write again', async () => await g1.isWritable());
    await world.rows(setNote, ['missed']);
    await g3.start();
    const channel = openChannel(t, g3, database);
    const notes = await channel.query<Row[]>('SELECT note_name FROM note');
    assert.deepEqual(
      notes.map((row) => row.note_name),
      ['missed'],
    );
  });
}
