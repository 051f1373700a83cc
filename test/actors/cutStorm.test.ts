import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../../src/store/connection/channel.ts';
import { pauseJob } from '../../src/store/jobs/changes/changeJob.ts';
import { type CutProxy, startCutProxy } from '../support/cutProxy.ts';
import { until } from '../support/until.ts';
import { type ActorWorld, makeActorWorld } from './actorWorld.ts';

/** Where connections are cut, each as often as its weight says. */
const places: readonly [string, number][] = [
  ['/* commitBatch commit */', 6],
  ['/* commitBatch begin */', 1],
  ['/* takeFreeStripes */', 1],
  ['/* startSlots */', 2],
  ['/* finishSlots */', 2],
  ['/* finishSlots run */', 1],
  ['/* claimSlots */', 2],
  ['/* putBackSlots */', 1],
  ['/* renewSession */', 1],
  ['/* listHeldSlots */', 1],
  ['/* listSessions */', 1],
  ['/* peekDue */', 1],
];

const stormMs = 12_000;
/** Of each proxy; on a slow machine that takes longer. */
const cutsMin = 5;
const stormMsMax = 60_000;
const jobCount = 30;

const seed = Number(process.env.STATECRON_TEST_SEED ?? Date.now() % 1_000_000);

test('a storm of cut connections on two nodes breaks no promise', async (t) => {
  t.diagnostic(`STATECRON_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  const world = await makeActorWorld(t);
  world.ledger.lastsMs = () => Math.floor(random() * 60);
  const proxies = [
    await startCutProxy(world.scope, world.url),
    await startCutProxy(world.scope, world.url),
  ];
  const nodes = proxies.map(({ url }, index) =>
    world.node(`node${index}`, { url, concurrency: 8 }),
  );
  for (let number = 1; number <= jobCount; number += 1) {
    await world.add(`job${number}`, number % 3 === 0 ? '*/3 * * * * *' : '* * * * * *');
  }
  const storms = proxies.map((proxy) => storm(proxy, random));
  const cuts = (await Promise.all(storms)).reduce((sum, count) => sum + count, 0);
  await settle(world);
  const runs = await world.runs();
  const counts = new Map<string, number>();
  for (const { result } of runs) counts.set(result, (counts.get(result) ?? 0) + 1);
  t.diagnostic(
    `${cuts} cuts; ${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}`,
  );
  assert.ok(cuts >= cutsMin * proxies.length);
  assert.deepEqual(
    nodes.map((node) => node.ending()),
    [null, null],
  );
  await world.requireSound();
  requireHistoryIsTrue(world, runs);
});

/** Cuts for a while; resolves to how often. */
async function storm(proxy: CutProxy, random: () => number): Promise<number> {
  const beganMs = performance.now();
  const bag = places.flatMap(([text, weight]) => Array<string>(weight).fill(text));
  let cuts = 0;
  const isOver = (forMs: number) => performance.now() > beganMs + forMs;
  while (!isOver(stormMs) || (cuts < cutsMin && !isOver(stormMsMax))) {
    const text = bag[Math.floor(random() * bag.length)] as string;
    const cut = random() < 0.5 ? 'request lost' : 'reply lost';
    // What is not met soon is given up for another.
    if (await proxy.cutWithin(text, cut, 250)) cuts += 1;
    await delay(random() * 150);
  }
  return cuts;
}

/** All jobs are paused, so that nothing new comes; then what is under way has to end. */
async function settle(world: ActorWorld): Promise<void> {
  for (let number = 1; number <= jobCount; number += 1) {
    await pauseJob(world.channel, `job${number}`);
  }
  await until('nothing is held', async () => {
    const [held] = await world.rows("SELECT COUNT(*) AS slots FROM slot WHERE state <> 'idle'");
    return held?.slots === 0;
  });
}

/** One run row for each launch that was executed, and none that says so of another (P10). */
function requireHistoryIsTrue(world: ActorWorld, runs: readonly Row[]): void {
  const executed = world.ledger.entries.map(({ launch }) => launch.launchId);
  const recorded = runs.filter(({ result }) => result === 'succeeded');
  assert.deepEqual(recorded.map((run) => run.launch_id as string).sort(), [...executed].sort());
  for (const run of runs) {
    if (run.started_at !== null) assert.ok(run.started_at >= run.scheduled_for, 'none is early');
  }
}

/** Mulberry32. */
function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
