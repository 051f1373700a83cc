import type { BatchRequest, Verdict } from '../../src/domain/batch.ts';
import { type JobDefinition, jobDefaults } from '../../src/domain/jobDefinition.ts';
import type { Launch } from '../../src/domain/launch.ts';
import { launchIdMaker, makeSessionId } from '../../src/domain/launchId.ts';
import type { NodeStore, SessionIntroduction } from '../../src/domain/nodeStore.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { Execution } from '../../src/domain/run.ts';
import { Channel, type Row } from '../../src/store/channel.ts';
import { readDatabaseUrl } from '../../src/store/databaseAddress.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openNodeStore } from '../../src/store/openNodeStore.ts';
import { createDatabase, type Scope } from './createDatabase.ts';
import type { Engine } from './startTestServer.ts';

/** A migrated database with a channel to look into it, and nodes' stores opened on demand. */
export interface StoreWorld {
  readonly url: string;
  readonly channel: Channel;
  rows(sql: string, parameters?: Parameters<Channel['query']>[1]): Promise<Row[]>;
  /** Adds a job whose cursor stands where it is told, by the database's clock. */
  addJob(name: string, options?: { schedule?: string; dueInMs?: number }): Promise<number>;
  /** A store with a live session of its own. */
  join(nodeName: string, options?: JoinOptions): Promise<TestNode>;
}

export interface JoinOptions {
  /** Through a proxy. */
  url?: string;
  ttlMs?: number;
  /** What it says of itself besides. */
  facts?: Pick<SessionIntroduction, 'level' | 'labels'>;
  onForeign?: (jobName: string, why: string) => void;
}

export interface TestNode {
  readonly sessionId: string;
  readonly store: NodeStore;
  claim(slotsMax?: number): Promise<Launch[]>;
  /** One request in a batch of its own. */
  ask(request: BatchRequest): Promise<Verdict | 'unknown' | 'refused'>;
  start(launch: Launch): Promise<Verdict | 'unknown' | 'refused'>;
  finish(launch: Launch, result?: Partial<Execution>): Promise<Verdict | 'unknown' | 'refused'>;
}

export const allStripes = Array.from({ length: 64 }, (_, stripe) => stripe);

export const succeeded: Execution = {
  result: 'succeeded',
  exitCode: 0,
  signal: null,
  reason: null,
  output: new Uint8Array(0),
  outputBytes: 0,
};

export async function makeStoreWorld(scope: Scope, engine: Engine): Promise<StoreWorld> {
  return makeStoreWorldAt(scope, await createDatabase(scope, engine));
}

/** The same in an empty database that is there already. */
export async function makeStoreWorldAt(scope: Scope, url: string): Promise<StoreWorld> {
  const address = readDatabaseUrl(url);
  await migrate(address);
  const bounds = { timeoutMs: 30_000, lockWaitSeconds: 20, silenceSeconds: 600 };
  const channel = new Channel('test', address, bounds);
  scope.after(() => channel.close());
  const rows: StoreWorld['rows'] = (sql, parameters) => channel.query<Row[]>(sql, parameters);
  let jobs = 0;
  return {
    url,
    channel,
    rows,
    addJob: async (name, { schedule = '* * * * * *', dueInMs = 0 } = {}) => {
      jobs += 1;
      const definition: JobDefinition = { ...jobDefaults, name, schedule, command: 'true' };
      await rows('INSERT INTO job (job_id, name, revision, created_at) VALUES (?, ?, 1, NOW(3))', [
        jobs,
        name,
      ]);
      await rows(
        `INSERT INTO job_revision (job_id, revision, definition, in_force_from)
         VALUES (?, 1, ?, NOW(3) - INTERVAL 1 DAY)`,
        [jobs, JSON.stringify(definition)],
      );
      await rows(
        `INSERT INTO slot (job_id, stripe, next_run_at, cursor_at)
         SELECT ?, ?, at, at FROM (SELECT CAST(DATE_FORMAT(NOW(3) + INTERVAL ? MICROSECOND,
           '%Y-%m-%d %H:%i:%s') AS DATETIME(3)) AS at) due`,
        [jobs, jobs % 64, dueInMs * 1000],
      );
      return jobs;
    },
    join: (nodeName, options = {}) => joinNode(scope, url, nodeName, options),
  };
}

function joinNode(
  scope: Scope,
  worldUrl: string,
  nodeName: string,
  { url = worldUrl, ttlMs = 45_000, facts = {}, onForeign = () => undefined }: JoinOptions,
): Promise<TestNode> {
  const open = (sessionId: string, nextLaunchId: () => string) => {
    const session = { sessionId, nodeName, ttlMs, nextLaunchId, onForeign };
    const store = openNodeStore(readDatabaseUrl(url), session);
    scope.after(() => store.close());
    return store;
  };
  return joinWith(nodeName, ttlMs, open, facts);
}

/** How the nodes of tests introduce themselves. */
export function introduce(sessionId: string, nodeName: string, ttlMs: number): SessionIntroduction {
  return {
    sessionId,
    nodeName,
    ttlMs,
    host: 'test',
    processId: 1,
    guardianProcessId: null,
    version: '0.0.0',
    timezoneData: '',
    capacity: 1,
    concurrency: 1,
  };
}

/** Makes a new session live in the store that is opened for it. */
export async function joinWith(
  nodeName: string,
  ttlMs: number,
  open: (sessionId: string, nextLaunchId: () => string) => NodeStore,
  facts: Pick<SessionIntroduction, 'level' | 'labels'> = {},
): Promise<TestNode> {
  const sessionId = makeSessionId();
  const store = open(sessionId, launchIdMaker(sessionId));
  const joined = await store.joinSession({
    ...introduce(sessionId, nodeName, ttlMs),
    ...facts,
  });
  if (joined.outcome !== 'committed') throw new Error(`${nodeName} could not join`);
  const ask = async (request: BatchRequest) => verdictOf(await store.commitBatch([request]));
  const address = ({ slotId, stripe, launchId }: Launch) => ({ slotId, stripe, launchId });
  return {
    sessionId,
    store,
    ask,
    claim: async (slotsMax = 100) => {
      const verdict = await ask({
        kind: 'claim',
        stripes: allStripes,
        dueStripes: allStripes,
        aheadMs: 30_000,
        aheadAnywhereMs: 3_000,
        slotsMax,
      });
      if (verdict === 'unknown' || verdict === 'refused' || verdict.verdict !== 'claimed')
        return [];
      return [...verdict.launches];
    },
    start: (launch) => ask({ kind: 'start', ...address(launch), waitUntilMs: null, launch }),
    finish: (launch, result = {}) =>
      ask({ kind: 'finish', ...address(launch), execution: { ...succeeded, ...result } }),
  };
}

function verdictOf(outcome: Outcome<Verdict[]>): Verdict | 'unknown' | 'refused' {
  if (outcome.outcome !== 'committed') return outcome.outcome;
  return outcome.value[0] ?? 'unknown';
}
