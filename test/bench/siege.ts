import { setTimeout as sleep } from 'node:timers/promises';
import { addToken } from '../../src/store/tokens/addToken.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  seedJobs,
  withServer,
} from './benchServer.ts';
import { type AttackName, type AttackPlan, attacks } from './load/attacks.ts';
import { type BenchProcess, startProcess } from './load/startProcess.ts';
import { percentile, short, spread } from './percentile.ts';
import { type BenchNode, startBenchNode } from './startBenchNode.ts';
import { type NodeWatch, watchNode } from './watchNode.ts';

const ttlMs = 10_000;
/** A lease lasts 0.8 of that, and none is ever older than half its time. */
const leaseMs = 0.4 * ttlMs;
const latenessFactor = 3;
/** Of the history's instants, which are whole milliseconds, and of a timer: 3 times 1 is none. */
const latenessFloorMs = 10;
const listMs = 1_000;
const rssMbMax = 300;
/** A machine that stands still for a second misses bounds; what is broken misses them again. */
const roundsMax = 3;
/** Until connections are open and threads have started, and until they are gone again. */
const warmUp = { wholeMs: 2_000, smallMs: 500 } as const;

interface Round {
  readonly watch: NodeWatch;
  readonly other: { readonly latenciesMs: number[]; readonly faults: Record<string, number> };
  readonly counts: unknown;
}

interface Site {
  readonly database: BenchDatabase;
  readonly node: BenchNode;
  readonly other: BenchProcess;
  readonly emptyUrl: string;
  /** Of the attackers. */
  readonly token: string;
  readonly jobs: number;
  readonly seconds: number;
  readonly warmUpMs: number;
}

/** Of the jobs of every second. */
const firstId = 1_001;

/**
 * What each attack takes from a node with jobs of every second, at a TTL of 10 s: against the same
 * load on a server of a process of its own that does nothing, so that what the machine lacks counts
 * on both sides. `--small`: on the node alone, and nothing that is a time of the machine is asked.
 */
export function siege(options: BenchOptions): Promise<BenchResult> {
  const names = namesOf(options.attacks);
  const jobs = options.jobs ?? (options.isSmall ? 5 : 20);
  const seconds = options.isSmall ? 2 : options.seconds;
  const warmUpMs = options.isSmall ? warmUp.smallMs : warmUp.wholeMs;
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('siege');
    await seedJobs(database, { from: 1, count: 1_000, schedule: '@yearly', dueAt: null });
    const dueAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 4_000);
    await seedJobs(database, { from: firstId, count: jobs, schedule: '* * * * * *', dueAt });
    const [token, otherToken] = [await makeViewer(database, 'a'), await makeViewer(database, 'b')];
    const url = database.url;
    const node = await startBenchNode({ url, capacity: 200, concurrency: 64, hasApi: true, ttlMs });
    const other = await startProcess('otherClient.ts', [node.apiUrl, otherToken], 'begun');
    const empty = await startProcess('emptyServer.ts', [], 'listening');
    await sleep(Math.max(0, dueAt.getTime() + 2_000 - Date.now()));

    const emptyUrl = empty.ready as string;
    const site = { database, node, other, emptyUrl, token, jobs, seconds, warmUpMs };
    const figures: Record<string, unknown> = {};
    const complaints: string[] = [];
    try {
      for (const name of names) {
        const tried = await tryAttack(site, name, options);
        figures[name] = tried.figures;
        complaints.push(...tried.complaints);
      }
      complaints.push(...(await node.report()).troubles);
      await node.stop();
    } catch (error) {
      // A node that was fenced is gone, and answers nothing.
      complaints.push(`after ${Object.keys(figures)}: ${(error as Error).message}`);
    } finally {
      for (const each of [other, empty]) await each.stop();
    }
    return { figures, complaints };
  });
}

