import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import mysql from 'mysql2/promise';
import { takeStripes } from '../../../src/store/transaction/takeStripes.ts';
import { transact } from '../../../src/store/transaction/transact.ts';
import { type ActorWorld, makeActorWorld } from '../../actors/actorWorld.ts';
import { openChannel } from '../../store/verify/assertAccounted.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import type { EngineMember } from '../engines/faultEngine.ts';
import { startFaultEngine } from '../engines/startFaultEngine.ts';

await forEachEngine((engine) => {
  describe('a server that refuses', { concurrency: true }, () => {
    test('a deadlock is rolled back and the whole transaction done again, once', async (t) => {
      const world = await makeStoreWorld(t, engine);
      const [a, b] = [openChannel(t, world.url), openChannel(t, world.url)];
      let tries = 0;
      let met = (): void => undefined;
      const bothHold = new Promise<void>((resolve) => {
        let first = true;
        met = () => {
          if (!first) resolve();
          first = false;
        };
      });
      // Against the order of ascending ids, as nobody of ours does.
      const crossed = (channel: typeof a, one: number, other: number) =>
        transact(channel, 'crossed', async (connection) => {
          tries += 1;
          await takeStripes(connection, [one]);
          if (tries <= 2) met();
          await bothHold;
          await takeStripes(connection, [other]);
          return { commit: null };
        });
      const outcomes = await Promise.all([crossed(a, 1, 2), crossed(b, 2, 1)]);
      assert.deepEqual(
        outcomes.map(({ outcome }) => outcome),
        ['committed', 'committed'],
      );
      assert.ok(tries >= 3, 'one of them was the victim');
      const taken = await world.rows('SELECT taken FROM lock_row WHERE lock_id IN (1, 2)');
      assert.deepEqual(
        taken.map((row) => Number(row.taken)),
        [2, 2],
        'nothing of the victim’s first try is there',
      );
    });

    test('a COMMIT on a member that became read-only is unknown and is not repeated', async (t) => {
      const { world, member } = await startServer(t, engine);
      const channel = openChannel(t, world.url);
      let commits = 0;
      const outcome = await transact(channel, 'tried', async (connection) => {
        commits += 1;
        await takeStripes(connection, [5]);
        // MySQL's SET would wait for us when it had to wait for the end of our COMMIT.
        await member.query('SET GLOBAL read_only = ON');
        return { commit: null };
      });
      assert.equal(outcome.outcome, 'unknown');
      assert.equal(commits, 1);
      await member.query('SET GLOBAL read_only = OFF');
      const [row] = await world.rows('SELECT taken FROM lock_row WHERE lock_id = 5');
      assert.equal(Number(row?.taken), 0, 'a second COMMIT would have answered OK');
    });

    test('a node goes on when its server was read-only for less than its lease', async (t) => {
      const { world, member } = await startServer(t, engine);
      await world.add('job', '* * * * * *');
      const node = world.node('a', { ttlMs: 15_000 });
      await until('two runs', async () => (await world.runs()).length >= 2);
      await member.query('SET GLOBAL read_only = ON');
      const troubles = node.troubles.length;
      await until('it is refused', () => node.troubles.length > troubles + 3);
      assert.match(node.troubles.at(-1) ?? '', /read.only/i);
      const before = world.ledger.entries.length;
      await member.query('SET GLOBAL read_only = OFF');
      await until('it runs again', () => world.ledger.entries.length >= before + 3);
      assert.equal(node.ending(), null);
      await world.requireSound();
    });

    test('a node whose server stays read-only is fenced with its lease', async (t) => {
      const { world, member } = await startServer(t, engine);
      await world.addOnce('job', 2);
      world.ledger.lastsMs = () => null;
      const node = world.node('a', { ttlMs: 5_000 });
      await until('it executes', () => world.ledger.running().length === 1);
      await member.query('SET GLOBAL read_only = ON');
      assert.equal((await node.ended()).ending, 'fenced');
      assert.ok(node.killed());
      await member.query('SET GLOBAL read_only = OFF');
      world.node('heir', { ttlMs: 5_000 });
      await until('the reap', async () => (await world.runs()).length === 1);
      assert.equal((await world.runs())[0]?.result, 'lost');
      await world.requireSound();
    });

    test('a node needs no new connection while a server has none left', async (t) => {
      const { world, member } = await startServer(t, engine);
      await world.add('job', '* * * * * *');
      // Its time-outs are those of its TTL, and a connection that is given up is not had again.
      const node = world.node('a', { ttlMs: 20_000 });
      await until('two runs', async () => (await world.runs()).length >= 2);
      const leave = await crowd(t, world.url, member);
      const before = world.ledger.entries.length;
      // Longer than its lease: it renews, claims, starts and finishes on what it has.
      await until('runs for a lease', () => {
        assert.equal(node.ending(), null);
        return world.ledger.entries.length >= before + 17;
      });
      leave();
      await until('there is room again', () =>
        member.query('SET GLOBAL max_connections = 150').then(
          () => true,
          () => false,
        ),
      );
      await world.requireSound();
    });
  });
});

async function startServer(
  t: TestContext,
  name: Engine,
): Promise<{ world: ActorWorld; member: EngineMember }> {
  const scope = lastFirst(t);
  const engine = await startFaultEngine(name, { faketime: false });
  scope.after(() => engine.close());
  const [member] = engine.members;
  assert.ok(member);
  return {
    world: await makeActorWorld(scope, member.userUrl(await engine.createDatabase())),
    member,
  };
}

/**
 * Takes so many connections more than the server is then told to allow that it refuses every new
 * one, also in place of one that ended.
 */
async function crowd(t: TestContext, url: string, member: EngineMember): Promise<() => void> {
  const allowed = 10;
  const holders = await Promise.all(
    Array.from({ length: 3 * allowed }, () => mysql.createConnection(url)),
  );
  const leave = () => {
    for (const holder of holders) holder.destroy();
  };
  t.after(leave);
  await member.query(`SET GLOBAL max_connections = ${allowed}`);
  await assert.rejects(mysql.createConnection(url), { errno: 1040 });
  return leave;
}
