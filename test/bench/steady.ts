import { type BenchOptions, type BenchResult, withServer } from './benchServer.ts';
import { percentile, short, spread } from './percentile.ts';
import { makePeriodicJobsDue, seedPeriodicJobs } from './periodicJobs.ts';
import { pollUntil } from './pollUntil.ts';
import { runToEnd } from './runToEnd.ts';
import { startBenchNode } from './startBenchNode.ts';

/** Children of the baseline: enough for a second or two. */
const baselineCount = 1_000;

/**
 * N jobs `true` every so many seconds (of a minute), dealt evenly over them, with real children,
 * for a while: are all ticks run, how late, and what does it cost. The baseline is what the
 * machine can start without any scheduler.
 */
export function steady(options: BenchOptions): Promise<BenchResult> {
  const { periodSeconds, seconds } = options;
  const jobs = options.jobs ?? 1_000;
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('steady');
    const all = { jobs, periodSeconds };
    await seedPeriodicJobs(database, all);
    const baselineMs = await runToEnd('bash', [
      '-c',
      `seq ${baselineCount} | xargs -P 8 -n 1 bash -c true`,
    ]);
    const node = await startBenchNode({ url: database.url, capacity: 2 * jobs, concurrency: 64 });
    const firstMs = Math.ceil(Date.now() / 1000) * 1000 + 4_000;
    await makePeriodicJobsDue(database, all, firstMs);
    await node.measure();
    const before = await node.report();
    const startedMs = performance.now();
    const untilMs = firstMs + seconds * 1_000;
    const ticks = (jobs * seconds) / periodSeconds;
    await pollUntil('the time is over', seconds * 1_000 + 60_000, async () => Date.now() > untilMs);
    const counted = [new Date(firstMs), new Date(untilMs)];
    await pollUntil('all ticks have run', 60_000, async () => {
      const [row] = await database.query(countRuns, counted);
      return row?.runs >= Math.floor(ticks);
    });
    const after = await node.report();
    const elapsedMs = performance.now() - startedMs;
    const rows = await database.query(readRuns, counted);
    await node.stop();
    const lateness = rows.map((row) => row.started_at.getTime() - row.scheduled_for.getTime());
    const complaints = [...after.troubles];
    if (rows.length !== ticks) complaints.push(`${rows.length} runs for ${ticks} ticks`);
    const once = new Set(rows.map((row) => `${row.job_id} ${row.scheduled_for.getTime()}`)).size;
    if (once !== rows.length) complaints.push(`${rows.length - once} ticks ran twice`);
    if (percentile(lateness, 0) < 0) complaints.push('a run was early');
    const runsPerSecond = rows.length / seconds;
    const baselinePerSecond = baselineCount / (baselineMs / 1000);
    const figures = {
      runs: rows.length,
      ticks,
      runsPerSecond: short(runsPerSecond),
      baselinePerSecond: short(baselinePerSecond),
      ratio: short(runsPerSecond / baselinePerSecond),
      latenessMs: { ...spread(lateness), p95: percentile(lateness, 0.95) },
      loopDelayMs: { p99: short(after.loopDelayMs.p99), max: short(after.loopDelayMs.max) },
      nodeCpuPercent: short(((after.cpuMs - before.cpuMs) / elapsedMs) * 100),
      nodeRssMb: Math.round(after.rssMb),
    };
    return { figures, complaints };
  });
}

const countRuns = `SELECT COUNT(*) AS runs FROM run
  WHERE launch_id IS NOT NULL AND scheduled_for >= ? AND scheduled_for < ?`;
const readRuns = `SELECT job_id, scheduled_for, started_at FROM run
  WHERE launch_id IS NOT NULL AND scheduled_for >= ? AND scheduled_for < ?`;