/** Against both, one after the other, until all bounds are kept or the rounds are over. */
async function tryAttack(site: Site, name: AttackName, { isSmall, say }: BenchOptions) {
  for (let round = 1; ; round += 1) {
    say(`${name}: ${site.seconds} s`);
    const before = isSmall ? null : await besiege(site, name, site.emptyUrl);
    const during = await besiege(site, name, site.node.apiUrl);
    const complaints = complaintsOf(before, during).map((text) => `${name}: ${text}`);
    const figures = { round, ...figuresOf(before, during) };
    if (complaints.length === 0 || round === roundsMax) return { figures, complaints };
    for (const complaint of complaints) say(`round ${round}: ${complaint}`);
    say(JSON.stringify(figures));
  }
}

function namesOf(asked: readonly string[]): AttackName[] {
  const all = Object.keys(attacks) as AttackName[];
  const unknown = asked.filter((name) => !(all as string[]).includes(name));
  if (unknown.length > 0) throw new Error(`--attack: ${unknown} is none of ${all.join(', ')}`);
  return asked.length === 0 ? all : (asked as AttackName[]);
}

async function makeViewer({ channel }: BenchDatabase, name: string): Promise<string> {
  const wishes = { name, role: 'viewer', groups: ['default'], expiresMs: null } as const;
  return (await addToken(channel, wishes)).secret ?? '';
}

async function besiege(site: Site, attack: AttackName, url: string): Promise<Round> {
  const { database, jobs, node, other, seconds, token, warmUpMs } = site;
  const plan: AttackPlan = { attack, url, token };
  const clients = await startProcess('attackClients.ts', [JSON.stringify(plan)], 'begun');
  try {
    await sleep(warmUpMs);
    await other.ask('measure', 'measuring');
    const watch = await watchNode(database, node, { firstId, jobs, seconds });
    const heard = (await other.ask('report', 'report')) as Round['other'];
    return { watch, other: heard, counts: await clients.ask('report', 'report') };
  } finally {
    await clients.stop();
    // What the node still has of it is no load of the next one.
    await sleep(warmUpMs);
  }
}

function figuresOf(before: Round | null, during: Round) {
  return {
    ...(before === null ? {} : { emptyServer: figuresOfRound(before) }),
    node: figuresOfRound(during),
  };
}

function figuresOfRound({ counts, other, watch }: Round) {
  return {
    ticks: `${watch.runs} of ${watch.ticks}`,
    latenessMs: spread(watch.latenessMs),
    leaseAgeMsMax: Math.max(...watch.beatGapsMs),
    otherListMs: spread(other.latenciesMs),
    rssMb: Math.round(watch.rssMb),
    loopDelayMsMax: short(watch.loopDelayMs.max),
    cpuPercent: short(watch.cpuPercent),
    attack: counts,
  };
}

/** Without a baseline nothing is asked that depends on how fast the machine is. */
function complaintsOf(before: Round | null, { other, watch }: Round): string[] {
  const leaseAgeMs = Math.max(...watch.beatGapsMs);
  const faults = JSON.stringify(other.faults);
  const checks: [boolean, string][] = [
    [leaseAgeMs <= leaseMs, `a lease was ${leaseAgeMs} ms old`],
    [watch.runs > 0, 'nothing was run'],
    [other.latenciesMs.length > 0 && faults === '{}', `another token was told ${faults}`],
  ];
  if (before !== null) {
    const late = ({ latenessMs }: NodeWatch): number => percentile(latenessMs, 0.99);
    const most = Math.max(latenessFloorMs, latenessFactor * late(before.watch));
    const worstMs = Math.max(...other.latenciesMs);
    checks.push(
      // A job that takes longer than a second, where the machine is slow, is left out for the next.
      [watch.runs === watch.ticks, `${watch.runs} runs for ${watch.ticks} ticks`],
      [late(watch) <= most, `p99 of the lateness is ${late(watch)} ms, not ${most}`],
      [worstMs <= listMs, `another token's list took ${short(worstMs)} ms`],
      [watch.rssMb <= rssMbMax, `${Math.round(watch.rssMb)} MB resident`],
    );
  }
  return checks.flatMap(([isMet, text]) => (isMet ? [] : [text]));
}
