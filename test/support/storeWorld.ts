import type { SessionIntroduction } from '../../src/domain/commit/nodeStore.ts';
import { type JobDefinition, jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import { Channel, type Row } from '../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../src/store/connection/databaseAddress.ts';
import { openNodeStore } from '../../src/store/openNodeStore.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { createMigratedDatabase, type Scope } from './createDatabase.ts';
import { reuseDatabase } from './reuseDatabase.ts';
import type { Engine } from './startTestServer.ts';
import { joinWith, type TestNode } from './testNode.ts';

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
  facts?: Pick<SessionIntroduction, 'level' | 'labels' | 'users'>;
  onForeign?: (jobName: string, why: string) => void;
}

export async function makeStoreWorld(scope: Scope, engine: Engine): Promise<StoreWorld> {
  return openStoreWorld(scope, await createMigratedDatabase(scope, engine));
}

/** The same in a database that an earlier test of this process may have had: reuseDatabase. */
export async function makeReusedWorld(scope: Scope, engine: Engine): Promise<StoreWorld> {
  return openStoreWorld(scope, await reuseDatabase(scope, engine));
}

/** The same in an empty database that is there already. */
export async function makeStoreWorldAt(scope: Scope, url: string): Promise<StoreWorld> {
  await migrate(readDatabaseUrl(url));
  return openStoreWorld(scope, url);
}

function openStoreWorld(scope: Scope, url: string): StoreWorld {
  const address = readDatabaseUrl(url);
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
