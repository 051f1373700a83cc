import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import type { Operation } from '../../checkers/history.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { NotHereError } from '../../support/fetchMysql.ts';
import { findFaketime } from '../../support/findFaketime.ts';
import { closableScope } from '../../support/lastFirst.ts';
import type { EngineMember, FaultEngine } from '../engines/faultEngine.ts';
import { startFaultEngine } from '../engines/startFaultEngine.ts';
import { startPlainProxy } from '../proxy/plainProxy.ts';
import type { FaultOptions } from '../readFaultOptions.ts';
import { auditTriggers } from '../record/auditTriggers.ts';
import { startClockSampler } from '../record/clockSampler.ts';
import { type MessageWatch, watchMessages } from '../record/messageWatch.ts';
import type { EvidencePlace } from '../record/readEvidence.ts';
import type { RunState } from '../startProgress.ts';
import { workloadMix } from '../workload/jobMix.ts';
import { makeOperationWays } from '../workload/operationWays.ts';
import { Operator } from '../workload/operator.ts';
import { policyJobs } from '../workload/policyJobs.ts';
import {
  definitionOf,
  type LedgerPlace,
  ledgerPlace,
  workloadJobs,
} from '../workload/workloadJobs.ts';
import { bootNowMs } from './bootNow.ts';
import { buildProgram } from './buildProgram.ts';
import { endLeftovers, endWithUs } from './endLeftovers.ts';
import type { FaultWorld } from './faultWorld.ts';
import { startNodeLine } from './nodeLine.ts';
import { cliOf, cliToNode } from './runCli.ts';
import { canMount } from './smallDisk.ts';
import { SupervisedNode } from './supervisedNode.ts';

/** A world with everything started, and how it is brought to its end. */
export interface BuiltWorld extends FaultWorld {
  /** The jobs that were added before the nodes were started. */
  readonly setUp: readonly Operation[];
  /** Straight to a member that answers, as the administrator. */
  adminUrl(): Promise<string>;
  /** Where what is told of the run can be read now. */
  evidencePlace(): Promise<EvidencePlace>;
  readonly messages: Pick<MessageWatch, 'all'>;
  /** Undoes every fault, whatever it was. */
  healAll(): Promise<void>;
  /** Ends nodes, proxies and servers, and whatever else is left. */
  close(): Promise<void>;
}

