import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  seedJobs,
  withServer,
} from './benchServer.ts';
import { median, short, spread } from './percentile.ts';
import { pollUntil } from './pollUntil.ts';
import { runToEnd } from './runToEnd.ts';
import { startBenchNode } from './startBenchNode.ts';

/** The node's own default. */
const concurrency = 32;

/**
 * N jobs `true` due at one instant, on one node. A round counts from that instant to the last run
 * row; the baseline, `seq N | xargs -P 8 -n 1 bash -c true`, runs between the rounds.
 */
export function burst(options: BenchOptions): Promise<BenchResult> {
  const jobs = options.jobs ?? 2_000;
  const rounds = options.rounds ?? (jobs >= 1_000 ? 3 : 1);
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('burst');
    await seedJobs(database, { from: 1, count: jobs, schedule: '@yearly', dueAt: null });
    const node = await startBenchNode({ url: database.url, capacity: jobs + 100, concurrency });
    const rates: number[] = [];
    const baselines: number[] = [];
    const lateness: number[] = [];
    const loopDelays: { p99: number; max: number }[] = [];
    const complaints: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      baselines.push(jobs / ((await runBaseline(jobs)) / 1000));
      await node.measure();
      const ours = await runBurst(database, jobs, complaints);
      const report = await node.report();
      loopDelays.push(report.loopDelayMs);
      complaints.push(...report.troubles);
      rates.push(ours.runsPerSecond);
      lateness.push(...ours.lateness);
      const [mine, baseline] = [short(ours.runsPerSecond), short(baselines.at(-1) ?? 0)];
      options.say(`round ${round}: ${mine} runs/s, xargs ${baseline}/s`);
    }
    await node.stop();
    const figures = {
      runs: jobs * rounds,
      runsPerSecond: short(median(rates)),
      baselinePerSecond: short(median(baselines)),
      ratio: short(median(rates.map((rate, round) => rate / (baselines[round] ?? 1)))),
      latenessMs: spread(lateness),
      loopDelayMs: {
        p99: short(median(loopDelays.map(({ p99 }) => p99))),
        max: short(Math.max(...loopDelays.map(({ max }) => max))),
      },
    };
    return { figures, complaints };
  });
}

async function runBurst(database: BenchDatabase, jobs: number, complaints: string[]) {
  await database.query('DELETE FROM run');
  const dueAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 4_000);
  await database.query('UPDATE slot SET next_run_at = ?, cursor_at = ?', [dueAt, dueAt]);
  await pollUntil('all runs recorded', 300_000, async () => {
    const [row] = await database.query('SELECT COUNT(*) AS runs FROM run');
    return row?.runs >= jobs;
  });
  const rows = await database.query(`SELECT launch_id, job_id, result, scheduled_for, started_at,
    ended_at FROM run`);
  if (rows.length !== jobs) complaints.push(`${rows.length} run rows for ${jobs} jobs`);
  const distinct = new Set(rows.map((row) => row.job_id)).size;
  if (distinct !== jobs) complaints.push(`${distinct} of ${jobs} jobs have a run`);
  const failed = rows.filter((row) => row.result !== 'succeeded').length;
  if (failed > 0) complaints.push(`${failed} runs did not succeed`);
  const early = rows.filter((row) => row.started_at < row.scheduled_for).length;
  if (early > 0) complaints.push(`${early} runs were early`);
  const lastMs = Math.max(...rows.map((row) => row.ended_at.getTime()));
  return {
    runsPerSecond: jobs / ((lastMs - dueAt.getTime()) / 1000),
    lateness: rows.map((row) => row.started_at.getTime() - row.scheduled_for.getTime()),
  };
}

function runBaseline(count: number): Promise<number> {
  return runToEnd('bash', ['-c', `seq ${count} | xargs -P 8 -n 1 bash -c true`]);
}
