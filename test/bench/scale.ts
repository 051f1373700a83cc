import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeStore } from '../../src/domain/commit/nodeStore.ts';
import { launchIdMaker, makeSessionId } from '../../src/domain/run/launchId.ts';
import { wholeLine } from '../../src/domain/run/share.ts';
import { readDatabaseUrl } from '../../src/store/connection/databaseAddress.ts';
import { openNodeStore } from '../../src/store/openNodeStore.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  type BenchServer,
  seedJobs,
  withServer,
} from './benchServer.ts';
import { cpuMs } from './cpuMs.ts';
import { median, short } from './percentile.ts';
import { rssMb } from './rssMb.ts';
import { startWholeNode } from './startWholeNode.ts';

const fewRows = 1_000;
const dueSlots = 100;
const claims = 21;
const warmUps = 3;
const idleMs = 20_000;

/**
 * A claim of 100 due slots beside a thousand idle rows and beside a million, turn by turn on one
 * server; then what a built node costs that idles on the million.
 */
export function scale(options: BenchOptions): Promise<BenchResult> {
  const rows = options.rows ?? 1_000_000;
  return withServer(options.say, async (server) => {
    const few = await makeClaimer(server, 'few', fewRows, options.say);
    const many = await makeClaimer(server, 'many', rows, options.say);
    const fewMs: number[] = [];
    const manyMs: number[] = [];
    for (let turn = 0; turn < claims + warmUps; turn += 1) {
      const [fewTook, manyTook] = [await few.claim(), await many.claim()];
      if (turn < warmUps) continue;
      fewMs.push(fewTook);
      manyMs.push(manyTook);
    }
    await few.close();
    await many.close();
    options.say(`idling for ${idleMs / 1000} s on ${rows} rows`);
    const idle = await measureIdle(server, many.database);
    const figures = {
      rows,
      claimMs: short(median(manyMs)),
      claimMsAt1000: short(median(fewMs)),
      ratio: short(median(manyMs) / median(fewMs)),
      ...idle,
    };
    return { figures, complaints: [] };
  });
}

async function makeClaimer(
  server: BenchServer,
  name: string,
  rows: number,
  say: (line: string) => void,
) {
  const database = await server.makeDatabase(name);
  await seedJobs(database, { from: 1, count: dueSlots, schedule: '@yearly', dueAt: null });
  say(`filling ${rows} idle rows`);
  await fillIdle(database, rows);
  const sessionId = makeSessionId();
  const store = openNodeStore(readDatabaseUrl(database.url), {
    sessionId,
    nodeName: 'claimer',
    ttlMs: 45_000,
    nextLaunchId: launchIdMaker(sessionId),
  });
  await store.joinSession({
    sessionId,
    nodeName: 'claimer',
    ttlMs: 45_000,
    host: '',
    processId: 0,
    guardianProcessId: null,
    version: '',
    timezoneData: '',
    capacity: dueSlots,
    concurrency: 1,
  });
  return {
    database,
    claim: () => claimOnce(database, store),
    close: async () => {
      await store.endSession(sessionId, 'the bench is over', null);
      await store.close();
    },
  };
}

/** Idle slots whose ticks are spread over the next year, doubling a first thousand. */
async function fillIdle(database: BenchDatabase, rows: number): Promise<void> {
  const firstId = dueSlots + 1;
  const first = Math.min(rows, fewRows);
  await seedJobs(database, { from: firstId, count: first, schedule: '@yearly', dueAt: null });
  for (let have = first; have < rows; have *= 2) {
    const more = Math.min(have, rows - have);
    await database.query(
      `INSERT INTO job (job_id, name, revision, created_at)
       SELECT job_id + ?, CONCAT('job-', job_id + ?), 1, created_at FROM job
       WHERE job_id >= ? ORDER BY job_id LIMIT ?`,
      [have, have, firstId, more],
    );
    await database.query(
      `INSERT INTO slot (job_id, stripe) SELECT job_id + ?, (job_id + ?) % 64 FROM slot
       WHERE job_id >= ? ORDER BY job_id LIMIT ?`,
      [have, have, firstId, more],
    );
  }
  await database.query(
    `UPDATE slot SET next_run_at = NOW(3) + INTERVAL 1 DAY + INTERVAL job_id * 31 SECOND,
      cursor_at = next_run_at WHERE job_id >= ?`,
    [firstId],
  );
}

async function claimOnce(database: BenchDatabase, store: NodeStore): Promise<number> {
  await database.query(
    `UPDATE slot SET state = 'idle', launch_id = NULL, session_id = NULL, next_run_at = NOW(3),
      cursor_at = NOW(3) WHERE job_id <= ?`,
    [dueSlots],
  );
  const horizon = { nodeName: 'claimer', share: wholeLine, aheadMs: 30_000 };
  const startedMs = performance.now();
  const look = await store.peekDue({ ...horizon, aheadAnywhereMs: 3_000 }, dueSlots);
  const outcome = await store.commitBatch([
    {
      kind: 'claim',
      ...horizon,
      dueStripes: look.stripes,
      aheadAnywhereMs: 3_000,
      slotsMax: dueSlots,
    },
  ]);
  const tookMs = performance.now() - startedMs;
  const verdict = outcome.outcome === 'committed' ? outcome.value[0] : undefined;
  if (verdict?.verdict !== 'claimed' || verdict.launches.length !== dueSlots) {
    throw new Error(`the claim took ${JSON.stringify(verdict)?.slice(0, 100)}`);
  }
  return tookMs;
}

/** A node as an operator starts it, guardian and all; its own figures come from /proc. */
async function measureIdle(server: BenchServer, database: BenchDatabase) {
  await database.query(
    `UPDATE slot SET state = 'idle', launch_id = NULL, session_id = NULL, next_run_at = NULL
     WHERE job_id <= ?`,
    [dueSlots],
  );
  const { pid, stop } = await startWholeNode(server, database, 'idler');
  try {
    await sleep(5_000); // start-up is not idling
    const before = { cpuMs: cpuMs(pid), questions: await countQuestions(database) };
    await sleep(idleMs);
    const after = { cpuMs: cpuMs(pid), questions: await countQuestions(database) };
    // The count itself is one statement of ours.
    const statements = after.questions - before.questions - 1;
    return {
      idleCpuPercent: short(((after.cpuMs - before.cpuMs) / idleMs) * 100),
      idleStatementsPerSecond: short(statements / (idleMs / 1_000)),
      idleRssMb: Math.round(rssMb(pid)),
    };
  } finally {
    await stop();
  }
}

async function countQuestions(database: BenchDatabase): Promise<number> {
  const [row] = await database.query("SHOW GLOBAL STATUS LIKE 'Questions'");
  return Number(row?.Value);
}
