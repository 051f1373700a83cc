import { seedMinutes } from '../store/verify/seedMinutes.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  withServer,
} from './benchServer.ts';
import { short } from './percentile.ts';
import { runVerify, verifyComplaints } from './runVerify.ts';

const jobs = 50;
const secondsMax = 180;
const rssMbMax = 250;

/**
 * `statecron verify`, the built one, on a history of that many rows dealt over 50 jobs: how long it
 * takes, its peak of memory, and what a plain read of the same rows takes on the same server.
 */
export function verify(options: BenchOptions): Promise<BenchResult> {
  const rows = options.rows ?? 1_000_000;
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('verify');
    const seedable = { rows: database.query };
    options.say(`filling ${rows} history rows`);
    for (let job = 0; job < jobs; job += 1) {
      await seedMinutes(seedable, { name: `job${job}`, runs: Math.ceil(rows / jobs) });
    }
    await interleave(database);
    const readStartedMs = performance.now();
    await database.query('SELECT COUNT(*), SUM(LENGTH(result)), MAX(started_at) FROM run');
    const readMs = performance.now() - readStartedMs;
    const whole = await runVerify(database.url);
    const since = await runVerify(database.url, ['--since', '1d']);
    const figures = {
      rows: whole.report.runs,
      ticks: whole.report.ticks,
      seconds: short(whole.tookMs / 1000),
      rowsPerSecond: Math.round((whole.report.runs / whole.tookMs) * 1000),
      peakRssMb: whole.peakRssMb,
      sinceOneDaySeconds: short(since.tookMs / 1000),
      scanSeconds: short(readMs / 1000),
    };
    const complaints = [
      ...verifyComplaints(whole.report),
      ...(whole.report.runs < rows ? [`only ${whole.report.runs} rows were read`] : []),
      ...(whole.tookMs > secondsMax * 1000 ? [`it took more than ${secondsMax} s`] : []),
      ...(whole.peakRssMb > rssMbMax ? [`it took more than ${rssMbMax} MB`] : []),
    ];
    return { figures, complaints };
  });
}

/** Rows stand in the table in the order of their ends, as nodes write them, the jobs mixed. */
async function interleave(database: BenchDatabase): Promise<void> {
  const columns = `job_id, revision, node_name, slot_no, launch_id, session_id, triggered_by,
    request_id, attempt, is_final, scheduled_for, scheduled_until, ticks, started_at, ended_at,
    result, exit_code, term_signal, reason, output_bytes`;
  await database.query('CREATE TABLE mixed LIKE run');
  await database.query(
    `INSERT INTO mixed (${columns}) SELECT ${columns} FROM run ORDER BY ended_at, job_id`,
  );
  await database.query('DROP TABLE run');
  await database.query('RENAME TABLE mixed TO run');
}
