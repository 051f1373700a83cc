import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { browserProgram, skip } from '../../browser/browserProgram.ts';
import { launchBrowser, patienceMs } from '../../browser/launchBrowser.ts';
import { logIn } from '../../browser/logIn.ts';
import { addManyJobs } from '../../support/manyJobs.ts';
import { gzipSize, namedFiles } from '../../support/pageSizes.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  seedJobs,
  withServer,
} from '../benchServer.ts';
import { startProcess } from '../load/startProcess.ts';
import { median, percentile, short, spread } from '../percentile.ts';
import { pollUntil } from '../pollUntil.ts';
import { type BenchNode, startBenchNode } from '../startBenchNode.ts';
import { watchNode } from '../watchNode.ts';
import type { ClientsPlan, Recorded } from './pageClients.ts';
import { workOfFrames } from './workOfFrames.ts';

/** The budgets: what each figure may be on a machine that does nothing else. */
const most = {
  firstKb: 90,
  allKb: 150,
  firstPaintMs: 1_000,
  frameMs: { p50: 8, p99: 16 },
  taskMs: 50,
  idlePercent: 1,
  clientsPercent: 5,
} as const;
const paints = 5;
const slowdown = 4;
const eventsPerSecond = 10_000;
const clients = 20;
/** Several reads of each screen: one is read again every 8 s while jobs run all the time. */
const recordedMs = 30_000;
/** What a page asks for as it is opened is no cost of one that is open. */
const openingMs = 15_000;
/** Of jobs of every second: how many, and the first one's id. */
const [often, firstId] = [20, 1_000_001];
/** A heap that is collected has grown by less than this, or it grows. */
const heapGrowthMax = 1.25;

interface Site {
  readonly database: BenchDatabase;
  readonly node: BenchNode;
  readonly browser: Browser;
  readonly token: string;
  readonly jobs: number;
  readonly seconds: number;
  readonly complain: (what: string, isWrong: boolean) => void;
}

/**
 * The page in a real browser: how large it is, when it is first painted on a slow machine, its main
 * thread while a list of all jobs is scrolled and while events rain, what it takes when nothing
 * happens, and what open pages take from the node that serves them. `--small`: nothing that is a
 * time of the machine is asked.
 */
export async function page(options: BenchOptions): Promise<BenchResult> {
  if (browserProgram === null) throw new Error(String(skip));
  const { isSmall, say } = options;
  const cleanUps: (() => Promise<void>)[] = [];
  const complaints: string[] = [];
  return await withServer(say, async (server) => {
    const database = await server.makeDatabase('page');
    const jobs = options.jobs ?? (isSmall ? 300 : 100_000);
    say(`adding ${jobs} jobs`);
    await addManyJobs({ channel: database.channel, rows: database.query }, jobs);
    await makeRunnable(database);
    const node = await startBenchNode({
      ...{ url: database.url, capacity: 400, concurrency: 64, hasApi: true },
    });
    try {
      const browser = await launchBrowser({ after: (cleanUp) => void cleanUps.push(cleanUp) });
      const site: Site = {
        ...{ database, node, browser, jobs, token: await makeToken(database, 'reader') },
        seconds: isSmall ? 2 : Math.min(60, options.seconds),
        complain: (what, isWrong) => isWrong && !isSmall && void complaints.push(what),
      };
      const figures: Record<string, unknown> = { jobs };
      const measureEach = async (measures: Measures) => {
        for (const [name, measure] of Object.entries(measures)) {
          say(name);
          figures[name] = await measure(site);
        }
      };
      await measureEach(ofPage);
      const dueAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 4_000);
      await seedJobs(database, { from: firstId, count: often, schedule: '* * * * * *', dueAt });
      await pollUntil('the jobs of every second run', 120_000, async () => {
        const [run] = await database.query('SELECT 1 FROM run WHERE job_id = ?', [firstId]);
        return run !== undefined;
      });
      await measureEach(ofNode);
      complaints.push(...(await node.report()).troubles);
      await node.stop();
      return { figures, complaints };
    } finally {
      for (const cleanUp of cleanUps.reverse()) await cleanUp();
    }
  });
}

