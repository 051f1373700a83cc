import { type BenchOptions, type BenchResult, seedJobs, withServer } from './benchServer.ts';
import { pollUntil } from './pollUntil.ts';
import { startBenchNode } from './startBenchNode.ts';

/** Ticks within the horizon of 30 s, and far enough for the figures to be taken before them. */
const dueInMs = 27_000;

/** The resident memory of a built node, idle and with N prepared slots waiting for their ticks. */
export function memory(options: BenchOptions): Promise<BenchResult> {
  const jobs = options.jobs ?? 10_000;
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('memory');
    await seedJobs(database, { from: 1, count: jobs, schedule: '@yearly', dueAt: null });
    const node = await startBenchNode({
      url: database.url,
      capacity: jobs,
      // A node stops claiming far ahead when half of what it could start in time is claimed.
      concurrency: 2 * jobs,
      childrenOf: [],
    });
    const idle = await node.report();
    const dueAt = new Date(Date.now() + dueInMs);
    await database.query('UPDATE slot SET next_run_at = ?, cursor_at = ?', [dueAt, dueAt]);
    await pollUntil('all slots prepared', dueInMs, async () => {
      return (await node.report()).prepared === jobs;
    });
    const prepared = await node.report();
    await node.stop();
    const figures = {
      prepared: prepared.prepared,
      idleRssMb: Math.round(idle.rssMb),
      preparedRssMb: Math.round(prepared.rssMb),
    };
    return { figures, complaints: prepared.troubles };
  });
}
