import {
  type ShownRequest,
  scannedRequests,
  servedRequests,
} from '../store/timeline/rowsOfRequests.ts';
import { addManyJobs } from '../support/manyJobs.ts';
import { rowsRead } from '../support/rowsRead.ts';
import { type BenchOptions, type BenchResult, withServer } from './benchServer.ts';
import { percentile, short } from './percentile.ts';

const rounds = 200;
/** Before those that are measured: V8 compiles what they run, the database has its pages. */
const warmUpRounds = 20;
/** Of what an index serves, and besides what is read however little is shown. */
const [rowsEachMax, rowsAlways] = [20, 200];
/** 99 of 100 requests end within this on a machine that does nothing else. */
const requestMsMax = 50;

/**
 * The requests of the page one by one, over many jobs with twice as many runs, or so many: how long
 * each takes in the store, and how many rows the database reads for those that it shows.
 */
export function lists({ isSmall, rows, runs, say }: BenchOptions): Promise<BenchResult> {
  return withServer(say, async (server) => {
    const database = await server.makeDatabase('lists');
    const jobs = rows ?? (isSmall ? 2_000 : 100_000);
    const jobsWithRuns = Math.ceil(jobs / 10);
    const runsOfEach = Math.ceil((runs ?? 2 * jobs) / jobsWithRuns / 20) * 20;
    say(`adding ${jobs} jobs and ${runsOfEach * jobsWithRuns} runs`);
    const world = { channel: database.channel, rows: database.query };
    await addManyJobs(world, jobs, runsOfEach);
    const size = { jobs, runs: runsOfEach * jobsWithRuns };
    const figures: Record<string, unknown> = { size };
    const complaints: string[] = [];
    for (const [name, request] of Object.entries({ ...servedRequests, ...scannedRequests })) {
      const figure = await measure(world, request);
      figures[name] = figure;
      const rowsMax = rowsEachMax * figure.shown + rowsAlways;
      if (name in servedRequests && figure.rowsRead > rowsMax) {
        complaints.push(`${name}: ${figure.rowsRead} rows read for ${figure.shown}`);
      }
      if (figure.p99Ms > requestMsMax) complaints.push(`${name}: p99 is ${figure.p99Ms} ms`);
    }
    return { figures, complaints: isSmall ? [] : complaints };
  });
}

type World = Parameters<typeof addManyJobs>[0];

async function measure(world: World, request: ShownRequest) {
  let shown = 0;
  const read = await rowsRead(world, async () => {
    shown = await request(world);
  });
  for (let round = 0; round < warmUpRounds; round += 1) await request(world);
  const tookMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const beganMs = performance.now();
    await request(world);
    tookMs.push(performance.now() - beganMs);
  }
  const [p50Ms, p99Ms] = [0.5, 0.99].map((share) => short(percentile(tookMs, share)));
  return { shown, rowsRead: read, p50Ms: p50Ms ?? 0, p99Ms: p99Ms ?? 0 };
}
