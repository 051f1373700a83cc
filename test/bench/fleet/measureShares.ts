import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase, BenchOptions, BenchResult, BenchServer } from '../benchServer.ts';
import { short, spread } from '../percentile.ts';
import { countTicks, makePeriodicJobsDue, seedPeriodicJobs } from '../periodicJobs.ts';
import { pollUntil } from '../pollUntil.ts';
import { selectRuns } from '../share.ts';
import { type BenchNode, startBenchNode } from '../startBenchNode.ts';
import { measureServer } from './measureServer.ts';
import { startMore } from './startMore.ts';

const periodSeconds = 20;
const defaultJobs = 1_000;
/** As a node has them that nobody gave others. */
const settings = { capacity: 2_000, concurrency: 32, childrenOf: [] };
/** The nodes look 30 s ahead: from then on what they hold is what they take in the long run. */
const settleSeconds = { whole: 40, small: 3 } as const;

/** How many of the starts each of so many nodes has, with jobs of every 20 s for a while. */
export async function measureShares(
  server: BenchServer,
  nodes: number,
  options: BenchOptions,
): Promise<BenchResult> {
  const { isSmall, say, seconds } = options;
  const all = { jobs: options.jobs ?? defaultJobs, periodSeconds };
  const database = await server.makeDatabase('sharing');
  await seedPeriodicJobs(database, all);
  say(`starting ${nodes} nodes to share ${all.jobs} jobs`);
  const running: BenchNode[] = [];
  try {
    await startMore(running, nodes, (nodeName) =>
      startBenchNode({ url: database.url, nodeName, ...settings }),
    );
    const firstMs = Math.ceil(Date.now() / 1_000) * 1_000 + 4_000;
    await makePeriodicJobsDue(database, all, firstMs);
    const fromMs = firstMs + (isSmall ? settleSeconds.small : settleSeconds.whole) * 1_000;
    await sleep(fromMs - Date.now());
    say(`measuring for ${seconds} s`);
    const load = await measureServer(server, database, nodes, seconds);
    const ticks = countTicks(all, fromMs, seconds);
    const starts = await readStarts(database, fromMs, seconds, ticks);
    const reports = await Promise.allSettled(running.map((node) => node.report()));
    const each = running.map((_, at) => starts.perNode.get(`node-${at + 1}`) ?? 0);
    const figures = {
      nodes,
      ...all,
      starts: starts.latenessMs.length,
      startsPerNode: {
        least: Math.min(...each),
        mean: short(starts.latenessMs.length / nodes),
        most: Math.max(...each),
      },
      nodesWithoutStarts: each.filter((count) => count === 0).length,
      latenessMs: spread(starts.latenessMs),
      ...load,
    };
    const complaints = [
      ...reports.flatMap((told) =>
        told.status === 'rejected' ? `a node was lost: ${told.reason}` : told.value.troubles,
      ),
      ...(figures.starts === ticks ? [] : [`${figures.starts} starts for ${ticks} ticks`]),
    ];
    return { figures, complaints };
  } finally {
    // One that was lost meanwhile has ended already, and has its complaint.
    await Promise.allSettled(running.map((node) => node.stop()));
  }
}

/** The starts for the ticks of that time, when all of them have come, or a minute is over. */
async function readStarts(
  { query }: BenchDatabase,
  fromMs: number,
  seconds: number,
  ticks: number,
) {
  const counted = [new Date(fromMs), new Date(fromMs + seconds * 1_000)];
  let runs = await query(selectRuns, counted);
  const haveCome = async () => {
    runs = await query(selectRuns, counted);
    return runs.length >= ticks;
  };
  await pollUntil('every tick has its run', 60_000, haveCome);
  const perNode = new Map<string, number>();
  for (const { node_name: name } of runs) perNode.set(name, (perNode.get(name) ?? 0) + 1);
  const latenessMs = runs.map((run) => run.started_at.getTime() - run.scheduled_for.getTime());
  return { perNode, latenessMs };
}
