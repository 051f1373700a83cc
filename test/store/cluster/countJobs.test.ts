import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countJobs } from '../../../src/store/cluster/countJobs.ts';
import { Channel } from '../../../src/store/connection/channel.ts';
import type { Parameter } from '../../../src/store/connection/queryable.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { insertJobs } from '../../support/insertJobs.ts';
import { makeGate } from '../../support/makeGate.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';

const minuteMs = 60_000;
const bounds = { timeoutMs: 30_000, lockWaitSeconds: 20, silenceSeconds: 600 };

/** Waits with the count of all jobs, once it was asked for, until the gate is open. */
class SlowChannel extends Channel {
  readonly asked = makeGate();
  readonly gate = makeGate();

  override async query<T>(sql: string, parameters?: readonly Parameter[]): Promise<T> {
    if (sql.startsWith('/* countJobs */')) {
      this.asked.open();
      await this.gate.passed;
    }
    return super.query<T>(sql, parameters);
  }
}

async function manyJobs(world: StoreWorld) {
  await insertJobs(world, 101);
  return world.channel;
}

await forEachEngine((engine) => {
  test('many jobs are counted once, and again when a minute is over', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const channel = await manyJobs(world);
    const other = new Channel('other', channel.address, bounds);
    t.after(() => other.close());
    assert.equal(await countJobs(channel, 0), 10_100);
    await insertJobs(world, 1);
    const before = channel.statements;
    assert.equal(await countJobs(channel, minuteMs - 1), 10_100);
    assert.equal(channel.statements, before + 1, 'it is seen that they are many');
    assert.equal(await countJobs(other, minuteMs - 1), 10_100);
    assert.equal(other.statements, 1, 'the channels of an address share the count');
    assert.equal(await countJobs(other, 60 * minuteMs), 10_200);
    assert.equal(await countJobs(channel, 60 * minuteMs), 10_200);
  });

  test('one asker counts: the others get the last count, or wait for the first', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const channel = await manyJobs(world);
    const slow = new SlowChannel('slow', channel.address, bounds);
    t.after(() => slow.close());
    const both = [countJobs(slow, 0)];
    await slow.asked.passed;
    const before = channel.statements;
    both.push(countJobs(channel, 0));
    slow.gate.open();
    assert.deepEqual(await Promise.all(both), [10_100, 10_100]);
    assert.ok(channel.statements - before <= 1, 'who waits counts nothing');
    await insertJobs(world, 1);
    const again = new SlowChannel('again', channel.address, bounds);
    t.after(() => again.close());
    const counted = countJobs(again, 60 * minuteMs);
    await again.asked.passed;
    assert.equal(await countJobs(channel, 60 * minuteMs), 10_100);
    again.gate.open();
    assert.equal(await counted, 10_200);
  });

  test('a count that fails is not kept', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const channel = await manyJobs(world);
    const slow = new SlowChannel('slow', channel.address, bounds);
    const failing = countJobs(slow, 0);
    await slow.asked.passed;
    await slow.close();
    slow.gate.open();
    await assert.rejects(failing, /is closed/);
    assert.equal(await countJobs(channel, 0), 10_100);
  });

  test('up to 10,000 jobs each asker is told how many there are now', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const channel = await manyJobs(world);
    assert.equal(await countJobs(channel, 0), 10_100);
    await world.rows('UPDATE job SET removed_no = job_id LIMIT 100');
    assert.equal(await countJobs(channel, 0), 10_000);
    await world.rows('UPDATE job SET removed_no = job_id WHERE removed_no = 0 LIMIT 9900');
    assert.equal(await countJobs(channel, 0), 100);
  });
});
