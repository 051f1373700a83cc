import { chmod, copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Channel } from '../../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { closableScope } from '../../support/lastFirst.ts';
import type { FaultEngine } from '../engines/faultEngine.ts';
import type { AttachOptions, FaultOptions } from '../readFaultOptions.ts';
import { startClockSampler } from '../record/clockSampler.ts';
import { watchMessages } from '../record/messageWatch.ts';
import type { RunState } from '../startProgress.ts';
import type { JobMix } from '../workload/jobMix.ts';
import { makeOperationWays } from '../workload/operationWays.ts';
import { Operator } from '../workload/operator.ts';
import { type LedgerPlace, ledgerPlace } from '../workload/workloadJobs.ts';
import { buildProgram } from '../world/buildProgram.ts';
import type { FaultWorld } from '../world/faultWorld.ts';
import { type BuiltWorld, untilLive } from '../world/makeFaultWorld.ts';
import { startNodeLine } from '../world/nodeLine.ts';
import { cliOf } from '../world/runCli.ts';
import { addJobsOf } from './addJobsOf.ts';
import { attachedEngine } from './attachedEngine.ts';
import { recordJobs, releaseJobs } from './attachedJobs.ts';
import { type AttachedLines, startAttachedLines } from './attachedLines.ts';
import { AttachedNode } from './attachedNode.ts';
import { holdCluster, requireMark, resolveUrl, unmarkCluster } from './clusterMark.ts';
import { watchLaunches } from './watchLaunches.ts';

const bounds = { timeoutMs: 30_000, lockWaitSeconds: 20, silenceSeconds: 600 };

/**
 * A world of a cluster that somebody else has started, on this host: its nodes are broken, its jobs
 * record their runs, and afterwards both go on as they were.
 * @throws OperatorError (78) when it may not, or cannot, be done
 */
export async function makeAttachedWorld(
  options: FaultOptions & { readonly attach: AttachOptions },
  { say, trouble }: Pick<RunState, 'say' | 'trouble'>,
  signal: AbortSignal,
): Promise<BuiltWorld> {
  const { attach, folder } = options;
  const url = await resolveUrl(attach.url);
  await requireMark(url);
  const { close, scope } = closableScope();
  try {
    await holdCluster(url, scope);
    const place = await makePlace(folder);
    scope.after(() => rm(path.join(folder, 'program'), { recursive: true, force: true }));
    const [main, engine] = await Promise.all([
      buildProgram(path.join(folder, 'program')),
      attachedEngine(url),
    ]);
    const world = await furnish(attach, {
      ...{ url, engine, folder, main, place, scope, say, signal, trouble },
    });
    return { ...world, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts extends Pick<RunState, 'say' | 'trouble'> {
  readonly url: string;
  readonly engine: FaultEngine;
  readonly folder: string;
  /** The built program. */
  readonly main: string;
  readonly place: LedgerPlace;
  readonly scope: Scope;
  /** Ends the waits before the run has begun. */
  readonly signal: AbortSignal;
}

async function furnish(
  attach: AttachOptions,
  { engine, folder, main, place, scope, say, signal, trouble, url }: Parts,
): Promise<Omit<BuiltWorld, 'close'>> {
  const adminUrl = async (): Promise<string> => url;
  const found = await startAttachedLines(scope, engine, attach.proxies, { say, signal });
  const database = await engine.createDatabase();
  const operatorLine = await startNodeLine(scope, engine.members, database, 0);
  const channel = new Channel('attach', readDatabaseUrl(url), bounds);
  scope.after(() => channel.close());
  // Of a run that was killed something may be left.
  await releaseJobs(channel);
  const cli = cliOf(main, operatorLine.url, folder);
  scope.after(async () => {
    // What was seen is judged, whatever becomes of this.
    await releaseJobs(channel).then(
      () => say('the jobs have their own commands again'),
      (error: Error) => trouble(error.message),
    );
  });
  if (attach.jobsFile !== null) {
    await addJobsOf(attach.jobsFile, cliOf(main, url, folder), channel);
  }
  const { mix, operations, since } = await recordJobs(channel, place, attach.operations, {
    say,
    signal,
  });
  const launches = watchLaunches();
  scope.after(async () => launches.stop());
  const clock = startClockSampler(adminUrl);
  scope.after(() => clock.close());
  const messages = watchMessages(adminUrl);
  scope.after(() => messages.close());
  const nodes = found.nodes.map(
    ({ guardianPid, name }) => new AttachedNode(name, guardianPid, found.lineOf(name)),
  );
  scope.after(async () => void (await Promise.all(nodes.map((node) => node.close()))));
  const withoutApi = { apiPercent: 0, token: '', cli, cliTo: () => cli };
  const ways = makeOperationWays({ ...withoutApi, nodes, clock, trouble });
  const operator = new Operator({
    chooseWay: (random) => ways.choose(random),
    mix,
    lookUrl: adminUrl,
  });
  const ttlMs = Math.max(...found.nodes.map((node) => node.ttlMs));
  const lacks = lacksOf(found, mix);
  const attached = { since, lastSeenMs: launches.lastSeenMs };
  const world: FaultWorld = {
    ...{ engine, database, nodes, operatorLine, operator, ways, clock, ttlMs, lacks },
  };
  await untilLive(world);
  return {
    ...world,
    ...{ setUp: operations, adminUrl, messages },
    evidencePlace: async () => ({ url, byTime: false, ledgerFolder: place.folder, attached }),
    healAll: async () => {
      for (const { line } of [...nodes, { line: operatorLine }]) line.each((proxy) => proxy.heal());
      for (const node of nodes) {
        for (const whom of ['guardian', 'node'] as const) node.signal(whom, 'SIGCONT');
      }
    },
  };
}

function lacksOf(
  { lacksProxies }: AttachedLines,
  { kinds }: JobMix,
): NonNullable<FaultWorld['lacks']> {
  return {
    ...(lacksProxies === null ? {} : { proxies: lacksProxies }),
    ...(kinds.length === 0 ? { operations: 'no operations are made (--operations)' } : {}),
    restarts: 'this run does not start the nodes',
    server: 'the database server is not of this run',
    logs: 'what the nodes print goes to whoever started them',
  };
}

/** Unmarks a cluster, and takes away what a run that was killed has left in it. */
export async function releaseCluster(given: string | null): Promise<void> {
  const url = await resolveUrl(given);
  await requireMark(url);
  const { close, scope } = closableScope();
  try {
    await holdCluster(url, scope);
    const channel = new Channel('attach', readDatabaseUrl(url), bounds);
    scope.after(() => channel.close());
    await releaseJobs(channel);
    await unmarkCluster(url);
  } finally {
    await close();
  }
}

/** Jobs of any user write what they see, and read how. */
async function makePlace(folder: string): Promise<LedgerPlace> {
  const place = ledgerPlace(path.join(folder, 'ledger'));
  await mkdir(place.folder, { recursive: true });
  await chmod(folder, 0o711);
  await chmod(place.folder, 0o777);
  const recorder = path.join(folder, 'recorder.pl');
  await copyFile(place.recorder, recorder);
  return { ...place, recorder };
}