/** As if they were jobs of a node that has left; none has a tick while the page is measured. */
async function makeRunnable({ query }: BenchDatabase): Promise<void> {
  await query(`UPDATE slot SET state = 'idle', started_at = NULL,
    next_run_at = next_run_at + INTERVAL 1 HOUR, cursor_at = cursor_at + INTERVAL 1 HOUR`);
  await query('DELETE FROM session');
  const setDefaults = 'UPDATE job_revision SET definition = JSON_MERGE_PATCH(?, definition)';
  await query(setDefaults, [JSON.stringify(jobDefaults)]);
}

type Measures = Readonly<Record<string, (site: Site) => Promise<unknown>>>;

/** While nothing runs: what a node and its children take on two cores is no work of the page. */
const ofPage: Measures = {
  sizes: measureSizes,
  idle: measureIdle,
  firstPaint: measureFirstPaint,
  scrolling: measureScrolling,
  events: measureEvents,
};

/** Beside jobs of every second. */
const ofNode: Measures = { openPages: measureOpenPages };

async function measureSizes({ complain, node }: Site) {
  const html = await (await fetch(node.apiUrl)).text();
  const assets = path.resolve(import.meta.dirname, '../../../dist/page/assets');
  const all = (await readdir(assets)).filter((name) => !/\.(gz|br)$/.test(name));
  const firstKb = (await gzipSize(node.apiUrl, namedFiles(html))) / 1_000;
  const allKb =
    (await gzipSize(
      node.apiUrl,
      all.map((name) => `assets/${name}`),
    )) / 1_000;
  complain(`${firstKb} kB before the first screen`, firstKb > most.firstKb);
  complain(`${allKb} kB in all`, allKb > most.allKb);
  return { firstKb: short(firstKb), allKb: short(allKb) };
}

/** Without anything in a cache, with the processor slowed down. */
async function measureFirstPaint(site: Site) {
  const [tookMs, untilListMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < paints; round += 1) {
    const { context, page } = await open(site, site.node.apiUrl);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(`${site.node.apiUrl}/#/jobs`);
    await page.getByRole('table', { name: 'Jobs' }).waitFor();
    untilListMs.push(await page.evaluate<number>('performance.now()'));
    tookMs.push(
      await page.evaluate<number>(
        "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
      ),
    );
    await context.close();
  }
  const ms = median(tookMs);
  site.complain(`the first paint came after ${short(ms)} ms`, !(ms <= most.firstPaintMs));
  return { slowdown, ms: spread(tookMs), untilListMs: spread(untilListMs) };
}

async function measureScrolling(site: Site) {
  const { context, page } = await open(site, `${site.node.apiUrl}/#/jobs`);
  await page.getByRole('table', { name: 'Jobs' }).waitFor();
  await page.mouse.move(600, 400);
  const untilMs = Date.now() + 1_000 * Math.min(20, site.seconds);
  const work = await workOfFrames(site.browser, page, async () => {
    while (Date.now() < untilMs) await page.mouse.wheel(0, 1_200);
  });
  const rows = await page.evaluate<number>('Math.round(scrollY / 24)');
  await context.close();
  const figures = { frames: work.length, rows, workMs: spread(work) };
  const { p50, p99 } = figures.workMs;
  site.complain(`a frame took ${p50} ms (median)`, !(p50 <= most.frameMs.p50));
  site.complain(`a frame took ${p99} ms (p99)`, !(p99 <= most.frameMs.p99));
  return figures;
}

/** More than any cluster has, by a stream that is made up. */
async function measureEvents(site: Site) {
  const args = [site.node.apiUrl, `${eventsPerSecond}`, `${site.jobs}`];
  const stub = await startProcess('../page/stubNode.ts', args, 'listening');
  const { context, page } = await open(site, `${stub.ready}/#/jobs`);
  await page.getByRole('table', { name: 'Jobs' }).waitFor();
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.enable');
  await page.evaluate(noteLongTasks);
  const heapMb = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
  await sleep((1_000 * site.seconds) / 6);
  const first = await heapMb();
  // What collecting took is not the page's own.
  await page.evaluate('tasks.length = 0');
  await sleep((1_000 * site.seconds * 5) / 6);
  const tasksMs = await page.evaluate<number[]>('tasks');
  const last = await heapMb();
  const { heldBack, sent } = (await stub.ask('report', 'report')) as Record<string, number>;
  await context.close();
  await stub.stop();
  const longest = Math.max(0, ...tasksMs);
  site.complain(`a task took ${short(longest)} ms`, longest > most.taskMs);
  site.complain(`the heap went from ${first} to ${last} MB`, last > first * heapGrowthMax);
  return {
    perSecond: short((sent ?? 0) / site.seconds),
    heldBack,
    tasksOver50Ms: tasksMs.length,
    longestTaskMs: short(longest),
    heapMb: { first: short(first), last: short(last) },
  };
}