/** Builds the program, starts an engine, makes a database with jobs and starts nodes on it. */
export async function makeFaultWorld(
  options: FaultOptions,
  { say, trouble }: Pick<RunState, 'say' | 'trouble'>,
): Promise<BuiltWorld> {
  const { close, scope } = closableScope();
  try {
    const { folder } = options;
    await mkdir(path.join(folder, 'ledger'), { recursive: true });
    const watcher = endWithUs(folder);
    scope.after(() => watcher.dismiss());
    scope.after(async () => {
      const left = await endLeftovers(folder);
      if (left > 0) say(`${left} processes were left over and have been killed`);
    });
    say(`building, and starting ${options.engine}`);
    const [main, engine] = await Promise.all([
      buildProgram(path.join(folder, 'program')),
      startEngine(options, say),
    ]);
    scope.after(() => engine.close());
    scope.after(() => rm(path.join(folder, 'program'), { recursive: true, force: true }));
    const world = await furnish(options, { engine, main, scope, say, trouble });
    return { ...world, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function startEngine(options: FaultOptions, say: (line: string) => void): Promise<FaultEngine> {
  return startFaultEngine(options.engine, { report: say, multiPrimary: options.multiPrimary });
}

interface FurnishParts extends Pick<RunState, 'say' | 'trouble'> {
  readonly engine: FaultEngine;
  /** The built program. */
  readonly main: string;
  readonly scope: Scope;
}

async function furnish(
  options: FaultOptions,
  { engine, main, scope, say, trouble }: FurnishParts,
): Promise<Omit<BuiltWorld, 'close'>> {
  const { apiPercent, folder, ttlMs } = options;
  const database = await engine.createDatabase();
  const adminUrl = async (): Promise<string> => (await running(engine)).adminUrl(database);
  const place = ledgerPlace(path.join(folder, 'ledger'));
  const { setUp, token } = await fillDatabase(await adminUrl(), place);
  const tokenFile = path.join(folder, 'token');
  await writeFile(tokenFile, token, { mode: 0o600 });
  const clock = startClockSampler(adminUrl);
  scope.after(() => clock.close());
  const messages = watchMessages(adminUrl);
  scope.after(() => messages.close());
  const operatorLine = await startNodeLine(scope, engine.members, database, 0);
  const faketimeLibrary = await faketimeOrNull(say);
  const isSpoolSmall = await canMount(place.folder);
  const nodes: SupervisedNode[] = [];
  for (let number = 1; number <= options.nodes; number += 1) {
    const name = `n${number}`;
    const line = await startNodeLine(scope, engine.members, database, number - 1);
    const api = apiPercent === 0 ? null : await startPlainProxy(scope);
    const own = path.join(folder, 'nodes', name);
    const plan = { name, line, api, folder: own, main, ttlMs, faketimeLibrary, isSpoolSmall };
    const node = new SupervisedNode(plan);
    nodes.push(node);
    await node.start();
  }
  scope.after(async () => void (await Promise.all(nodes.map((node) => node.stop()))));
  const cli = cliOf(main, operatorLine.url, folder);
  const cliTo = (url: string) => cliToNode(main, url, tokenFile, folder);
  const ways = makeOperationWays({ apiPercent, nodes, clock, token, cli, cliTo, trouble });
  const operator = new Operator({
    chooseWay: (random) => ways.choose(random),
    mix: workloadMix(place),
    lookUrl: adminUrl,
  });
  const world: FaultWorld = { engine, database, nodes, operatorLine, operator, ways, clock, ttlMs };
  const healAll = () => heal(world);
  await untilLive(world);
  const evidencePlace = async (): Promise<EvidencePlace> => ({
    url: await adminUrl(),
    byTime: (await engine.writable()).length > 1,
    ledgerFolder: place.folder,
  });
  return { ...world, setUp, adminUrl, messages, evidencePlace, healAll };
}

/** The schema, the triggers of ledger B, the jobs of the workload and a token of the API. */
async function fillDatabase(
  url: string,
  place: LedgerPlace,
): Promise<{ setUp: Operation[]; token: string }> {
  await migrate(readDatabaseUrl(url));
  const connection = await mysql.createConnection(url);
  for (const statement of auditTriggers) await connection.query(statement);
  await connection.end();
  const bounds = { timeoutMs: 30_000, lockWaitSeconds: 20, silenceSeconds: 600 };
  const channel = new Channel('set-up', readDatabaseUrl(url), bounds);
  const setUp: Operation[] = [];
  for (const job of [...workloadJobs(), ...policyJobs()]) {
    const invokedMs = bootNowMs();
    const { revision } = await addJob(channel, definitionOf(place, job));
    setUp.push({
      kind: 'add',
      job: job.name,
      invokedMs,
      answeredMs: bootNowMs(),
      outcome: 'ok',
      revision,
      requestId: null,
      detail: job.schedule,
    });
  }
  const token = { name: 'operator', role: 'operator', groups: null, expiresMs: null } as const;
  const { secret } = await addToken(channel, token);
  await channel.close();
  return { setUp, token: secret ?? '' };
}

async function heal({ engine, nodes, operatorLine }: FaultWorld): Promise<void> {
  operatorLine.each((proxy) => proxy.heal());
  for (const node of nodes) {
    node.line.each((proxy) => proxy.heal());
    node.api?.heal();
    await node.setClock(0);
    node.signal('node', 'SIGCONT');
  }
  await engine.heal();
}

/** A member that answers; writing ones first. */
async function running(engine: FaultEngine): Promise<EngineMember> {
  const [writing] = await engine.writable();
  if (writing !== undefined) return writing;
  for (const member of engine.members) {
    if ((await member.state()) === 'running') return member;
  }
  throw new Error('no member of the database runs');
}

async function faketimeOrNull(say: (line: string) => void): Promise<string | null> {
  try {
    return await findFaketime(say);
  } catch (error) {
    if (error instanceof NotHereError) return null;
    throw error;
  }
}

const liveMsMax = 120_000;

export async function untilLive({ nodes, clock }: FaultWorld): Promise<void> {
  const began = bootNowMs();
  while (!nodes.every(({ name }) => clock.live.has(name))) {
    if (bootNowMs() - began > liveMsMax) {
      const said = nodes.flatMap((node) => node.said.map(({ text }) => `${node.name}: ${text}`));
      throw new Error(`the nodes are not live after ${liveMsMax} ms:\n${said.join('\n')}`);
    }
    await sleep(50);
  }
}
