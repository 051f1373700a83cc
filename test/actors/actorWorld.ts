import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import type { NodeSettings } from '../../src/actors/runtime/runtime.ts';
import { type JobDefinition, jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import type { Launch } from '../../src/domain/run/launch.ts';
import {
  type NodeEnding,
  type NodeGuardian,
  type RunningNode,
  startNode,
} from '../../src/startNode.ts';
import type { Row } from '../../src/store/connection/channel.ts';
import { readDatabaseUrl } from '../../src/store/connection/databaseAddress.ts';
import { addJob } from '../../src/store/jobs/changes/addJob.ts';
import { addOnce } from '../support/addOnce.ts';
import type { Scope } from '../support/createDatabase.ts';
import { findTickFaults } from '../support/everyTick.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { makeStoreWorld, makeStoreWorldAt, type StoreWorld } from '../support/storeWorld.ts';
import { until, within } from '../support/until.ts';
import { ExecutionLedger } from './ledgerExecutor.ts';

export interface NodeUnderTest {
  readonly name: string;
  readonly running: RunningNode;
  /** Launches that ever were in the roster. */
  readonly adopted: Launch[];
  /** The first of them, at once: before anything is sent for it. */
  readonly firstAdopted: Promise<Launch>;
  readonly troubles: string[];
  /** How many looks at the held slots the compensator has ended. */
  looks(): number;
  /** Null while it lives. */
  ending(): NodeEnding | null;
  /** How it ended; fails when it does not within half a minute. */
  ended(): Promise<NodeEnding>;
  /** True when its executor has to kill all. */
  killed(): boolean;
}

export interface ActorWorld extends StoreWorld {
  /** For what a test adds to the world: cleaned up before what was there before. */
  readonly scope: Scope;
  readonly ledger: ExecutionLedger;
  /** A whole node in this process; `url`: through a proxy; `realPool`: with real children. */
  node(name: string, options?: NodeOptionsUnderTest): NodeUnderTest;
  /** A job with one tick in the year, that many seconds from now by the database's clock. */
  addOnce(name: string, inSeconds: number, more?: Partial<JobDefinition>): Promise<number>;
  /** A job like any other; resolves to its first tick. */
  add(name: string, schedule: string, more?: Partial<JobDefinition>): Promise<number>;
  /** Some short runs, after which a node holds more than it may run at once. */
  runShortOnes(): Promise<void>;
  /** The job's run rows, oldest first. */
  runs(jobName?: string): Promise<Row[]>;
  slot(jobName: string): Promise<Row>;
  /** Nothing that must never be was seen, and every tick is accounted for. */
  requireSound(): Promise<void>;
}

export interface NodeOptionsUnderTest extends Partial<NodeSettings> {
  url?: string;
  realPool?: boolean;
  spoolFolder?: string;
  /** Of statecron, which it says of itself. */
  version?: string;
}

/**
 * A migrated database of its own with nodes in this process, and the truth of what they executed.
 * `url`: in an empty database that is there already.
 */
export async function makeActorWorld(context: Scope, url?: string): Promise<ActorWorld> {
  const scope = lastFirst(context);
  const world = await (url === undefined
    ? makeStoreWorld(scope, 'mariadb')
    : makeStoreWorldAt(scope, url));
  const ledger = new ExecutionLedger();
  const add: ActorWorld['add'] = async (name, schedule, more = {}) => {
    const definition = { ...jobDefaults, name, schedule, command: 'true', ...more };
    const { nextRunMs } = await addJob(world.channel, definition);
    assert.ok(nextRunMs !== null);
    return nextRunMs;
  };
  return {
    ...world,
    scope,
    ledger,
    add,
    node: (name, options = {}) => startTestNode(scope, world, ledger, name, options),
    addOnce: (name, inSeconds, more) => addOnce(world, name, inSeconds, more),
    runShortOnes: async () => {
      const names = Array.from({ length: 12 }, (_, number) => `short ${number}`);
      for (const name of names) await addOnce(world, name, 2);
      const ran = () =>
        world.rows('SELECT 1 FROM run JOIN job USING (job_id) WHERE name IN (?)', [names]);
      await until('short ones ran', async () => (await ran()).length === names.length);
    },
    runs: (jobName) =>
      world.rows(
        `SELECT run.* FROM run JOIN job USING (job_id) WHERE ? IS NULL OR job.name = ?
         ORDER BY run_id`,
        [jobName ?? null, jobName ?? null],
      ),
    slot: async (jobName) => {
      const rows = await world.rows(
        `SELECT slot.* FROM slot JOIN job USING (job_id)
         WHERE job.name = ? AND job.removed_no = 0`,
        [jobName],
      );
      return rows[0] as Row;
    },
    requireSound: async () => {
      assert.deepEqual(ledger.faults, []);
      assert.deepEqual(await findTickFaults(world.channel), []);
    },
  };
}

/**
 * The runs that began more than two seconds after their tick, other than since all stood still.
 * @param stalledMs what `watchStalls` has returned
 */
export async function lateRuns(world: ActorWorld, stalledMs: () => number): Promise<Row[]> {
  const lateMs = 2_000 + Math.ceil(stalledMs());
  return world.rows('SELECT * FROM run WHERE started_at > scheduled_for + INTERVAL ? MICROSECOND', [
    1_000 * lateMs,
  ]);
}

/** Waits until the compensator has looked that many times more. */
export async function moreLooks(node: NodeUnderTest, count: number): Promise<void> {
  const before = node.looks();
  await until(`${count} looks`, () => node.looks() >= before + count);
}

/** Notes the launches that come into the roster; resolves to the first of them. */
function noteAdopted({ roster }: RunningNode, adopted: Launch[]): Promise<Launch> {
  const addToRoster = roster.add.bind(roster);
  return new Promise((resolve) => {
    roster.add = (launch, actor) => {
      adopted.push(launch);
      addToRoster(launch, actor);
      resolve(launch);
    };
  });
}

const nowhere = openSync('/dev/null', 'w');

/**
 * Nobody listens to what the node sends it; a node that loses it ends at once, whatever it does.
 */
function makeGuardian(): NodeGuardian & { lose(): void } {
  const lost: (() => void)[] = [];
  return {
    fd: nowhere,
    processId: process.pid,
    endedSessions: [],
    announceSession: () => undefined,
    renewalFailed: () => undefined,
    deadline: () => undefined,
    onLost: (callback) => void lost.push(callback),
    lose: () => {
      for (const notify of lost) notify();
    },
  };
}

const silentReports = {
  serving: () => undefined,
  draining: () => undefined,
  waitingForName: () => undefined,
  runEnded: () => undefined,
  batchEnded: () => undefined,
};

function startTestNode(
  scope: Scope,
  world: StoreWorld,
  ledger: ExecutionLedger,
  name: string,
  options: NodeOptionsUnderTest,
): NodeUnderTest {
  const { url = world.url, version = '0.0.0', ...more } = options;
  const { realPool = false, spoolFolder = null, ...settings } = more;
  const executor = ledger.executor(name);
  const guardian = makeGuardian();
  const [troubles, adopted]: [string[], Launch[]] = [[], []];
  let [ending, looks]: [NodeEnding | null, number] = [null, 0];
  const running = startNode({
    database: readDatabaseUrl(url),
    nodeName: name,
    settings: {
      capacity: 2_000,
      concurrency: 32,
      horizonMs: 30_000,
      ttlMs: 45_000,
      drainTimeoutMs: 100,
      ...settings,
    },
    threads: 1,
    spoolFolder,
    version,
    reports: {
      ...silentReports,
      trouble: (what, error) => void troubles.push(`${what}: ${(error as Error).message}`),
    },
    guardian,
    ...(realPool ? {} : { makeExecutor: () => executor }),
  });
  const firstAdopted = noteAdopted(running, adopted);
  const { lookAtHeld } = running.store;
  running.store.lookAtHeld = async () => {
    const look = await lookAtHeld();
    setImmediate(() => {
      looks += 1;
    });
    return look;
  };
  void running.ended.then((end) => {
    ending = end;
  });
  scope.after(async () => {
    running.drain();
    running.drain();
    for (const entry of ledger.running(name)) entry.end({ result: 'stopped' });
    try {
      await within(`${name} has ended`, running.ended);
    } finally {
      // One that does not leave ends even so: its timers and sockets would keep the process alive.
      guardian.lose();
      await running.ended;
    }
  });
  return {
    name,
    running,
    adopted,
    firstAdopted,
    troubles,
    looks: () => looks,
    ending: () => ending,
    ended: () => within(`${name} has ended`, running.ended),
    killed: executor.killed,
  };
}
