import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  placeOfSlot,
  type Share,
  stripesOfShare,
  wholeLine,
} from '../../../src/domain/run/share.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { dueQuery } from '../../../src/store/lifecycle/readDue.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';

type Row = Record<string, unknown>;
type Rows = Awaited<ReturnType<typeof makeReusedWorld>>['rows'];

await forEachEngine((engine) => {
  const query = (share: Share) => {
    const also = [allStripes, ['', 'a'], [0], [0], false, [-1], 2_000_000, [[0, 0]]];
    return dueQuery({ share, aheadMs: 7_200_000, aheadAnywhereMs: 3_000 }, also, 500);
  };
  const explain = async (rows: Rows, share: Share): Promise<Row[]> => {
    const { sql, parameters } = query(share);
    const format = engine === 'mariadb' ? '' : ' FORMAT=TRADITIONAL';
    return await rows(`EXPLAIN${format} ${sql}`, parameters);
  };
  /** What was found, and how many rows were read for it. */
  const claim = async (rows: Rows, share: Share) => {
    const readBefore = await handlerReads(rows);
    const { sql, parameters } = query(share);
    const found = await rows(sql, parameters);
    return { found, read: (await handlerReads(rows)) - readBefore };
  };
  const addIdle = async (rows: Rows, dueIn: string): Promise<void> => {
    const idle = Array.from({ length: 20_000 }, (_, number) => `(${number + 10}, ${number % 64})`);
    await rows(`INSERT INTO slot (job_id, stripe) VALUES ${idle.join()}`);
    await rows(`UPDATE slot SET next_run_at = NOW(3) + INTERVAL ${dueIn}, cursor_at = next_run_at
      WHERE job_id >= 10`);
    await rows('ANALYZE TABLE slot');
  };

  test('a claim reads the due end of one index, whatever stands idle behind it', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('due');
    await addIdle(world.rows, 'job_id DAY');
    const plan = await explain(world.rows, wholeLine);
    const slot = plan.find((row) => row.table === 'slot');
    assert.equal(slot?.key, 'slot_by_due');
    assert.equal(slot?.type, 'range');
    assert.ok(Number(slot?.rows) <= 10, `it expects to read ${slot?.rows} rows`);
    assert.doesNotMatch(String(slot?.Extra), /filesort|temporary/i);
    const job = plan.find((row) => row.table === 'job');
    assert.equal(job?.type, 'eq_ref');
    const { found, read } = await claim(world.rows, wholeLine);
    assert.equal(found.length, 1);
    assert.ok(read < 50, `it read ${read} rows to find one`);
  });

  test('one of many nodes passes over nothing that is due on the stripes of others', async (t) => {
    const world = await makeReusedWorld(t, engine);
    await world.addJob('due');
    await addIdle(world.rows, '(3600 + job_id MOD 15) SECOND');
    const [due] = await world.rows('SELECT slot_id, stripe FROM slot WHERE job_id < 10');
    const slot = { slotId: Number(due?.slot_id), stripe: Number(due?.stripe) };
    const [stripe, place] = [64 * slot.stripe, placeOfSlot(slot)];
    const beside = stripe === 0 ? 64 : -64;
    const shares = [
      { from: place, until: place + 4 },
      { from: stripe + beside, until: stripe + beside + 4 },
      { from: Math.min(stripe, stripe + beside), until: Math.max(stripe, stripe + beside) + 64 },
    ];
    for (const share of shares) {
      const plan = await explain(world.rows, share);
      const slots = plan.filter((row) => row.table === 'slot');
      assert.ok(slots.length >= 2);
      for (const { Extra, key, type } of slots) {
        assert.match(String(key), /^slot_by_(session|due)$/);
        assert.equal(type, 'range');
        assert.doesNotMatch(String(Extra), /filesort|temporary/i);
      }
      const { found, read } = await claim(world.rows, share);
      assert.equal(found.length, 1);
      const onStripes = (20_000 / allStripes.length) * stripesOfShare(share).length;
      // An entry is tried, is read, and its job is looked for, which is not there.
      assert.ok(read < 3 * onStripes + 200, `it read ${read} rows to find one`);
    }
  });
});

/** Rows that the server read for this connection; reading the counter itself reads no index. */
async function handlerReads(rows: (sql: string) => Promise<Record<string, unknown>[]>) {
  const counters = await rows(`SHOW SESSION STATUS WHERE Variable_name IN
    ('Handler_read_next', 'Handler_read_key', 'Handler_read_prev', 'Handler_icp_attempts')`);
  return counters.reduce((sum, counter) => sum + Number(counter.Value), 0);
}
