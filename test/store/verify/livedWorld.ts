import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { allStripes } from '../../../src/domain/run/stripes.ts';
import { ticksOfRevision } from '../../../src/domain/schedule/read/revisionTicks.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import {
  editJob,
  pauseJob,
  removeJob,
  resumeJob,
} from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import type { Scope } from '../../support/createDatabase.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { seedMinutes } from './seedMinutes.ts';

const ttlMs = 600_000;

/**
 * A database with a life behind it, written by the arrows' own transactions: ticks that ran, were
 * missed and skipped, a job that was edited, paused, run by hand and resumed, one that was removed,
 * a node that was lost, a launch that executes and one that is prepared; and `minutes`, a job with
 * two hours of one run a minute, of a node that has ended.
 */
export async function makeLivedWorld(scope: Scope, engine: Engine): Promise<StoreWorld> {
  const world = await makeReusedWorld(scope, engine);
  const dead = await world.join('dead', { ttlMs });
  await addAged(world, 'lost', '* * * * *', 300);
  for (const launch of await dead.claim()) await startAtTick(dead, launch);
  const node = await world.join('a', { ttlMs });
  await node.store.endSession(dead.sessionId, 'test', null);
  await node.ask({ kind: 'reap', sessionId: dead.sessionId, stripes: allStripes });
  await node.store.markReaped(dead.sessionId);

  const holder = await world.join('holder', { ttlMs });
  await addAged(world, 'executing', '* * * * *', 300);
  for (const launch of await holder.claim()) {
    // It runs nothing else: a minute that begins now would make it a node with a past.
    if (launch.definition.name === 'executing') await startAtTick(holder, launch);
    else await giveBack(holder, launch);
  }
  await addJob(world.channel, definitionOf('manual', '@manual'));
  await addAged(world, 'seconds', '* * * * * *', 3_600);
  await addAged(world, 'edited', '*/10 * * * * *', 600);
  await addAged(world, 'removed', '*/10 * * * * *', 600);
  await runDue(node);
  await editJob(world.channel, 'edited', (old) => ({ ...old, command: 'false' }));
  await pauseJob(world.channel, 'edited');
  await removeJob(world.channel, 'removed');
  await runJob(world.channel, 'edited', 'by-hand');
  await runDue(node);
  await resumeJob(world.channel, 'edited');
  await runDue(node);
  await addPrepared(world, node);
  await seedMinutes(world, { name: 'minutes', runs: 120 });
  return world;
}

/** A job that came into force that long ago, with nothing of it claimed yet. */
export async function addAged(
  world: StoreWorld,
  name: string,
  schedule: string,
  agedSeconds: number,
): Promise<number> {
  const definition = definitionOf(name, schedule);
  const { jobId, inForceFromMs } = await addJob(world.channel, definition);
  const fromMs = inForceFromMs - agedSeconds * 1000;
  const cursorMs = ticksOfRevision(definition, fromMs).next(fromMs - 1);
  const cursor = new Date(cursorMs ?? 0);
  await world.rows('UPDATE job_revision SET in_force_from = ? WHERE job_id = ?', [
    new Date(fromMs),
    jobId,
  ]);
  await world.rows('UPDATE slot SET cursor_at = ?, next_run_at = ? WHERE job_id = ?', [
    cursor,
    cursor,
    jobId,
  ]);
  return jobId;
}

/** Claims all that is due, runs what is due in a moment, and gives the rest back. */
async function runDue(node: TestNode): Promise<void> {
  for (const launch of await node.claim()) await runToEnd(node, launch);
}

async function runToEnd(node: TestNode, launch: Launch): Promise<void> {
  if (launch.scheduledForMs > Date.now() + 1_500) {
    await giveBack(node, launch);
    return;
  }
  if (await startAtTick(node, launch)) await node.finish(launch);
}

async function giveBack(node: TestNode, launch: Launch): Promise<void> {
  const { slotId, stripe, launchId } = launch;
  await node.ask({ kind: 'reset', slotId, stripe, launchId, why: 'draining' });
}

/** False: it was taken back. */
async function startAtTick(node: TestNode, launch: Launch): Promise<boolean> {
  const verdict = await until(`the tick of ${launch.definition.name}`, async () => {
    const answer = await node.start(launch);
    return typeof answer === 'string' || answer.verdict !== 'early' ? answer : null;
  });
  return typeof verdict !== 'string' && verdict.verdict === 'done';
}

/** A launch that waits for the only tick of a year, 25 s ahead. */
async function addPrepared(world: StoreWorld, node: TestNode): Promise<void> {
  const [row] = await world.rows('SELECT NOW(3) + INTERVAL 25 SECOND AS at');
  const at = row?.at as Date;
  const time = `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()}`;
  const day = `${at.getUTCDate()} ${at.getUTCMonth() + 1} *`;
  await addJob(world.channel, definitionOf('prepared', `${time} ${day}`));
  for (const launch of await node.claim()) {
    if (launch.definition.name !== 'prepared') await runToEnd(node, launch);
  }
}

function definitionOf(name: string, schedule: string): JobDefinition {
  return { ...jobDefaults, name, schedule, command: 'true' };
}
