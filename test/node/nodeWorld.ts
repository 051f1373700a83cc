import assert from 'node:assert/strict';
import { type JobDefinition, jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import type { Row } from '../../src/store/connection/channel.ts';
import { addJob } from '../../src/store/jobs/changes/addJob.ts';
import { addOnce } from '../support/addOnce.ts';
import type { Scope } from '../support/createDatabase.ts';
import { findTickFaults } from '../support/everyTick.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { makeStoreWorld, makeStoreWorldAt, type StoreWorld } from '../support/storeWorld.ts';
import { type NodeProcess, startNodeProcess } from './nodeProcess.ts';

export interface NodeWorld extends StoreWorld {
  /** For what a test adds to the world: cleaned up before what was there before. */
  readonly scope: Scope;
  /** `url`: through a proxy; `env`: variables more, e.g. of libfaketime; see startNodeProcess. */
  start(
    name: string,
    args?: readonly string[],
    url?: string,
    env?: Readonly<Record<string, string>>,
    started?: (command: readonly string[]) => readonly string[],
  ): NodeProcess;
  add(name: string, schedule: string, more?: Partial<JobDefinition>): Promise<void>;
  /** A job with one tick in the year, that many seconds from now by the database's clock. */
  addOnce(name: string, inSeconds: number, more?: Partial<JobDefinition>): Promise<void>;
  /** The run rows, of one job or all, oldest first. */
  runs(jobName?: string): Promise<Row[]>;
  count(sql: string, parameters?: Parameters<StoreWorld['rows']>[1]): Promise<number>;
  requireEveryTick(): Promise<void>;
}

/** A migrated database for real node processes; `url`: an empty one that is there already. */
export async function makeNodeWorld(context: Scope, url?: string): Promise<NodeWorld> {
  const scope = lastFirst(context);
  const world = await (url === undefined
    ? makeStoreWorld(scope, 'mariadb')
    : makeStoreWorldAt(scope, url));
  const add: NodeWorld['add'] = async (name, schedule, more = {}) => {
    await addJob(world.channel, { ...jobDefaults, name, schedule, command: 'true', ...more });
  };
  return {
    ...world,
    scope,
    start: (name, ...more) => startNodeProcess(scope, world, name, ...more),
    add,
    addOnce: async (name, inSeconds, more) => {
      await addOnce(world, name, inSeconds, more);
    },
    runs: (jobName) =>
      world.rows(
        `SELECT run.*, job.name AS job_name FROM run JOIN job USING (job_id)
         WHERE ? IS NULL OR job.name = ? ORDER BY run_id`,
        [jobName ?? null, jobName ?? null],
      ),
    count: async (sql, parameters) => {
      const [row] = await world.rows(`SELECT COUNT(*) AS number FROM ${sql}`, parameters);
      return Number(row?.number);
    },
    requireEveryTick: async () => {
      assert.deepEqual(await findTickFaults(world.channel), []);
    },
  };
}
