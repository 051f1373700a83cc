import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase } from './benchServer.ts';
import { pollUntil } from './pollUntil.ts';
import type { BenchNode } from './startBenchNode.ts';

/** How a node does its own work for a while. */
export interface NodeWatch {
  /** From the tick to the start of its run, as the history tells it. */
  readonly latenessMs: readonly number[];
  readonly runs: number;
  readonly ticks: number;
  /** From one renewal of its session to the next. */
  readonly beatGapsMs: readonly number[];
  /** The most that it had. */
  readonly rssMb: number;
  readonly loopDelayMs: { readonly p99: number; readonly max: number };
  readonly cpuPercent: number;
}

const lookMs = 100;
const reportMs = 1_000;

/** Jobs of every second, with ids from `firstId` on. */
interface WatchedJobs {
  readonly firstId: number;
  readonly jobs: number;
}

/** Watches a node that has these jobs, among others. */
export async function watchNode(
  database: BenchDatabase,
  node: BenchNode,
  { firstId, jobs, seconds }: WatchedJobs & { readonly seconds: number },
): Promise<NodeWatch> {
  await node.measure();
  const first = await node.report();
  const beganMs = performance.now();
  const fromMs = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
  const untilMs = fromMs + seconds * 1_000;
  const beats = new Set<number>();
  let rssMb = first.rssMb;
  let reportedMs = 0;
  while (Date.now() < untilMs) {
    for (const session of await database.query(selectBeat)) {
      beats.add(session.renewed_at.getTime());
    }
    if (performance.now() - reportedMs > reportMs) {
      rssMb = Math.max(rssMb, (await node.report()).rssMb);
      reportedMs = performance.now();
    }
    await sleep(lookMs);
  }
  const end = await node.report();
  const elapsedMs = performance.now() - beganMs;
  const [from, last] = [new Date(fromMs), new Date(untilMs - 1_000)];
  const ids = [firstId, firstId + jobs - 1];
  const ticks = jobs * seconds;
  // What is late is waited for, a while: it counts for the lateness, and not as missing.
  await pollUntil('every tick has its row', 300_000, async () => {
    const [row] = await database.query(countTicks, [from, last, ...ids, last, from]);
    return Number(row?.ticks) >= ticks;
  });
  const runs = await database.query(selectRuns, [...ids, from, last]);
  const [firstBeat = 0, ...laterBeats] = [...beats].sort((a, b) => a - b);
  let before = firstBeat;
  const beatGapsMs = laterBeats.map((beat) => {
    const gap = beat - before;
    before = beat;
    return gap;
  });
  return {
    latenessMs: runs.map((run) => run.started_at.getTime() - run.scheduled_for.getTime()),
    ...{ runs: runs.length, ticks, beatGapsMs },
    rssMb: Math.max(rssMb, end.rssMb),
    loopDelayMs: end.loopDelayMs,
    cpuPercent: ((end.cpuMs - first.cpuMs) / elapsedMs) * 100,
  };
}

const selectBeat = "SELECT renewed_at FROM session WHERE state = 'live'";
/** Of a row of several ticks, which may begin before the time or end after it, those within. */
const countTicks = `SELECT SUM(1 + TIMESTAMPDIFF(SECOND, GREATEST(scheduled_for, ?),
      LEAST(IFNULL(scheduled_until, scheduled_for), ?))) AS ticks
  FROM run WHERE job_id BETWEEN ? AND ?
    AND scheduled_for <= ? AND IFNULL(scheduled_until, scheduled_for) >= ?`;
const selectRuns = `SELECT scheduled_for, started_at FROM run
  WHERE launch_id IS NOT NULL AND job_id BETWEEN ? AND ? AND scheduled_for BETWEEN ? AND ?`;
