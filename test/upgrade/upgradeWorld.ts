import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import mysql from 'mysql2/promise';
import type { Operation } from '../checkers/history.ts';
import { auditTriggers } from '../fault/record/auditTriggers.ts';
import { type ClockSampler, startClockSampler } from '../fault/record/clockSampler.ts';
import { cliWay } from '../fault/workload/cliWay.ts';
import { workloadMix } from '../fault/workload/jobMix.ts';
import { Operator } from '../fault/workload/operator.ts';
import { definitionOf, ledgerPlace, workloadJobs } from '../fault/workload/workloadJobs.ts';
import { bootNowMs } from '../fault/world/bootNow.ts';
import { endLeftovers, endWithUs } from '../fault/world/endLeftovers.ts';
import { type Cli, cliOf } from '../fault/world/runCli.ts';
import type { Scope } from '../support/createDatabase.ts';
import { MixedNode, type Programs, type Version } from './mixedNode.ts';

/** Two versions on one database that the old one has made and filled. */
export interface UpgradeWorld {
  readonly url: string;
  readonly ledgerFolder: string;
  readonly nodes: readonly MixedNode[];
  readonly cli: Readonly<Record<Version, Cli>>;
  /** Asks now the one version, now the other. */
  readonly operator: Operator;
  readonly clock: ClockSampler;
  readonly setUp: readonly Operation[];
}

export const ttlMs = 5_000;

/**
 * The old version migrates the empty database at `url` and fills it; the nodes are not started.
 * @param folder where everything of it is kept
 */
export async function makeUpgradeWorld(
  scope: Scope,
  { programs, folder, url }: { programs: Programs; folder: string; url: string },
): Promise<UpgradeWorld> {
  const place = ledgerPlace(path.join(folder, 'ledger'));
  await mkdir(place.folder, { recursive: true });
  const watcher = endWithUs(folder);
  scope.after(() => watcher.dismiss());
  scope.after(async () => void (await endLeftovers(folder)));
  const cli = {
    old: cliOf(programs.old, url, path.join(folder, 'old')),
    new: cliOf(programs.new, url, path.join(folder, 'new')),
  };
  await must(cli.old, ['migrate']);
  await makeTriggers(url);
  const setUp = await addJobs(cli.old, place);
  const clock = startClockSampler(async () => url);
  scope.after(() => clock.close());
  let asked = 0;
  const operator = new Operator({
    chooseWay: () => {
      asked += 1;
      return cliWay('database', '', asked % 2 === 0 ? cli.old : cli.new);
    },
    mix: workloadMix(place),
    lookUrl: async () => url,
  });
  const parts = { programs, folder: path.join(folder, 'nodes'), url, ttlMs };
  const nodes = [
    new MixedNode('n1', 'old', parts),
    new MixedNode('n2', 'old', parts),
    new MixedNode('n3', 'new', parts),
  ];
  scope.after(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
  return { url, ledgerFolder: place.folder, nodes, cli, operator, clock, setUp };
}

/** An answer that has to be a good one. */
export async function must(cli: Cli, args: readonly string[]): Promise<Record<string, unknown>> {
  const { data, message } = await cli(args);
  if (data === null) throw new Error(`statecron ${args.join(' ')}: ${message}`);
  return data;
}

async function makeTriggers(url: string): Promise<void> {
  const connection = await mysql.createConnection(url);
  for (const statement of auditTriggers) await connection.query(statement);
  await connection.end();
}

/** The jobs are as the old version writes them, with no field that only the new one knows. */
async function addJobs(cli: Cli, place: ReturnType<typeof ledgerPlace>): Promise<Operation[]> {
  const operations: Operation[] = [];
  const waiting = workloadJobs();
  const add = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const { command, timeoutMs, leftovers, outputBytesMax } = definitionOf(place, job);
      const invokedMs = bootNowMs();
      const data = await must(cli, [
        ...['job', 'add', job.name, '--cron', job.schedule, '--command', command],
        ...['--grace', '500ms', '--leftovers', leftovers, '--output-max', `${outputBytesMax}`],
        ...(timeoutMs === null ? [] : ['--timeout', `${timeoutMs}ms`]),
      ]);
      operations.push({
        kind: 'add',
        job: job.name,
        invokedMs,
        answeredMs: bootNowMs(),
        outcome: 'ok',
        revision: (data.revision as number | undefined) ?? 1,
        requestId: null,
        detail: job.schedule,
      });
    }
  };
  await Promise.all([add(), add()]);
  return operations;
}
