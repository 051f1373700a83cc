import { setTimeout as sleep } from 'node:timers/promises';
import {
  cleanPeriodMsMin,
  type HistoryKeep,
  historyDefaults,
} from '../../../src/domain/commit/historyKeep.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  seedJobs,
  withServer,
} from '../benchServer.ts';
import { percentile, short, spread } from '../percentile.ts';
import { startBenchNode } from '../startBenchNode.ts';
import { type Measured, type Minute, measureMinutes } from './measureMinutes.ts';
import { startRunWriter } from './runWriter.ts';
import { type PhaseName, showMinutes } from './showMinutes.ts';

interface Size {
  /** A day of the history goes in this time. */
  readonly minuteMs: number;
  /** From the end of one pass of cleaning to the next. */
  readonly periodMs: number;
  readonly runsPerSecond: number;
  /** With removal; without writing, and without removal, it is as many as days are kept. */
  readonly minutes: number;
  readonly outputBytes: number;
  readonly lateFactor: number;
  /** What no run needs to be earlier than: a lateness is a few whole milliseconds. */
  readonly lateFloorMs: number;
  /** In days of writing. */
  readonly backlogMax: number;
}

const whole: Size = {
  ...{ minuteMs: 60_000, runsPerSecond: 2_000, minutes: 10, outputBytes: 4_096 },
  ...{ periodMs: cleanPeriodMsMin, lateFactor: 1.5, lateFloorMs: 10, backlogMax: 1 },
};

/** Its bounds are those of a crowded machine: what is broken breaks them all the same. */
const small: Size = {
  ...{ minuteMs: 6_000, runsPerSecond: 200, minutes: 3, outputBytes: 4_096 },
  ...{ periodMs: 1_000, lateFactor: 2, lateFloorMs: 1_000, backlogMax: 2 },
};

const keepDays = 2;
const dayMs = 24 * 3_600_000;
/** Of every second: the node's own. */
const jobs = 20;
/** Whose runs are written: each has fewer than a job keeps by number. */
const writtenJobs = 200;
/** Of a server that is to take so much: the private one is as small as its usual clusters. */
const gibibyte = 2 ** 30;
const serverSettings = [
  `innodb_buffer_pool_size = ${gibibyte}`,
  `innodb_log_file_size = ${gibibyte}`,
  'innodb_io_capacity = 2000',
] as const;
const settleMs = 4_000;

/**
 * A node with jobs of every second while its history grows by 2,000 runs a second, with 4 kB of
 * output each, and is kept for two days, as if a day went each minute. No clock is moved for that:
 * a run is written as one that ended two days less two minutes ago, so that it may go two minutes
 * later, and from then on as many may go as are written. So there are three phases on one server:
 * nothing is written; two minutes of writing in which nothing is old enough; then the removal, too.
 * The third beside the second is what removal costs, beside the first what writing costs with it.
 * The server has 1 GiB of memory and as much of redo log, about half of what is kept.
 * A pass begins 10 s after the last one has ended, the least that a node takes: of days that last a
 * minute the ten minutes of the default are ten days.
 */
export function history(options: BenchOptions): Promise<BenchResult> {
  const size = sizeOf(options);
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('history');
    const keep: HistoryKeep = {
      ...{ ...historyDefaults, days: keepDays, outputDays: keepDays },
      periodMs: size.periodMs,
    };
    for (const setting of serverSettings) await database.query(`SET GLOBAL ${setting}`);
    const node = await startBenchNode({
      ...{ url: database.url, capacity: 4 * jobs, concurrency: 64, keep },
    });
    await addJobs(database);
    await sleep(settleMs);
    const measured: Measured = { server, database, node, jobs, keepDays, minuteMs: size.minuteMs };
    const sayOf = (phase: PhaseName) => (minute: Minute) => {
      options.say(`${phase}: ${JSON.stringify(figuresOfMinute(minute))}`);
    };
    const nothing = await measureMinutes(measured, null, keepDays, sayOf('nothing'));
    const writer = startRunWriter({
      ...{ url: database.url, firstId: jobs + 1, jobs: writtenJobs },
      ...{ runsPerSecond: size.runsPerSecond, outputBytes: size.outputBytes },
      agoMs: keepDays * dayMs - keepDays * size.minuteMs,
    });
    let phases: Phases;
    try {
      const written = await measureMinutes(measured, writer, keepDays, sayOf('written'));
      const removed = await measureMinutes(measured, writer, size.minutes, sayOf('removed'));
      phases = { nothing, written, removed };
    } finally {
      await writer.stop();
    }
    const { troubles } = await node.report();
    // In the middle of its cleaning.
    await node.stop();
    return {
      figures: figuresOf(phases),
      complaints: [...troubles, ...complaintsOf(size, phases)],
      show: () => showMinutes(phases),
    };
  });
}

