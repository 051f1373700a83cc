import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { takeFreeStripes, takeStripes } from '../../../src/store/transaction/takeStripes.ts';
import { transact } from '../../../src/store/transaction/transact.ts';
import { startFaultProxy } from '../../fault/proxy/faultProxy.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { until, within } from '../../support/until.ts';

const bounds = { timeoutMs: 4_000, lockWaitSeconds: 1, silenceSeconds: 30 };
/** Of a channel that is to run into its time-out: as long as a connection may take to be opened. */
const short = { ...bounds, timeoutMs: 1_500 };
/** The rows of a statement that has the short time-out, but is not the one that is to meet it. */
const answered = (channel: Channel, sql: string) =>
  until(sql, () => channel.query(sql).catch((): null => null));

await forEachEngine((engine) => {
  const openChannel = (t: Scope, url: string, own = bounds) => {
    const channel = new Channel('tried', readDatabaseUrl(url), own);
    t.after(() => channel.close());
    return channel;
  };
  const takenOf = async (world: StoreWorld, lockId: number) =>
    (await world.rows('SELECT taken FROM lock_row WHERE lock_id = ?', [lockId]))[0]?.taken;

  for (const cut of ['request lost', 'reply lost'] as const) {
    test(`a COMMIT whose ${cut} has an unknown outcome`, async (t) => {
      const world = await makeReusedWorld(t, engine);
      const proxy = await startCutProxy(t, world.url);
      const channel = openChannel(t, proxy.url);
      const wasCut = proxy.cutAt('/* tried commit */', cut);
      const outcome = await transact(channel, 'tried', async (connection) => {
        await takeStripes(connection, [5]);
        return { commit: 'written' };
      });
      await wasCut;
      assert.equal(outcome.outcome, 'unknown');
      // The truth is told by a read that waits for the lock.
      const settled = await transact(channel, 'settled', async (connection) => {
        await takeStripes(connection, [5]);
        return { commit: null };
      });
      assert.equal(settled.outcome, 'committed', 'the channel works again');
      assert.equal(await takenOf(world, 5), cut === 'reply lost' ? 2 : 1);
    });
  }

  test('a statement whose connection broke leaves nothing behind to wait for', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const proxy = await startCutProxy(t, world.url);
    const channel = openChannel(t, proxy.url);
    await channel.query('SELECT 1');
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
    const before = timers().length;
    const wasCut = proxy.cutAt('/* cut */', 'reply lost');
    await assert.rejects(channel.query('/* cut */ SELECT 1'));
    await wasCut;
    assert.equal(timers().length, before);
  });

  test('a connection is gone at once when its network swallows everything', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const proxy = await startFaultProxy(t, world.url);
    const channel = openChannel(t, proxy.url, short);
    await answered(channel, 'SELECT 1');
    const sockets = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = sockets();
    proxy.blackHole('both');
    await assert.rejects(channel.query('SELECT 1'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' });
    await until('its socket is closed', () => sockets() < before);
    proxy.heal();
    await answered(channel, 'SELECT 1');
    proxy.blackHole('both');
    const open = sockets();
    await within('the channel is closed', channel.close());
    assert.equal(sockets(), open - 1, 'and nothing of it keeps this process alive');
  });

  test('a statement that takes too long destroys its connection', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const channel = openChannel(t, world.url, short);
    const [before] = await answered(channel, 'SELECT CONNECTION_ID() AS id');
    const outcome = await transact(channel, 'slow', async (connection) => {
      await takeStripes(connection, [7]);
      await connection.query('SELECT SLEEP(2)');
      return { commit: null };
    });
    assert.equal(outcome.outcome, 'unknown');
    const [after] = await answered(channel, 'SELECT CONNECTION_ID() AS id');
    assert.notEqual(after?.id, before?.id);
    assert.equal(await takenOf(world, 7), 0, 'nothing of it was committed');
  });

  test('of two overlapping transactions with one lock the second waits or passes by', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [first, second] = [openChannel(t, world.url), openChannel(t, world.url)];
    const order: string[] = [];
    let secondCame = (): void => undefined;
    const secondHasCome = new Promise<void>((resolve) => {
      secondCame = resolve;
    });
    const held = transact(first, 'first', async (connection) => {
      await takeFreeStripes(connection, [1, 2, 3]);
      order.push('first has it');
      const passed = await transact(second, 'passes by', async (other) => ({
        commit: [...(await takeFreeStripes(other, [1, 2, 3, 4]))],
      }));
      assert.deepEqual(passed, { outcome: 'committed', value: [4] });
      setImmediate(secondCame);
      order.push('first commits');
      return { commit: null };
    });
    await secondHasCome;
    await transact(second, 'waits', async (connection) => {
      await takeStripes(connection, [2]);
      order.push('second has it');
      return { commit: null };
    });
    await held;
    assert.deepEqual(order, ['first has it', 'first commits', 'second has it']);
  });

  test('a lock wait that times out is rolled back and tried again until it is had', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const [holder, asker] = [openChannel(t, world.url), openChannel(t, world.url)];
    let tries = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let tell = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const holding = transact(holder, 'holder', async (connection) => {
      await takeStripes(connection, [9]);
      tell();
      await released;
      return { commit: null };
    });
    await isHeld;
    const asked = transact(asker, 'asker', async (connection) => {
      tries += 1;
      if (tries === 2) release();
      await takeStripes(connection, [9]);
      return { commit: tries };
    });
    assert.equal((await holding).outcome, 'committed');
    assert.deepEqual(await asked, { outcome: 'committed', value: tries });
    assert.ok(tries >= 2);
  });

  test('a missing lock row is an error, not a lock that excludes nobody', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.rows('DELETE FROM lock_row WHERE lock_id = 11');
    const channel = openChannel(t, world.url);
    for (const take of [takeStripes, takeFreeStripes]) {
      await assert.rejects(
        transact(channel, 'tried', async (connection) => {
          await take(connection, [10, 11]);
          return { commit: null };
        }),
        { code: 'lock_row_missing' },
      );
    }
    assert.equal(await takenOf(world, 10), 0, 'the transaction was rolled back');
  });
});
