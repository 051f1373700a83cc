import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  withServer,
} from '../benchServer.ts';
import { type BenchProcess, startProcess } from '../load/startProcess.ts';
import { short } from '../percentile.ts';
import { runVerify, verifyComplaints } from '../runVerify.ts';
import { firstWarm, judgeSoak, type SoakBounds } from './judgeSoak.ts';
import { figuresOfSample, type Sample } from './sample.ts';
import type { SoakPlan, SoakReport } from './soakClients.ts';
import { type SoakNode, startSoakNode } from './soakNode.ts';

interface Size {
  readonly sampleMs: number;
  readonly samples: number;
  /** Before the first: ticks that fell due while the jobs were added, and the compiler's work. */
  readonly settleMs: number;
  /** How long after its tick a run is counted: it has ended by then. */
  readonly lagMs: number;
  readonly bounds: SoakBounds;
}

const whole = {
  ...{ sampleMs: 60_000, settleMs: 30_000, lagMs: 10_000 },
  bounds: { heapMbPerHour: 1, slower: 1.5, floorMs: 25, runsShare: 0.98, faults: 0 },
} as const;

/** Its bounds are those of a crowded machine: what is broken breaks them all the same. */
const small: Size = {
  ...{ sampleMs: 3_000, samples: 12, settleMs: 6_000, lagMs: 2_000 },
  bounds: { heapMbPerHour: 2_000, slower: 4, floorMs: 5_000, runsShare: 0.1, faults: 100 },
};

const nodeNames = ['one', 'two'] as const;
const listsPerSecond = 4;
/** Together 60 runs a second. */
const everySecondJobs = 40;
const [everyFewJobs, fewSeconds] = [100, 5] as const;
const runsPerSecond = everySecondJobs + everyFewJobs / fewSeconds;
/** 51 bytes, by Bash alone: starting processes is what other benches measure. */
const writing = `printf '%s\\n' {1..20}`;
/** One of so many jobs fails each time. */
const failingShare = 20;

/**
 * Two whole nodes for hours, with 60 runs a second that write a little, an event stream and a
 * reader of lists at each: by how much their heaps grow, and whether lists and starts take as long
 * at the end as in the beginning. Heaps are measured after a collection, between two ticks.
 */
export function soak(options: BenchOptions): Promise<BenchResult> {
  const size = options.isSmall ? small : sizeOf(options);
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('soak');
    await addJobs(database);
    const wishes = { name: 'soak', role: 'viewer', groups: null, expiresMs: null } as const;
    const { secret } = await addToken(database.channel, wishes);
    const nodes: SoakNode[] = [];
    let clients: BenchProcess | undefined;
    let samples: Sample[];
    try {
      for (const name of nodeNames) nodes.push(await startSoakNode(server, database, name));
      const urls = nodes.map(({ url }) => url);
      const plan: SoakPlan = { urls, token: secret ?? '', listsPerSecond };
      clients = await startProcess('../soak/soakClients.ts', [JSON.stringify(plan)], 'begun');
      samples = await takeSamples({ database, nodes, clients, size, options });
    } finally {
      await clients?.stop();
      await Promise.all(nodes.map((node) => node.stop()));
    }
    const { report } = await runVerify(database.url);
    const { complaints, figures } = judgeSoak(samples, { ...size, runsPerSecond });
    const verify = { ok: report.ok, ticks: report.ticks, findings: report.findings.length };
    return {
      figures: {
        ...figures,
        verify,
        // Of the machine: what else ran on it is in all figures that are times.
        loadAverage: short(loadavg()[2] ?? 0),
        samples: samples.map(figuresOfSample),
      },
      complaints: [...complaints, ...verifyComplaints(report)],
    };
  });
}

function sizeOf({ hours }: BenchOptions): Size {
  return { ...whole, samples: Math.max(8, Math.round((hours * 3_600_000) / whole.sampleMs)) };
}

async function addJobs({ channel }: BenchDatabase): Promise<void> {
  for (let number = 1; number <= everySecondJobs + everyFewJobs; number += 1) {
    const seconds = number <= everySecondJobs ? '*' : `${number % fewSeconds}/${fewSeconds}`;
    const command = number % failingShare === 0 ? `${writing}; exit 1` : writing;
    const [name, schedule] = [`job-${number}`, `${seconds} * * * * *`];
    await addJob(channel, { ...jobDefaults, name, schedule, command });
  }
}

interface Soaked {
  readonly database: BenchDatabase;
  readonly nodes: readonly SoakNode[];
  readonly clients: BenchProcess;
  readonly size: Size;
  readonly options: BenchOptions;
}

async function takeSamples(soaked: Soaked): Promise<Sample[]> {
  const { database, nodes, options, size } = soaked;
  const ask = async () => (await soaked.clients.ask('report', 'report')) as SoakReport;
  const samples: Sample[] = [];
  // Half a second behind the ticks: a collection shall make none of them late.
  const beganMs = Math.ceil((Date.now() + size.settleMs) / 1_000) * 1_000 + 500;
  await sleep(beganMs - Date.now());
  await ask();
  while (samples.length < size.samples) {
    const fromMs = beganMs + samples.length * size.sampleMs;
    const atMs = fromMs + size.sampleMs;
    await sleep(atMs - Date.now());
    const clients = await ask();
    const isEdge = [firstWarm(size.samples), size.samples - 1].includes(samples.length);
    const snapshots = isEdge ? options.snapshots : null;
    const weights = await Promise.all(nodes.map((node) => node.weigh(snapshots)));
    const window = [fromMs, atMs].map((ms) => new Date(ms - size.lagMs));
    const runs = await database.query(selectRuns, window);
    const [row] = await database.query('SELECT COUNT(*) AS kept FROM run');
    const latenessMs = runs.map((run) => run.started_at.getTime() - run.scheduled_for.getTime());
    const sample = { atMs, weights, clients, latenessMs, kept: Number(row?.kept) };
    samples.push(sample);
    options.say(JSON.stringify(figuresOfSample(sample)));
  }
  return samples;
}

const selectRuns = `SELECT scheduled_for, started_at FROM run
  WHERE launch_id IS NOT NULL AND scheduled_for >= ? AND scheduled_for < ?`;
