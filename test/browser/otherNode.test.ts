import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { NodeStore } from '../../src/domain/commit/nodeStore.ts';
import { type ActorWorld, makeActorWorld } from '../actors/actorWorld.ts';
import { onceAt } from '../support/addOnce.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { makeGate } from '../support/makeGate.ts';
import { fileScope } from '../support/testEngine.ts';
import { until } from '../support/until.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

/** Ahead of its tick by enough for a report, and by less than nodes look ahead. */
const aheadSeconds = 25;

test('the chart of a slot follows a launch on another node through each of its states', {
  skip,
}, async (t) => {
  const scope = lastFirst(t);
  const actors = await makeActorWorld(scope, world.store.url);
  const node = actors.node('b', { concurrency: 1 });
  actors.node('c');
  actors.ledger.lastsMs = () => null;
  const requests = holdRequests(node.running.store);
  await until('the three nodes live', async () => {
    const { nodes } = await world.read<{ nodes?: unknown[] }>('machines/live');
    return nodes?.length === 3;
  });

  await world.change('POST', 'jobs', 201, onNodeB('first', '@manual'));
  await addClaimedAhead(actors);
  // The only place to run on that node is taken, after which it claims nothing far ahead.
  await world.run('first', 'first-run');
  const first = await until('the first one runs', () => actors.ledger.of('first')[0]);

  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/machines?machine=slot&of=b`);
  const sees = async (path: string, row: string) => {
    const box = page.locator(`.chart [data-state="slot.${path}"].active`);
    await box.locator('.annotation').waitFor();
    assert.deepEqual(await slot(), { state: row, session: node.running.sessionId }, path);
    assert.ok(path in (await reported()), path);
  };
  await sees('prepare.waiting', 'prepare');
  await sees('prepare.queueing', 'prepare');
  const letStart = requests.hold('start');
  first.end();
  await sees('prepare.starting', 'prepare');
  letStart();
  await sees('executing.running', 'executing');
  const letFinish = requests.hold('finish');
  const launch = await until('it runs', () => actors.ledger.of('watched')[0]);
  launch.end();
  await sees('executing.finishing', 'executing');
  letFinish();
  await page.getByText('No slot is held at present.').waitFor();
  assert.deepEqual(await slot(), { state: 'idle', session: null });
  const start = page.locator('[data-arrow="slot.prepare.starting slot.executing"] .annotation');
  await start.filter({ hasText: /^2/ }).waitFor();
  const never = page.locator('[data-arrow="slot.executing.finishing slot.executing.retrying"]');
  assert.ok(await never.first().evaluate((each) => each.classList.contains('never')));
  await page
    .getByRole('row', { name: /finish\.unknown.* 0 0\.0\/s$/ })
    .waitFor({ state: 'attached' });
  assert.deepEqual(
    actors.ledger.entries.map((entry) => entry.node),
    ['b', 'b'],
  );
  assert.deepEqual(troubles, []);
  await close();

  async function slot() {
    const { session_id: session, state } = await actors.slot('watched');
    return { state, session };
  }

  /** What the node itself has written: how many of its slots are in each state. */
  async function reported(): Promise<object> {
    const [row] = await actors.rows('SELECT activity FROM node_activity WHERE session_id = ?', [
      node.running.sessionId,
    ]);
    return JSON.parse(String(row?.activity)).slots;
  }
});

/** Adds the job that is watched, and waits until the node has claimed it ahead of its tick. */
async function addClaimedAhead(actors: ActorWorld): Promise<void> {
  const [now] = await actors.rows('SELECT NOW(3) + INTERVAL ? SECOND AS at', [aheadSeconds]);
  await world.change('POST', 'jobs', 201, onNodeB('watched', onceAt(now?.at as Date)));
  await until('the node has claimed it', async () => {
    if ((await actors.slot('watched')).state === 'prepare') return true;
    // A node looks far ahead on its own stripes only, of which it has one in three.
    const move = `UPDATE slot SET stripe = (stripe + 1) % 64 WHERE state = 'idle'`;
    await actors.rows(move).catch((error: { code?: string }) => {
      // The nodes claim at the same time; the next look tries again.
      if (error.code !== 'ER_LOCK_DEADLOCK') throw error;
    });
    return false;
  });
}

const onNodeB = (name: string, cron: string) => {
  return { name, command: 'true', cron: [cron], timezone: 'UTC', onNode: ['b'] };
};

/** Holds a store's transactions with requests of a kind until they are let go. */
function holdRequests(store: NodeStore) {
  let held = { kind: '', passed: Promise.resolve() };
  const commitBatch = store.commitBatch.bind(store);
  store.commitBatch = async (requests) => {
    if (requests.some(({ kind }) => kind === held.kind)) await held.passed;
    return commitBatch(requests);
  };
  return {
    hold: (kind: string): (() => void) => {
      const { open, passed } = makeGate();
      held = { kind, passed };
      return open;
    },
  };
}
