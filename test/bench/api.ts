import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import { addJob } from '../../src/store/jobs/changes/addJob.ts';
import { addToken } from '../../src/store/tokens/addToken.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  type SeedExtras,
  seedJobs,
  withServer,
} from './benchServer.ts';
import type { LoadPlan, LoadReport } from './load/loadPlan.ts';
import { startLoad } from './load/startLoad.ts';
import { percentile, short, spread } from './percentile.ts';
import { startBenchNode } from './startBenchNode.ts';
import { type NodeWatch, watchNode } from './watchNode.ts';

interface Size {
  readonly rows: number;
  readonly jobs: number;
  readonly seconds: number;
  readonly load: Pick<LoadPlan, 'slowSockets' | 'eventClients' | 'listsPerSecond' | 'bodySenders'>;
  readonly bounds: Bounds;
  /** Of the load: in ten seconds V8 compiles what lists and streams run most. */
  readonly warmUpMs: number;
  /** A machine that stands still for a second misses bounds; what is broken misses them again. */
  readonly roundsMax: number;
}

interface Bounds {
  /** 99 of 100 lists are there within this. */
  readonly listMs: number;
  /** The longest time between two heartbeats; they come every 3 s, and a lease lasts 36 s. */
  readonly beatMs: number;
  /** How much later than before 99 of 100 runs may start under load. */
  readonly lateFactor: number;
  /**
   * What no run needs to be earlier than. Before, a start waits for nothing but its transaction;
   * now two cores are shared by the clients, the database and the node, and one list that is being
   * answered takes milliseconds. Twice of next to nothing is less than either.
   */
  readonly lateFloorMs: number;
  readonly rssMb: number;
}

const whole: Size = {
  ...{ rows: 100_000, jobs: 20, seconds: 30 },
  load: { slowSockets: 500, eventClients: 200, listsPerSecond: 200, bodySenders: 4 },
  bounds: { listMs: 50, beatMs: 4_500, lateFactor: 2, lateFloorMs: 50, rssMb: 100 },
  warmUpMs: 10_000,
  roundsMax: 1,
};

/** Its bounds are those of a crowded machine: what is broken breaks them all the same. */
const small: Size = {
  ...{ rows: 5_000, jobs: 5, seconds: 7 },
  load: { slowSockets: 50, eventClients: 20, listsPerSecond: 20, bodySenders: 1 },
  bounds: { listMs: 1_000, beatMs: 9_000, lateFactor: 2, lateFloorMs: 1_000, rssMb: 150 },
  warmUpMs: 4_000,
  roundsMax: 3,
};

/** Groups and tags that the listed jobs are dealt among; one of ten is paused. */
const groups = 20;
const tags = 10;
const settleMs = 4_000;

/**
 * What the API takes from the node that serves it: a node with jobs of every second, among many
 * other jobs, before and while its API is asked for lists, listened to, and beset by slow sockets
 * and large bodies.
 */
export function api(options: BenchOptions): Promise<BenchResult> {
  const size = sizeOf(options);
  const { jobs, rows, seconds } = size;
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('api');
    options.say(`adding ${rows} jobs`);
    const token = await fill(database, size);
    const node = await startBenchNode({
      url: database.url,
      ...{ capacity: 4 * jobs, concurrency: 64, hasApi: true },
      // All of the clients have one address and one token: what bounds those is another bench's.
      http: { connectionsPerAddressMax: 1_024, streamsPerTokenMax: 256 },
    });
    const dueAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_000);
    await database.query(makeDue, [dueAt, dueAt, groups, groups + jobs]);
    await sleep(settleMs);
    options.say(`${seconds} s without clients`);
    const before = await watchNode(database, node, { firstId: groups + 1, jobs, seconds });
    const load = await startLoad({
      ...{ url: node.apiUrl, token, jobs: rows, groups, tags },
      ...size.load,
    });
    try {
      await sleep(size.warmUpMs);
      let round = 0;
      let watched: { complaints: string[]; figures: Record<string, unknown> };
      do {
        round += 1;
        await load.measure();
        options.say(`${seconds} s with them`);
        const during = await watchNode(database, node, { firstId: groups + 1, jobs, seconds });
        const report = await load.report();
        const complaints = complaintsOf(size, before, during, report);
        for (const complaint of complaints) options.say(`round ${round}: ${complaint}`);
        watched = { complaints, figures: figuresOf(before, during, report) };
      } while (watched.complaints.length > 0 && round < size.roundsMax);
      const { troubles } = await node.report();
      await load.stop();
      await node.stop();
      return { ...watched, complaints: [...troubles, ...watched.complaints] };
    } catch (error) {
      await load.stop();
      throw error;
    }
  });
}

function sizeOf({ isSmall, jobs, rows, seconds }: BenchOptions): Size {
  const size = isSmall ? small : whole;
  return {
    ...size,
    rows: rows ?? size.rows,
    jobs: jobs ?? size.jobs,
    seconds: isSmall ? size.seconds : seconds,
  };
}

const makeDue = `UPDATE slot SET next_run_at = ?, cursor_at = ?
  WHERE job_id > ? AND job_id <= ?`;

