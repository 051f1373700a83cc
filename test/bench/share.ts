import { jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import { addJob } from '../../src/store/jobs/changes/addJob.ts';
import {
  type BenchDatabase,
  type BenchOptions,
  type BenchResult,
  withServer,
} from './benchServer.ts';
import { percentile, short, spread } from './percentile.ts';
import { pollUntil } from './pollUntil.ts';
import { runVerify, verifyComplaints } from './runVerify.ts';
import { startBenchNode } from './startBenchNode.ts';

/** So many have real children; forking for all of them is what `burst` and `steady` measure. */
const realJobs = 10;
const nodeNames = ['one', 'two'] as const;

/**
 * N jobs of every second on two nodes for a while: how late their ticks start, how the nodes share
 * them, and whether `statecron verify` finds every tick accounted for. Few jobs have children, the
 * others end at once: what is measured is what the nodes and their database take for a launch.
 */
export function share(options: BenchOptions): Promise<BenchResult> {
  const jobs = options.jobs ?? 1_000;
  return withServer(options.say, async (server) => {
    const database = await server.makeDatabase('share');
    options.say(`adding ${jobs} jobs`);
    await addJobs(database, jobs);
    const names = Array.from({ length: realJobs }, (_, index) => `job-${index + 1}`);
    const settings = { url: database.url, capacity: 2 * jobs, concurrency: 64, childrenOf: names };
    const nodes = await Promise.all(
      nodeNames.map((nodeName) => startBenchNode({ ...settings, nodeName })),
    );
    // What fell due while the jobs were added is made up for first: it is no measure of lateness.
    const firstMs = Math.ceil(Date.now() / 1000) * 1000 + 5_000;
    const untilMs = firstMs + options.seconds * 1_000;
    const counted = [new Date(firstMs), new Date(untilMs)];
    await Promise.all(nodes.map((node) => node.measure()));
    options.say(`running for ${options.seconds} s`);
    const isOver = async () => Date.now() > untilMs + 2_000;
    await pollUntil('the time is over', options.seconds * 1_000 + 60_000, isOver);
    const reports = await Promise.all(nodes.map((node) => node.report()));
    const runs = await database.query(selectRuns, counted);
    const accounts = await database.query(selectOthers, counted);
    await Promise.all(nodes.map((node) => node.stop()));
    const { report } = await runVerify(database.url);
    const lateness = runs.map((run) => run.started_at.getTime() - run.scheduled_for.getTime());
    const shares = nodeNames.map(
      (name) => runs.filter((run) => run.node_name === name).length / runs.length,
    );
    const ticks = jobs * options.seconds;
    const figures = {
      ticks,
      runs: runs.length,
      latenessMs: { ...spread(lateness), p95: percentile(lateness, 0.95) },
      shares: shares.map(short),
      verify: { ok: report.ok, ticks: report.ticks },
      loopDelayP99Ms: reports.map(({ loopDelayMs }) => short(loopDelayMs.p99)),
    };
    const others = accounts.map((row) => `${row.result}: ${row.reason} (${row.ticks})`);
    const complaints = [
      ...reports.flatMap(({ troubles }) => troubles),
      ...verifyComplaints(report),
      ...(runs.length === ticks ? [] : [`${runs.length} runs for ${ticks} ticks`, ...others]),
      ...(percentile(lateness, 0) < 0 ? ['a run was early'] : []),
      ...(ticks < evenTicksMin || shares.every((part) => part > 0.4 && part < 0.6)
        ? []
        : ['the shares are uneven']),
    ];
    return { figures, complaints };
  });
}

/** What the nodes share is even in the long run: one that joins finds all claimed by the other. */
const evenTicksMin = 5_000;

async function addJobs({ channel }: BenchDatabase, jobs: number): Promise<void> {
  for (let number = 1; number <= jobs; number += 1) {
    const name = `job-${number}`;
    await addJob(channel, { ...jobDefaults, name, schedule: '* * * * * *', command: 'true' });
  }
}

/** The launches that succeeded, of the ticks from one instant until before another. */
export const selectRuns = `SELECT session.node_name, run.scheduled_for, run.started_at
  FROM run JOIN session USING (session_id)
  WHERE run.launch_id IS NOT NULL AND run.result = 'succeeded'
    AND run.scheduled_for >= ? AND run.scheduled_for < ?`;
const selectOthers = `SELECT result, reason, SUM(ticks) AS ticks FROM run
  WHERE result <> 'succeeded' AND scheduled_for >= ? AND scheduled_for < ?
  GROUP BY result, reason LIMIT 10`;
