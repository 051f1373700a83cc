import { type JobDefinition, jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import type { Row } from '../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../src/store/connection/databaseAddress.ts';
import { addJob } from '../../src/store/jobs/changes/addJob.ts';
import { openNodeStore } from '../../src/store/openNodeStore.ts';
import { joinWith, type TestNode } from '../support/testNode.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  type BenchServer,
  withServer,
} from './benchServer.ts';
import { median, percentile, short } from './percentile.ts';
import { pollUntil } from './pollUntil.ts';
import { runVerify, verifyComplaints } from './runVerify.ts';
import { startBenchNode } from './startBenchNode.ts';

const downDays = 30;
const rounds = 21;
const warmUps = 3;
const extraMsMax = 100;
const ttlMs = 45_000;
/** The window of `misfire all`, in ticks: the default's hour, or what `--small` has time for. */
const windowTicks = { whole: 3_600, small: 300 } as const;
const allMsMax = 900_000;
const everySecond = { ...jobDefaults, schedule: '* * * * * *', command: 'true' };

/**
 * A job of every second whose cluster was down for 30 days. With `misfire once`: what the claim,
 * the start and the end of its make-up take beside those of a job that missed nothing, turn by
 * turn, and the rows that tell of it. With `all`: its catch-up window, on a real node.
 */
export function downtime(options: BenchOptions): Promise<BenchResult> {
  return withServer(options.say, async (server) => {
    const once = await measureOnce(server);
    options.say('catching up');
    const ticks = options.isSmall ? windowTicks.small : windowTicks.whole;
    const all = await measureAll(server, ticks);
    return {
      figures: { once: once.figures, all: all.figures },
      complaints: [...once.complaints, ...all.complaints],
    };
  });
}

async function measureOnce(server: BenchServer): Promise<BenchResult> {
  const { channel, query, url } = await server.makeDatabase('once');
  const node = await joinWith('a', ttlMs, (sessionId, nextLaunchId) =>
    openNodeStore(readDatabaseUrl(url), { sessionId, nodeName: 'a', ttlMs, nextLaunchId }),
  );
  const took: Record<'down' | 'present', number[]> = { down: [], present: [] };
  const complaints: string[] = [];
  try {
    for (let round = 0; round < rounds + warmUps; round += 1) {
      for (const kind of ['present', 'down'] as const) {
        const name = `${kind}-${round}`;
        const { jobId } = await addJob(channel, { ...everySecond, name });
        await setBack({ query }, jobId, kind === 'down' ? downDays * 86_400 : 1);
        const tookMs = await runOnce(node);
        if (round >= warmUps) took[kind].push(tookMs);
        complaints.push(...judgeOnce(await query(selectRuns, [jobId]), kind));
        await query("UPDATE slot SET next_run_at = NULL, cursor_at = NULL WHERE state = 'idle'");
      }
    }
  } finally {
    await node.store.close();
  }
  const extraMs = median(took.down) - median(took.present);
  if (extraMs > extraMsMax) complaints.push(`${extraMs} ms of extra work`);
  const figures = {
    missedTicks: downDays * 86_400,
    lifeMs: short(median(took.down)),
    lifeMsWithNothingMissed: short(median(took.present)),
    extraMs: short(extraMs),
  };
  return { figures, complaints };
}

/** As if nobody had been there for so long: the cursor stands on the first tick of that time. */
async function setBack({ query }: Pick<BenchDatabase, 'query'>, jobId: number, seconds: number) {
  await query(
    'UPDATE job_revision SET in_force_from = NOW(3) - INTERVAL ? SECOND WHERE job_id = ?',
    [seconds, jobId],
  );
  await query(
    `UPDATE slot JOIN job_revision USING (job_id) SET cursor_at = in_force_from
       + INTERVAL 1000000 - MICROSECOND(in_force_from) MICROSECOND,
     next_run_at = cursor_at WHERE job_id = ?`,
    [jobId],
  );
}

async function runOnce(node: TestNode): Promise<number> {
  const startedMs = performance.now();
  const [launch] = await node.claim();
  if (launch === undefined) throw new Error('nothing was due');
  await node.start(launch);
  await node.finish(launch);
  return performance.now() - startedMs;
}

function judgeOnce(runs: readonly Row[], kind: 'down' | 'present'): string[] {
  const ranges = runs.filter((run) => run.scheduled_until !== null);
  const launches = runs.filter((run) => run.launch_id !== null);
  const missed = ranges.reduce((sum, run) => sum + Number(run.ticks), 0);
  // A second may begin between the set-back and the claim.
  const missedLeast = kind === 'down' ? downDays * 86_400 - 2 : 0;
  return [
    ...(launches.length === 1 ? [] : [`${launches.length} make-ups`]),
    ...(ranges.length > 1 ? [`${ranges.length} range rows`] : []),
    ...(missed < missedLeast ? [`only ${missed} missed ticks are told of`] : []),
  ];
}

async function measureAll(server: BenchServer, ticks: number): Promise<BenchResult> {
  const database = await server.makeDatabase('everything');
  const { channel, query, url } = database;
  const window = { misfire: 'all', catchUpMs: ticks * 1_000 } as const;
  const definition = { ...everySecond, ...window, name: 'all', format: 3 } as const;
  const { jobId } = await addJob(channel, definition satisfies JobDefinition);
  await setBack(database, jobId, downDays * 86_400);
  const node = await startBenchNode({ url, capacity: 100, concurrency: 16 });
  const startedMs = performance.now();
  await pollUntil(
    'the backlog is worked off',
    allMsMax,
    async () =>
      (await query(selectMakeUps, [jobId]))[0]?.made >= ticks && (await isCaughtUp(query)),
    500,
  );
  const tookMs = performance.now() - startedMs;
  await node.stop();
  const { report } = await runVerify(url);
  const runs = await query(selectRuns, [jobId]);
  const launches = runs.filter((run) => run.launch_id !== null);
  const makeUps = launches.filter((run) => run.triggered_by !== 'schedule');
  const complaints = [
    ...verifyComplaints(report),
    ...(isInOrder(launches) ? [] : ['the launches are out of order, or overlap']),
    ...(runs.length - launches.length === 1 ? [] : ['there is not one range row']),
  ];
  const gapsMs = launches
    .slice(1)
    .map((run, place) => run.started_at.getTime() - launches[place]?.ended_at.getTime());
  const figures = {
    launches: launches.length,
    makeUps: makeUps.length,
    rangeRows: runs.length - launches.length,
    seconds: short(tookMs / 1_000),
    launchesPerSecond: short(launches.length / (tookMs / 1_000)),
    gapMs: { p50: median(gapsMs), p99: percentile(gapsMs, 0.99) },
    verify: { ok: report.ok, ticks: report.ticks },
  };
  return { figures, complaints };
}

async function isCaughtUp(query: BenchDatabase['query']): Promise<boolean> {
  const [slot] = await query('SELECT cursor_at > NOW(3) AS ahead FROM slot');
  return slot?.ahead === 1;
}

/** Each scheduled after the one before, and started when that had ended. */
function isInOrder(launches: readonly Row[]): boolean {
  return launches.every((run, place) => {
    const before = launches[place - 1];
    return (
      before === undefined ||
      (run.scheduled_for > before.scheduled_for && run.started_at >= before.ended_at)
    );
  });
}

const selectMakeUps = 'SELECT COUNT(*) AS made FROM run WHERE job_id = ? AND launch_id IS NOT NULL';
const selectRuns = 'SELECT * FROM run WHERE job_id = ? ORDER BY scheduled_for';
