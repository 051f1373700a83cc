import { addToken } from '../../src/store/tokens/addToken.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  type BenchServer,
  seedJobs,
  withServer,
} from './benchServer.ts';
import { startProcess } from './load/startProcess.ts';
import type { ClientsPlan } from './page/pageClients.ts';
import { median, percentile, short } from './percentile.ts';
import { startBenchNode } from './startBenchNode.ts';
import { turnSlots } from './turnSlots.ts';
import { watchNode } from './watchNode.ts';

const pages = 20;
/** How often an open page reads the machines. */
const readMs = 2_000;
const everySecondJobs = 20;
const firstId = 1;

/**
 * What it costs that actors count what they do: the processor time of a node that claims, starts
 * and finishes slots (no children), counting and not counting in turns, each in a process of its
 * own; then the lateness of jobs of every second without and beside open pages on Machines of
 * another node.
 */
export function charts(options: BenchOptions): Promise<BenchResult> {
  const { isSmall, say } = options;
  const rounds = options.rounds ?? (isSmall ? 1 : 9);
  const jobs = options.jobs ?? (isSmall ? 500 : 10_000);
  const seconds = isSmall ? 5 : options.seconds;
  return withServer(say, async (server) => {
    const complaints: string[] = [];
    const turns = { rounds, complaints, say };
    const noChildren = await compare(server, { ...turns, jobs, hasChildren: false });
    const children = await compare(server, {
      ...{ ...turns, jobs: Math.ceil(jobs / sharesWithChildren), hasChildren: true },
    });
    const beside = await besidePages(server, seconds, complaints);
    const figures = { rounds, noChildren, children, pages: { ...beside, count: pages } };
    return { figures, complaints };
  });
}

/** A launch with a child takes so much longer. */
const sharesWithChildren = 20;

interface Turns {
  readonly rounds: number;
  readonly jobs: number;
  readonly hasChildren: boolean;
  readonly complaints: string[];
  readonly say: (line: string) => void;
}

/** The processor time of nodes that count and of nodes that do not, in pairs. */
async function compare(server: BenchServer, turns: Turns) {
  const { hasChildren, jobs, rounds, say } = turns;
  const database = await server.makeDatabase(hasChildren ? 'children' : 'turns');
  await seedJobs(database, { from: 1, count: jobs, schedule: '@yearly', dueAt: null });
  const [on, off]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    // Who comes first is not always the same.
    for (const isCounting of round % 2 === 0 ? [true, false] : [false, true]) {
      (isCounting ? on : off).push(await cpuOfTurn(database, turns, isCounting));
    }
    say(`round ${round + 1}: ${short(on.at(-1) ?? 0)} ms on, ${short(off.at(-1) ?? 0)} ms off`);
  }
  const ratios = on.map((cpuMs, round) => Number((cpuMs / (off[round] ?? 0)).toFixed(3)));
  const ofLaunch = (cpuMs: readonly number[]) => short((1_000 * median(cpuMs)) / jobs);
  return {
    launches: jobs,
    microsecondsOfLaunch: { counting: ofLaunch(on), without: ofLaunch(off) },
    ratio: { median: median(ratios), all: ratios },
  };
}

/** Of a node's own process while each slot goes round once; all have before, to warm it up. */
async function cpuOfTurn(
  database: BenchDatabase,
  { complaints, hasChildren, jobs }: Turns,
  isCounting: boolean,
): Promise<number> {
  const node = await startBenchNode({
    ...{ url: database.url, capacity: 4_000, concurrency: hasChildren ? 16 : 2_000, isCounting },
    ...(hasChildren ? {} : { childrenOf: [] }),
  });
  await turnSlots(database, jobs, complaints);
  const before = await node.report();
  await turnSlots(database, jobs, complaints);
  const after = await node.report();
  complaints.push(...after.troubles);
  await node.stop();
  return after.cpuMs - before.cpuMs;
}

/** Two nodes; the pages are served by one and show the other. */
async function besidePages(server: BenchServer, seconds: number, complaints: string[]) {
  const database = await server.makeDatabase('pages');
  const jobs = { from: firstId, count: everySecondJobs, schedule: '* * * * * *' };
  await seedJobs(database, { ...jobs, dueAt: new Date(Date.now() + 2_000) });
  const settings = { url: database.url, capacity: 200, concurrency: 64 };
  const [serving, other] = [
    await startBenchNode({ ...settings, nodeName: 'one', hasApi: true }),
    await startBenchNode({ ...settings, nodeName: 'two' }),
  ];
  const watched = { firstId, jobs: everySecondJobs, seconds };
  const without = await watchNode(database, serving, watched);
  const tokens = [];
  for (let number = 0; number < pages; number += 1) {
    const wishes = { role: 'viewer', groups: null, expiresMs: null } as const;
    const { secret } = await addToken(database.channel, { name: `page-${number}`, ...wishes });
    tokens.push(secret ?? '');
  }
  const recording = [{ path: '/api/v1/machines/live?node=two', afterMs: 0 }];
  const plan: ClientsPlan = {
    ...{ url: serving.apiUrl, tokens, recordings: [recording], recordedMs: readMs },
  };
  const clients = await startProcess('../page/pageClients.ts', [JSON.stringify(plan)], 'begun');
  const with20 = await watchNode(database, serving, watched);
  const { answered, faults } = (await clients.ask('report', 'report')) as {
    answered: number;
    faults: object;
  };
  await clients.stop();
  for (const node of [serving, other]) {
    complaints.push(...(await node.report()).troubles);
    await node.stop();
  }
  if (Object.keys(faults).length > 0) complaints.push(`not answered: ${JSON.stringify(faults)}`);
  if (answered === 0) complaints.push('no page was answered');
  const [late, before] = [with20, without].map(({ latenessMs }) => percentile(latenessMs, 0.99));
  return {
    answered,
    latenessP99Ms: { without: before, beside: late },
    cpuPercent: { without: short(without.cpuPercent), beside: short(with20.cpuPercent) },
  };
}
