import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Connection, RowDataPacket } from 'mysql2/promise';
import { startPrivateServer } from '../../../src/database/server/startPrivateServer.ts';
import { wholeLine } from '../../../src/domain/run/share.ts';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { ForeignJobs } from '../../../src/store/slots/revisionCache.ts';
import { lookFor } from '../../../src/store/targeting/peekSlots.ts';
import { readLiveNodes } from '../../../src/store/targeting/readLiveNodes.ts';
import { cpuMs } from '../../bench/cpuMs.ts';
import { withConnection } from '../../support/createDatabase.ts';

/** Live ones, for a statement that reads them all; and due ones, for one that passes over all. */
const sessions = 1_000;
const slots = 20_000;

/**
 * Measures the constants of the model on a MariaDB of its own, with its data on a disk:
 * `npx tsx test/sim/fleet/measureConstants.ts`. Processor time is the server's own; it has nothing
 * else to do, so that others on the machine do not matter, but to the waits for the disk.
 */
const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-constants-'));
const server = await startPrivateServer({
  dataDir: path.join(folder, 'd'),
  report: () => undefined,
});
try {
  await withConnection(server.url, (connection) =>
    connection.query('CREATE DATABASE constants CHARACTER SET utf8mb4'),
  );
  const url = new URL(server.url);
  url.pathname = '/constants';
  await migrate(readDatabaseUrl(url.href));
  await withConnection(url.href, async (connection) => measure(connection, url.href));
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(connection: Connection, url: string): Promise<void> {
  const [[row]] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS v, @@pid_file AS f');
  const pid = Number(await readFile(String(row?.f), 'utf8'));
  await fill(connection);
  const time = async (rounds: number, work: () => Promise<unknown>) => {
    for (let round = 0; round < 50; round += 1) await work();
    const [beganMs, usedMs] = [performance.now(), cpuMs(pid)];
    for (let round = 0; round < rounds; round += 1) await work();
    const took = (performance.now() - beganMs) / rounds;
    return { tookMs: took, processorMs: (cpuMs(pid) - usedMs) / rounds };
  };
  const one = "SELECT state FROM session WHERE session_id = 's7'";
  const byKey = await time(5_000, () => connection.query(one));
  const bounds = { timeoutMs: 60_000, lockWaitSeconds: 1, silenceSeconds: 600 };
  const channel = new Channel('constants', readDatabaseUrl(url), bounds);
  const scan = await time(300, () => readLiveNodes(channel));
  const horizon = { nodeName: 'n', share: wholeLine, aheadMs: 30_000, aheadAnywhereMs: 0 };
  const ids = { anywhere: [1], pinned: [1], limited: [], observed: [] };
  const takeable = { ...ids, isBeside: false };
  const foreign = new ForeignJobs(() => undefined);
  const pass = await time(100, () => lookFor(channel, 's7', horizon, 10, foreign, takeable));
  await channel.close();
  const few = 'UPDATE slot SET cursor_at = NOW(3) WHERE slot_id <= 10';
  const many = 'UPDATE slot SET cursor_at = NOW(3) WHERE slot_id <= 510';
  const transaction = (sql: string, end: string) => async () => {
    await connection.query('START TRANSACTION');
    await connection.query(sql);
    await connection.query(end);
  };
  const fewWritten = await time(300, transaction(few, 'COMMIT'));
  const manyWritten = await time(300, transaction(many, 'COMMIT'));
  const renew = "UPDATE session SET renewed_at = NOW(3), beats = beats + 1 WHERE session_id = 's7'";
  const committed = await time(1_000, transaction(renew, 'COMMIT'));
  const rolledBack = await time(1_000, transaction(one, 'ROLLBACK'));
  const figures = {
    engine: row?.v,
    statementMs: byKey.processorMs,
    loopbackRoundTripMs: byKey.tookMs,
    rowReadMs: (scan.processorMs - byKey.processorMs) / sessions,
    rowPassedMs: (pass.processorMs - byKey.processorMs) / slots,
    rowWrittenMs: (manyWritten.processorMs - fewWritten.processorMs) / 500,
    commitMs: committed.processorMs - rolledBack.processorMs,
    flushMs: committed.tookMs - rolledBack.tookMs,
  };
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
}

async function fill(connection: Connection): Promise<void> {
  const rows = (sql: string, from: number, until: number): Promise<unknown> =>
    connection.query(`${sql} FROM seq_${from}_to_${until}`);
  await rows(
    `INSERT INTO session (session_id, node_name, ttl_ms, host, process_id, version, timezone_data,
      capacity, concurrency, state, started_at, renewed_at)
    SELECT CONCAT('s', seq), CONCAT('node-', seq), 3600000, 'h', 1, '0', '', 1, 1, 'live', NOW(3),
      NOW(3)`,
    1,
    sessions,
  );
  await rows(
    `INSERT INTO slot (job_id, stripe, next_run_at, cursor_at)
    SELECT seq, seq % 64, NOW(3) + INTERVAL 20 SECOND, NOW(3)`,
    1,
    slots,
  );
}
