import { readdir, stat } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchDatabase, BenchServer } from '../benchServer.ts';
import { cpuMs } from '../cpuMs.ts';
import { short } from '../percentile.ts';
import type { BenchNode } from '../startBenchNode.ts';
import { type NodeWatch, watchNode } from '../watchNode.ts';
import type { RunWriter } from './runWriter.ts';

/** What is measured. */
export interface Measured {
  readonly server: BenchServer;
  readonly database: BenchDatabase;
  readonly node: BenchNode;
  /** The node's own jobs have the ids from 1 on; all others are those that are written of. */
  readonly jobs: number;
  readonly keepDays: number;
  readonly minuteMs: number;
}

export interface Minute {
  readonly watch: NodeWatch;
  readonly writtenPerSecond: number;
  readonly removedPerSecond: number;
  /** At its end. */
  readonly runs: number;
  readonly outputs: number;
  /** Runs that are older than they are kept. */
  readonly backlog: number;
  /** The files of both tables, and all files of the server with its logs. */
  readonly tablesMb: number;
  readonly serverMb: number;
  readonly serverPercentOfCore: number;
  readonly machineIdlePercent: number;
}

/** To begin at a whole second, and to wait for the last runs. */
const edgesMs = 3_000;

/** Measures so many minutes, one after the other, each as long as a minute of the plan is. */
export async function measureMinutes(
  measured: Measured,
  writer: RunWriter | null,
  minutes: number,
  say: (minute: Minute) => void,
): Promise<Minute[]> {
  const { database, jobs, minuteMs, node } = measured;
  const found: Minute[] = [];
  let before = await look(measured, writer);
  const beganMs = before.ms;
  while (found.length < minutes) {
    const seconds = Math.round((minuteMs - edgesMs) / 1_000);
    const watch = await watchNode(database, node, { firstId: 1, jobs, seconds });
    await sleep(Math.max(0, beganMs + (found.length + 1) * minuteMs - performance.now()));
    const after = await look(measured, writer);
    const minute = { watch, ...between(before, after) };
    before = after;
    found.push(minute);
    say(minute);
  }
  return found;
}

type Look = Awaited<ReturnType<typeof look>>;

async function look({ database, jobs, keepDays, server }: Measured, writer: RunWriter | null) {
  const [row] = await database.query(countRows, [jobs, jobs, keepDays]);
  const written = writer?.written ?? 0;
  return {
    written,
    ...{ runs: Number(row?.runs), outputs: Number(row?.outputs), backlog: Number(row?.backlog) },
    ...(await weighFiles(server.folder)),
    ms: performance.now(),
    serverMs: cpuMs(server.pid),
    idleMs: cpus().reduce((sum, { times }) => sum + times.idle, 0) / cpus().length,
  };
}

function between(before: Look, after: Look): Omit<Minute, 'watch'> {
  const elapsedMs = after.ms - before.ms;
  const perSecond = (count: number) => Math.round(count / (elapsedMs / 1_000));
  const percent = (ms: number) => short((ms / elapsedMs) * 100);
  const written = after.written - before.written;
  const { backlog, outputs, runs, serverMb, tablesMb } = after;
  return {
    ...{ runs, outputs, backlog, tablesMb, serverMb },
    writtenPerSecond: perSecond(written),
    removedPerSecond: perSecond(Math.max(0, written - (runs - before.runs))),
    serverPercentOfCore: percent(after.serverMs - before.serverMs),
    machineIdlePercent: percent(after.idleMs - before.idleMs),
  };
}

async function weighFiles(folder: string) {
  let [tables, all] = [0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // A file of the server's may be gone meanwhile.
    const file = await stat(path.join(entry.parentPath, entry.name)).catch(() => null);
    const bytes = file?.size ?? 0;
    all += bytes;
    if (/^run(_output)?\.ibd$/.test(entry.name)) tables += bytes;
  }
  return { tablesMb: Math.round(tables / 1e6), serverMb: Math.round(all / 1e6) };
}

const countRows = `SELECT (SELECT COUNT(*) FROM run WHERE job_id > ?) AS runs,
    (SELECT COUNT(*) FROM run_output) AS outputs,
    (SELECT COUNT(*) FROM run WHERE job_id > ? AND ended_at < NOW(3) - INTERVAL ? DAY) AS backlog`;