type Phases = Readonly<Record<PhaseName, readonly Minute[]>>;

function sizeOf({ isSmall, kilobytes, minutes, rate }: BenchOptions): Size {
  const size = isSmall ? small : whole;
  return {
    ...size,
    runsPerSecond: rate ?? size.runsPerSecond,
    minutes: minutes ?? size.minutes,
    outputBytes: kilobytes === undefined ? size.outputBytes : kilobytes * 1_024,
  };
}

async function addJobs(database: BenchDatabase): Promise<void> {
  const dueAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 2_000);
  const others = { from: jobs + 1, count: writtenJobs, schedule: '@yearly', dueAt: null };
  await seedJobs(database, others);
  await seedJobs(database, { from: 1, count: jobs, schedule: '* * * * * *', dueAt });
}

const latenessOf = (minutes: readonly Minute[]) => minutes.flatMap(({ watch }) => watch.latenessMs);
const lateP99 = (minutes: readonly Minute[]) => percentile(latenessOf(minutes), 0.99);

function figuresOf({ nothing, removed, written }: Phases) {
  const phase = (minutes: readonly Minute[]) => ({
    latenessMs: spread(latenessOf(minutes)),
    minutes: minutes.map(figuresOfMinute),
  });
  const [late, lateWritten] = [lateP99(removed), lateP99(written)];
  return {
    p99RemovedToWritten: short(late / lateWritten),
    p99RemovedToNothing: short(late / lateP99(nothing)),
    ...{ nothing: phase(nothing), written: phase(written), removed: phase(removed) },
  };
}

function figuresOfMinute({ watch, ...minute }: Minute) {
  return {
    ...minute,
    latenessMs: spread(watch.latenessMs),
    beatGapMsMax: Math.max(...watch.beatGapsMs),
    nodePercentOfCore: short(watch.cpuPercent),
  };
}

function complaintsOf(size: Size, { nothing, removed, written }: Phases): string[] {
  const { backlogMax, lateFactor, lateFloorMs, minuteMs, runsPerSecond } = size;
  const all = [...nothing, ...written, ...removed];
  const sum = (of: (minute: Minute) => number) => all.reduce((sum, each) => sum + of(each), 0);
  const [first, last] = [removed[0], removed.at(-1)];
  const lateMsMax = Math.max(lateFloorMs, lateFactor * lateP99(written));
  const perSecond = (of: (minute: Minute) => number) =>
    removed.reduce((sum, minute) => sum + of(minute), 0) / removed.length;
  const writtenPerSecond = Math.round(perSecond((minute) => minute.writtenPerSecond));
  const backlogRuns = backlogMax * runsPerSecond * (minuteMs / 1_000);
  const [runs, ticks] = [sum(({ watch }) => watch.runs), sum(({ watch }) => watch.ticks)];
  const growth = (last?.tablesMb ?? 0) / (first?.tablesMb ?? 0);
  const checks: [boolean, string][] = [
    [writtenPerSecond >= 0.95 * runsPerSecond, `only ${writtenPerSecond} runs/s were written`],
    [(last?.backlog ?? 0) <= backlogRuns, `${last?.backlog} runs are older than is kept`],
    [perSecond((minute) => minute.removedPerSecond) > 0, 'nothing was removed'],
    [growth <= 1.5, `the tables' files grew ${short(growth)} times while runs were removed`],
    [lateP99(removed) <= lateMsMax, `p99 of lateness is ${lateP99(removed)}, not ${lateMsMax} ms`],
    [Math.min(...latenessOf(all)) >= 0, 'a run was early'],
    [runs === ticks, `${runs} runs for ${ticks} ticks`],
  ];
  return checks.flatMap(([isMet, text]) => (isMet ? [] : [text]));
}
