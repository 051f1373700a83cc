import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ActorWorld,
  makeActorWorld,
  moreLooks,
  type NodeUnderTest,
} from '../../actors/actorWorld.ts';
import { until } from '../../support/until.ts';

const tables = ['session', 'slot', 'pending', 'run', 'job', 'job_revision', 'lock_row'];
const everyLock = 'SELECT * FROM lock_row ORDER BY lock_id FOR UPDATE';
/** No lease of theirs is waited for, and none is to be over where a machine stands still. */
const ttlMs = 15_000;

describe('a database that is not what it was', { concurrency: true }, () => {
  for (const when of ['before the node joined', 'after the node joined'] as const) {
    test(`restored from a backup made ${when}, it fences the node`, async (t) => {
      const world = await makeActorWorld(t);
      await world.add('job', '* * * * * *');
      if (when === 'before the node joined') await backUp(world);
      const node = world.node('a', { ttlMs });
      await until('it runs', () => world.ledger.entries.length >= 2);
      if (when === 'after the node joined') await backUp(world);
      const [{ beats } = { beats: 0 }] = await world.rows('SELECT beats FROM session');
      await until('it renews', async () => {
        const [session] = await world.rows('SELECT beats FROM session');
        return Number(session?.beats) > Number(beats) + 2;
      });
      await restore(world);
      assert.equal((await node.ended()).ending, 'fenced');
      assert.ok(node.killed());
      const ran = world.ledger.entries.length;
      const next = world.node('b', { ttlMs });
      await until('the next one runs', () => {
        assert.equal(next.ending(), null, next.troubles.join('\n'));
        return world.ledger.entries.length >= ran + 3;
      });
      const ids = world.ledger.entries.map(({ launch }) => launch.launchId);
      assert.equal(new Set(ids).size, ids.length, 'no launch id came again');
      assert.ok(world.ledger.entries.slice(ran).every((entry) => entry.node === 'b'));
    });
  }

  for (const [what, statement] of [
    ['one lock row deleted', 'DELETE FROM lock_row WHERE lock_id = 1'],
    ['the table of locks truncated', 'TRUNCATE TABLE lock_row'],
  ] as const) {
    test(`with ${what} under them, nodes start nothing, say why, and go on after`, async (t) => {
      const world = await makeActorWorld(t);
      await world.add('job', '* * * * * *');
      const nodes = [world.node('a', { ttlMs }), world.node('b', { ttlMs })];
      await until('it runs', () => world.ledger.entries.length >= 2);
      await world.rows(statement);
      const [clock] = await world.rows('SELECT NOW(3) AS at');
      await until('one says why', () => nodes.some(misses));
      for (const node of nodes) await moreLooks(node, 2);
      const started = 'SELECT launch_id, started_at AS at FROM';
      const late = await world.rows(
        `${started} run WHERE started_at > ? UNION ALL ${started} slot WHERE started_at > ?`,
        [clock?.at, clock?.at],
      );
      assert.deepEqual(late, []);
      const ran = world.ledger.entries.length;
      const ids = Array.from({ length: 65 }, (_, id) => `(${id})`);
      await world.rows(`INSERT IGNORE INTO lock_row (lock_id) VALUES ${ids.join()}`);
      await until('it runs again', () => world.ledger.entries.length >= ran + 3);
      assert.deepEqual(
        nodes.map((node) => node.ending()),
        [null, null],
      );
      await world.requireSound();
    });
  }
});

function misses(node: NodeUnderTest): boolean {
  return node.troubles.some((trouble) => trouble.includes('A lock row is missing'));
}

async function backUp(world: ActorWorld): Promise<void> {
  await world.channel.use(async (connection) => {
    for (const table of tables) await connection.query(`CREATE TABLE kept_${table} LIKE ${table}`);
    await connection.query('START TRANSACTION');
    // INSERT … SELECT reads what is committed last: it is of one moment by the locks alone.
    await connection.query(everyLock);
    for (const table of tables) {
      await connection.query(`INSERT INTO kept_${table} SELECT * FROM ${table}`);
    }
    await connection.query('COMMIT');
  });
}

async function restore(world: ActorWorld): Promise<void> {
  await world.channel.use(async (connection) => {
    await connection.query('START TRANSACTION');
    // The locks first, like everybody, so that no deadlock makes it half of a backup.
    await connection.query(everyLock);
    for (const table of tables.filter((each) => each !== 'lock_row')) {
      await connection.query(`DELETE FROM ${table}`);
      await connection.query(`INSERT INTO ${table} SELECT * FROM kept_${table}`);
    }
    await connection.query('COMMIT');
  });
}
