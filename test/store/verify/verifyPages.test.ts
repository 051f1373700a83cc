import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord } from '../../../src/domain/verify/rules/records.ts';
import type { ChannelConnection, Row } from '../../../src/store/connection/channel.ts';
import type { Parameter } from '../../../src/store/connection/queryable.ts';
import type { Decoder } from '../../../src/store/rows/row.ts';
import { type JobOrdered, JobPages } from '../../../src/store/verify/jobPages.ts';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import {
  jobTable,
  revisionTable,
  runTable,
  slotTable,
} from '../../../src/store/verify/verifyTables.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import { makeReusedWorld } from '../../support/storeWorld.ts';
import { seedMinutes } from './seedMinutes.ts';

await forEachEngine((engine) => {
  test('pages of any size give every row once, in the order of jobs and ends', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const [name, runs] of Object.entries({ one: 9, two: 1, three: 14, four: 7 })) {
      await seedMinutes(world, { name, runs });
    }
    // Rows that ended in the same millisecond are told apart by their numbers.
    await world.rows("UPDATE run SET ended_at = '2020-01-01' WHERE run_id % 2 = 0");
    const wanted = await world.rows('SELECT run_id FROM run ORDER BY job_id, ended_at, run_id');
    for (const rowsMax of [1, 2, 3, 7, 31, 100]) {
      const read = await world.channel.use(async (connection) => {
        const pages = new JobPages(connection, { ...runTable, rowsMax }, null);
        const rows: RunRecord[] = [];
        for (let job = await pages.nextJob(); job !== null; job = await pages.nextJob()) {
          rows.push(...(await pages.takeAll(job)));
        }
        assert.equal(pages.rows, wanted.length);
        return rows;
      });
      const jobs = await world.channel.use(async (connection) => {
        const pages = new JobPages(connection, { ...jobTable, rowsMax }, null);
        for (let job = await pages.nextJob(); job !== null; job = await pages.nextJob()) {
          assert.equal((await pages.takeAll(job)).length, 1);
        }
        return pages.rows;
      });
      assert.equal(jobs, 4);
      assert.deepEqual(
        read.map(({ runId }) => runId),
        wanted.map(({ run_id: id }) => id),
        `pages of ${rowsMax}`,
      );
    }
  });

  test('a history of many pages is gone through to its end', async (t) => {
    const world = await makeReusedWorld(t, engine);
    const jobs = { one: 4_100, two: 1_900, three: 2_050 };
    for (const [name, runs] of Object.entries(jobs)) await seedMinutes(world, { name, runs });
    const { findings, runs, ticks } = await verifyDatabase(world.channel);
    assert.deepEqual([findings, runs, ticks], [[], 8_050, 8_050]);
    await world.rows('DELETE FROM run WHERE launch_id = ?', ['sone:4097']);
    const after = await verifyDatabase(world.channel);
    assert.deepEqual([...after.counts], [['tick_missing', 1]]);
  });

  test('every page is one walk along an index, and nothing is sorted', async (t) => {
    const world = await makeReusedWorld(t, engine);
    for (const name of ['one', 'two', 'three']) await seedMinutes(world, { name, runs: 600 });
    await world.rows('ANALYZE TABLE run, slot, job_revision');
    const plans: Row[] = [];
    await world.channel.use(async (connection) => {
      const explaining = {
        rows: async <T>(decode: Decoder<T>, sql: string, parameters: readonly Parameter[]) => {
          plans.push(...(await connection.query<Row[]>(`EXPLAIN ${sql}`, parameters)));
          return connection.rows(decode, sql, parameters);
        },
      } as unknown as ChannelConnection;
      const tables: JobOrdered<unknown>[] = [runTable, slotTable, revisionTable];
      for (const table of tables) {
        const pages = new JobPages(explaining, { ...table, rowsMax: 100 }, null);
        for (let job = await pages.nextJob(); job !== null; job = await pages.nextJob()) {
          await pages.takeAll(job);
        }
      }
    });
    assert.ok(plans.length > 20);
    for (const { key, Extra: extra, type } of plans) {
      assert.doesNotMatch(String(extra), /filesort|temporary/, JSON.stringify(plans));
      assert.ok(type !== 'ALL' && key !== null, JSON.stringify({ key, type, extra }));
    }
  });
});
