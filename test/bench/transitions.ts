import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  seedJobs,
  withServer,
} from './benchServer.ts';
import { median, percentile, short } from './percentile.ts';
import { startBenchNode } from './startBenchNode.ts';
import { turnSlots } from './turnSlots.ts';

const rounds = 3;
const singlesCount = 300;

/**
 * Claim, start and finish of every slot through slot actors, committer and real commits, without
 * children; each arrow of each slot counts one. The baseline is what the same server does when
 * every arrow is a transaction of its own: lock row, one-row UPDATE, COMMIT.
 */
export function transitions(options: BenchOptions): Promise<BenchResult> {
  const jobs = options.jobs ?? 20_000;
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('transitions');
    await seedJobs(database, { from: 1, count: jobs, schedule: '@yearly', dueAt: null });
    const started = Array.from({ length: options.nodes ?? 1 }, (_, place) =>
      startBenchNode({
        url: database.url,
        capacity: 4_000,
        concurrency: 2_000,
        childrenOf: [],
        nodeName: `node-${place + 1}`,
      }),
    );
    const nodes = await Promise.all(started);
    const rates: number[] = [];
    const commits: number[] = [];
    const sizes: number[] = [];
    const baselines: number[] = [];
    const complaints: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      baselines.push(await measureSingles(database));
      await Promise.all(nodes.map((node) => node.measure()));
      const ms = await turnSlots(database, jobs, complaints);
      const reports = await Promise.all(nodes.map((node) => node.report()));
      rates.push((3 * jobs) / (ms / 1000));
      const written = reports.flatMap(({ batchSizes }) => batchSizes.filter((rows) => rows > 0));
      commits.push(written.length);
      sizes.push(...written);
      complaints.push(...reports.flatMap(({ troubles }) => troubles));
      options.say(`round ${round}: ${short(rates.at(-1) ?? 0)} transitions/s`);
    }
    await Promise.all(nodes.map((node) => node.stop()));
    const figures = {
      nodes: nodes.length,
      transitions: 3 * jobs * rounds,
      transitionsPerSecond: Math.round(median(rates)),
      baselinePerSecond: short(median(baselines)),
      ratio: short(median(rates) / median(baselines)),
      commits: commits.reduce((sum, count) => sum + count, 0),
      batchSize: { p50: percentile(sizes, 0.5) },
    };
    return { figures, complaints };
  });
}

async function measureSingles(database: BenchDatabase): Promise<number> {
  const startedMs = performance.now();
  for (let count = 0; count < singlesCount; count += 1) {
    await database.query('START TRANSACTION');
    await database.query('SELECT lock_id FROM lock_row WHERE lock_id = 1 FOR UPDATE');
    await database.query('UPDATE slot SET attempt = NULL WHERE slot_id = 1');
    await database.query('COMMIT');
  }
  return singlesCount / ((performance.now() - startedMs) / 1000);
}
