import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Horizon } from '../../../src/domain/commit/nodeStore.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import type { ContractWorld } from '../../store/contract/contractWorld.ts';
import { makeMemoryWorld } from '../../store/contract/memoryWorld.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { succeeded, type TestNode } from '../../support/testNode.ts';
import { measureServer } from './measureServer.ts';
import { MeteredLoad, StatementMeter } from './statementMeter.ts';

type World = Pick<ContractWorld, 'addJob' | 'join'>;

/** What is sent by the clock, and when the driver likes. */
const notCompared = new Set(['keepAlive', 'notificationRules']);
const toleranceShare = 0.15;
/** Read by 64 ranges of an index or by one, as the server's statistics have it: sampled anew. */
const planVaries = new Set(['reapSlots read']);
/** Of a kind that reads next to nothing. */
const toleranceRows = 3;

test('the model sends what the MySQL store sends, and reads as much', async (t) => {
  const real = await makeStoreWorld(t, 'mariadb');
  // At the first use tables are opened, and their statistics read.
  await addJobs(real, 'first', () => real.rows(analyse));
  await live(real, 'first');
  await addJobs(real, 'then', () => real.rows(analyse));
  // Index entries of what is gone are read as well, until the server has purged them.
  await real.rows('SET GLOBAL innodb_max_purge_lag_wait = 0');
  const server = await measureServer(real.url, () => live(real, 'then'));
  const model = await measureModel(t);
  assert.deepEqual(statementsOf(model), statementsOf(server));
  const wrong = [...server.kinds].flatMap(([kind, { rows }]) => {
    const modelled = model.kinds.get(kind)?.rows ?? 0;
    const most = Math.max(toleranceShare * rows, toleranceRows);
    const isFree = notCompared.has(kind) || planVaries.has(kind);
    const isIn = isFree || Math.abs(modelled - rows) <= most;
    return isIn ? [] : [`${kind}: ${modelled} rows for ${rows}`];
  });
  assert.deepEqual(wrong, []);
  const share = Math.abs(model.rows - server.rows) / server.rows;
  assert.ok(share <= toleranceShare, `${model.rows} rows in sum for ${server.rows}`);
});

const analyse = 'ANALYZE TABLE slot, job, job_revision, session, pending, run';

async function measureModel(scope: Scope): Promise<StatementMeter> {
  const load = new MeteredLoad();
  const world = await makeMemoryWorld(scope, load);
  for (const name of ['first', 'then']) {
    await addJobs(world, name, async () => undefined);
    load.meter = new StatementMeter();
    await live(world, name);
  }
  return load.meter;
}

function statementsOf({ kinds }: StatementMeter): Record<string, number> {
  const counted = [...kinds].filter(([kind]) => !notCompared.has(kind));
  const entries = counted.map(([kind, { statements }]) => [kind, statements] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const dueJobs = 100;
const farJobs = 200;

/** Some are due now, and once; others next month, so that tables have more than is looked for. */
async function addJobs(world: World, name: string, settle: () => Promise<unknown>): Promise<void> {
  for (let place = 0; place < dueJobs + farJobs; place += 1) {
    const dueInMs = place < dueJobs ? 0 : 30 * 86_400_000;
    await world.addJob(`${name}-${place}`, { schedule: '0 0 1 1 *', dueInMs });
  }
  await settle();
}

/** Some nodes look, claim, start, finish, reset and reap: the same on every store. */
async function live(world: World, name: string): Promise<void> {
  const [one, two, three] = [
    await world.join(`${name}-one`),
    await world.join(`${name}-two`),
    await world.join(`${name}-three`),
  ];
  for (const node of [one, two, three]) await look(node, `${name}-one`);
  const single = await one.claim(1);
  const many = await one.claim(39);
  const lost = await three.claim(10);
  const all = await two.claim(1_000);
  assert.equal(single.length + many.length + lost.length + all.length, dueJobs);
  for (const node of [one, two, three]) await look(node, `${name}-one`);
  await two.store.commitBatch(all.slice(0, 20).map((launch) => asReset(launch)));
  await two.store.commitBatch(all.slice(0, 1).map((launch) => asReset(launch)));
  const again = await two.claim(1_000);
  assert.equal(again.length, 20);
  await runAll(one, single);
  await runAll(one, many);
  await runAll(two, [...all.slice(20), ...again]);
  await two.store.writeOutputs(
    all.slice(0, 3).map(({ launchId }) => ({ launchId, output: new Uint8Array(9) })),
  );
  const { sessionId } = three;
  await one.store.endSession(sessionId, 'it was lost', 1);
  await one.ask({ kind: 'reap', sessionId, stripes: allStripes });
  await one.store.markReaped(sessionId);
  await runAll(one, await one.claim(1_000));
  for (const { store, sessionId: own } of [one, two]) await store.endSession(own, 'it left', null);
  await one.store.markReaped(one.sessionId);
  await one.store.markReaped(two.sessionId);
}

async function runAll({ store }: TestNode, launches: readonly Launch[]): Promise<void> {
  await store.commitBatch(launches.map((launch) => asStart(launch)));
  const finishes = launches.map((launch, place) => asFinish(launch, place % 7 === 3));
  const outcome = await store.commitBatch(finishes);
  assert.equal(outcome.outcome, 'committed');
  const verdicts = outcome.outcome === 'committed' ? outcome.value : [];
  assert.deepEqual([...new Set(verdicts.map(({ verdict }) => verdict))], ['done']);
}

/** What a node at rest does. */
async function look({ store }: TestNode, nodeName: string): Promise<void> {
  const share = { from: 0, until: 1_400 };
  const horizon: Horizon = { nodeName, share, aheadMs: 30_000, aheadAnywhereMs: 3_000 };
  await store.renewSession(0, 1);
  await store.listSessions();
  await store.ensureNodeSlots();
  await store.peekDue(horizon, 2_000);
  await store.peekDue(horizon, 7);
  const small = { ...horizon, share: { from: 100, until: 150 } };
  await store.peekDue(small, 2_000);
  await store.peekDue({ ...small, aheadAnywhereMs: 0 }, 7);
  await store.lookAtHeld();
  await store.runMaintenance();
  await store.runMaintenance();
}

const addressOf = ({ slotId, stripe, launchId }: Launch) => ({ slotId, stripe, launchId });
const asStart = (launch: Launch) =>
  ({ kind: 'start', ...addressOf(launch), waitUntilMs: null, launch }) as const;
const asReset = (launch: Launch) =>
  ({ kind: 'reset', why: 'draining', ...addressOf(launch) }) as const;
const asFinish = (launch: Launch, isFailed: boolean) => {
  const failed = { result: 'failed', exitCode: 3 } as const;
  const execution = isFailed ? { ...succeeded, ...failed } : succeeded;
  return { kind: 'finish', ...addressOf(launch), execution } as const;
};