const noteLongTasks = `globalThis.tasks = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: 'longtask' });`;

/** An open page of a cluster in which nothing happens. */
async function measureIdle(site: Site) {
  const stub = await startProcess('../page/stubNode.ts', [site.node.apiUrl, '0'], 'listening');
  const { context, page } = await open(site, `${stub.ready}/#/`);
  await page.getByRole('heading', { name: 'Now' }).first().waitFor();
  await sleep(2_000);
  const session = await site.browser.newBrowserCDPSession();
  const usedMs = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer');
    return renderers.reduce((sum, { cpuTime }) => sum + 1_000 * cpuTime, 0);
  };
  const [beganMs, before] = [performance.now(), await usedMs()];
  await sleep(1_000 * Math.min(30, site.seconds));
  const percent = (100 * ((await usedMs()) - before)) / (performance.now() - beganMs);
  await context.close();
  await stub.stop();
  site.complain(`an idle page takes ${short(percent)} % of a core`, percent > most.idlePercent);
  return { percentOfCore: short(percent) };
}

/** The node with its jobs, and with so many pages open beside them. */
async function measureOpenPages(site: Site) {
  const { complain, database, node } = site;
  const seconds = Math.min(30, site.seconds);
  const recordings: Recorded[][] = [];
  for (const place of ['', 'jobs', 'jobs/job-000020']) {
    recordings.push(await record(site, `${node.apiUrl}/#/${place}`));
  }
  const without = await watchNode(database, node, { firstId, jobs: often, seconds });
  const tokens = [];
  for (let number = 0; number < clients; number += 1) {
    tokens.push(await makeToken(database, `client ${number}`));
  }
  const plan: ClientsPlan = { url: node.apiUrl, tokens, recordings, recordedMs };
  const pages = await startProcess('../page/pageClients.ts', [JSON.stringify(plan)], 'begun');
  await sleep(site.seconds > 10 ? recordedMs : 1_000);
  const beside = await watchNode(database, node, { firstId, jobs: often, seconds });
  const report = (await pages.ask('report', 'report')) as { faults: Record<string, number> };
  await pages.stop();
  const percent = beside.cpuPercent - without.cpuPercent;
  const [late, lateBefore] = [beside, without].map(({ latenessMs }) =>
    percentile(latenessMs, 0.99),
  );
  complain(`${clients} pages take ${short(percent)} % of a core`, percent > most.clientsPercent);
  complain(`the pages were told ${JSON.stringify(report.faults)}`, hasSome(report.faults));
  return {
    ...{ clients, requests: recordings.map(({ length }) => length), ...report },
    percentOfCore: short(percent),
    latenessP99Ms: { without: lateBefore, beside: late },
  };
}

const hasSome = (faults: Record<string, number>) => Object.keys(faults).length > 0;

/** What an open page asks for in a while. */
async function record(site: Site, url: string): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const { context, page } = await open(site, '');
  await page.goto(url);
  await sleep(site.seconds > 10 ? openingMs : 1_000);
  const beganMs = performance.now();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isStream = pathname.endsWith('/events');
    if (!pathname.startsWith('/api/') || request.method() !== 'GET' || isStream) return;
    recorded.push({ path: `${pathname}${search}`, afterMs: performance.now() - beganMs });
  });
  await sleep(recordedMs);
  await context.close();
  return recorded;
}

async function makeToken({ channel }: BenchDatabase, name: string): Promise<string> {
  const request = { name, role: 'viewer', groups: null, expiresMs: null } as const;
  return (await addToken(channel, request)).secret ?? '';
}

/** A window that is logged in; '' opens no address yet. */
async function open(
  { browser, node, token }: Site,
  url: string,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  context.setDefaultTimeout(patienceMs);
  const origin = url === '' ? node.apiUrl : new URL(url).origin;
  await logIn(context, origin, token);
  const page = await context.newPage();
  if (url !== '' && url !== node.apiUrl) await page.goto(url);
  return { context, page };
}