/** Of every job a run that ended yesterday, and one of the day before. */
const makeHistory = `INSERT INTO run (job_id, revision, launch_id, triggered_by, attempt,
    scheduled_for, started_at, ended_at, result)
  SELECT job_id, 1, CONCAT('before:', job_id, '-', ago), 'schedule', 1, NOW(3) - INTERVAL ago DAY,
    NOW(3) - INTERVAL ago DAY, NOW(3) - INTERVAL ago DAY, 'succeeded'
  FROM job CROSS JOIN (SELECT 1 AS ago UNION SELECT 2) AS days`;

/** One job of each group, the running jobs, the listed ones; resolves to a token for them. */
async function fill(database: BenchDatabase, { jobs, rows }: Size): Promise<string> {
  const targets = await makeGroups(database);
  const running = { from: groups + 1, count: jobs, schedule: '* * * * * *', dueAt: null };
  await seedJobs(database, running);
  const more = (id: number): SeedExtras => {
    const group = id % groups;
    return {
      definition: { group: `group-${group}`, tags: [`tag-${id % tags}`], format: 3 },
      isPaused: id % 10 === 0,
      targetId: targets[group] ?? 0,
    };
  };
  const listed = { from: groups + jobs + 1, count: rows, schedule: '@yearly', dueAt: null, more };
  await seedJobs(database, listed);
  await database.query(makeHistory);
  await database.query('ANALYZE TABLE job, job_revision, slot, run');
  const wishes = { name: 'bench', role: 'admin', groups: null, expiresMs: null } as const;
  return (await addToken(database.channel, wishes)).secret ?? '';
}

/** The target of each group, as a job that the store itself has added has it. */
async function makeGroups({ channel, query }: BenchDatabase): Promise<number[]> {
  for (let group = 0; group < groups; group += 1) {
    const name = `first-of-${group}`;
    const words = { name, group: `group-${group}`, schedule: '@yearly', command: 'true' };
    await addJob(channel, { ...jobDefaults, ...words, format: 3 });
  }
  const rows = await query("SELECT name, target_id FROM job WHERE name LIKE 'first-of-%'");
  const targets = new Map(rows.map((row) => [row.name as string, row.target_id as number]));
  return Array.from({ length: groups }, (_, group) => targets.get(`first-of-${group}`) ?? 0);
}

function figuresOf(before: NodeWatch, during: NodeWatch, report: LoadReport) {
  const { bodies, events, lists, loopDelayP99Ms, slow } = report;
  const byKind = Object.entries(lists.byKind).map(([kind, each]) => [kind, spread(each)]);
  return {
    // Of the machine: what else ran on it is in all figures that are times.
    loadAverage: short(loadavg()[0] ?? 0),
    lists: {
      answered: lists.answered,
      faults: lists.faults,
      latencyMs: spread(lists.latenciesMs),
      byKind: Object.fromEntries(byKind),
    },
    before: figuresOfNode(before),
    during: figuresOfNode(during),
    clients: {
      ...{ slow, bodies, events: { ...events, readMb: short(events.readMb) } },
      loopDelayP99Ms: short(loopDelayP99Ms),
    },
  };
}

function figuresOfNode(watch: NodeWatch) {
  return {
    runs: watch.runs,
    latenessMs: spread(watch.latenessMs),
    beatGapsMs: spread(watch.beatGapsMs),
    rssMb: Math.round(watch.rssMb),
    loopDelayMs: { p99: short(watch.loopDelayMs.p99), max: short(watch.loopDelayMs.max) },
    cpuPercent: short(watch.cpuPercent),
  };
}

function complaintsOf(
  { bounds, load, seconds }: Size,
  before: NodeWatch,
  during: NodeWatch,
  { bodies, events, lists, slow }: LoadReport,
): string[] {
  const late = (watch: NodeWatch): number => percentile(watch.latenessMs, 0.99);
  const lateMsMax = Math.max(bounds.lateFloorMs, bounds.lateFactor * late(before));
  const listMs = percentile(lists.latenciesMs, 0.99);
  const beatMs = Math.max(...during.beatGapsMs);
  const rssMb = during.rssMb - before.rssMb;
  const wanted = load.listsPerSecond * seconds;
  const checks: [boolean, string][] = [
    [listMs <= bounds.listMs, `p99 of the lists is ${short(listMs)} ms`],
    [lists.answered >= 0.98 * wanted, `${lists.answered} lists for ${wanted} asked for`],
    [Object.keys(lists.faults).length === 0, `lists failed: ${JSON.stringify(lists.faults)}`],
    [beatMs <= bounds.beatMs, `${beatMs} ms without a heartbeat`],
    [late(during) <= lateMsMax, `p99 of the lateness is ${late(during)} ms, not ${lateMsMax}`],
    [percentile(during.latenessMs, 0) >= 0, 'a run was early'],
    [during.runs === during.ticks, `${during.runs} runs for ${during.ticks} ticks`],
    [rssMb <= bounds.rssMb, `${Math.round(rssMb)} MB more memory than before`],
    [bodies.refused + bodies.cut > 0 && events.readMb > 0, 'no large body ended, or no event read'],
    [bodies.taken === 0, `${bodies.taken} large bodies were taken`],
    [slow.endedByNode > 0 || seconds < slowMsMax / 1_000, 'no slow socket was ended'],
  ];
  return checks.flatMap(([isMet, text]) => (isMet ? [] : [text]));
}

/** A node waits no longer than this for a head or a body, with what it takes to notice. */
const slowMsMax = 20_000;
