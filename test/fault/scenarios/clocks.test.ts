import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type ActorWorld, makeActorWorld, moreLooks } from '../../actors/actorWorld.ts';
import { makeNodeWorld } from '../../node/nodeWorld.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { NotHereError } from '../../support/fetchMysql.ts';
import { faketimeEnvironment, findFaketime } from '../../support/findFaketime.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { until } from '../../support/until.ts';
import type { EngineMember } from '../engines/faultEngine.ts';
import { startFaultEngine } from '../engines/startFaultEngine.ts';

const hourMs = 3_600_000;
/** Two seconds between the end of a lease and its TTL, for a machine that stands still. */
const ttlMs = 10_000;

describe('a clock that is stepped', { concurrency: true }, () => {
  test('on a node, by an hour either way, moves no tick and costs no session', async (t) => {
    const library = await clockLibrary(t);
    if (library === null) return;
    const world = await makeNodeWorld(t);
    const clock = await makeClock(world.scope);
    const ttl = ['--session-ttl', `${ttlMs}ms`];
    const env = faketimeEnvironment(library, clock.file);
    const stepped = world.start('stepped', ttl, world.url, env);
    const session = await stepped.session();
    await world.add('job', '* * * * * *', { command: 'date +%s' });
    const runsNow = async () => (await world.runs()).length;
    for (const offset of ['+3600', '-3600', '+0']) {
      await clock.step(offset);
      const before = await runsNow();
      const beganMs = performance.now();
      // Two TTL at each: who compared clocks would have lost its session.
      await until(`two TTL at ${offset}`, () => performance.now() - beganMs > 2 * ttlMs);
      assert.deepEqual(await stepped.session(), session);
      await until(`runs at ${offset}`, async () => (await runsNow()) >= before + 10, 40_000);
    }
    const late = await world.rows(
      'SELECT MIN(started_at - scheduled_for) AS least FROM run WHERE launch_id IS NOT NULL',
    );
    assert.ok(Number(late[0]?.least) >= 0, 'none is early');
    // The children's own clock is true: nothing of the node's reaches them.
    const told = await world.rows(`SELECT CAST(output AS CHAR) AS text, scheduled_for AS tick
      FROM run_output JOIN run USING (launch_id)`);
    for (const { text, tick } of told) {
      assert.ok(Math.abs(Number(text) * 1_000 - tick.getTime()) < 60_000, text);
    }
    await world.requireEveryTick();
  });

  test('on the server moves ticks, none early, and no session', async (t) => {
    const stepping = await startStepping(t, 0);
    if (stepping === null) return;
    const { world, server } = stepping;
    await world.add('job', '* * * * * *');
    const nodes = [world.node('a', { ttlMs }), world.node('b', { ttlMs })];
    const ran = (count: number, more = world.ledger.entries.length) =>
      until(`${count} runs more`, () => world.ledger.entries.length >= more + count);
    await ran(3);
    await server.stepClock(hourMs);
    await ran(4);
    await world.addOnce('later', 8);
    await until('it is prepared', async () => (await world.slot('later')).state === 'prepare');
    await server.stepClock(0);
    // An hour back: what was run is run, what is next is an hour away. For two TTL nobody dies.
    const [before] = await world.rows('SELECT NOW(3) AS at');
    const atStep = world.ledger.entries.length;
    const isOver = async () => {
      const [clock] = await world.rows('SELECT NOW(3) AS at');
      return clock?.at - before?.at > 2 * ttlMs;
    };
    await until('two TTL', isOver, 60_000);
    assert.ok(world.ledger.entries.length <= atStep + 2, 'but what was under way');
    assert.deepEqual(world.ledger.of('later'), [], 'what was prepared is an hour away again');
    await server.stepClock(hourMs);
    await ran(4);
    await until('the later one ran', async () => (await world.runs('later')).length === 1);
    assert.deepEqual(
      nodes.map((node) => node.ending()),
      [null, null],
    );
    const early = await world.rows('SELECT * FROM run WHERE started_at < scheduled_for');
    assert.deepEqual(early, []);
    // Missed, or skipped, when a run was under way that then seems to have taken an hour.
    const ranges = await world.rows('SELECT ticks FROM run WHERE ticks > 3000');
    assert.equal(ranges.length, 1, 'the hour that was stepped over is one row');
    await world.requireSound();
  });

  test('over the autumn fold runs a fixed time once and an interval in both passes', async (t) => {
    const fold = Date.parse('2026-10-25T00:30:00Z'); // 02:30 in Berlin, for the first time
    const stepping = await startStepping(t, fold - 600_000 - Date.now());
    if (stepping === null) return;
    const { world, server } = stepping;
    const zone = { timezone: 'Europe/Berlin' };
    await world.add('fixed', '30 2 * * *', zone);
    await world.add('often', '*/30 * * * *', zone);
    const node = world.node('a', { ttlMs });
    await moreLooks(node, 1);
    await server.stepClock(fold - leadMs - Date.now());
    const ranAt = (job: string, instant: number) =>
      until(`${job} at ${new Date(instant).toISOString()}`, () =>
        world.ledger.of(job).some(({ launch }) => launch.scheduledForMs === instant),
      );
    await ranAt('fixed', fold);
    await ranAt('often', fold);
    const again = fold + hourMs; // 02:30, for the second time
    await server.stepClock(again - leadMs - Date.now());
    await ranAt('often', again);
    const tomorrow = again + 24 * hourMs;
    await server.stepClock(tomorrow - leadMs - Date.now());
    await ranAt('fixed', tomorrow);
    await ranAt('often', tomorrow);
    await until('all rows', async () => (await world.slot('often')).state === 'idle');
    await until('all rows', async () => (await world.slot('fixed')).state === 'idle');
    const runs = await world.runs('fixed');
    assert.deepEqual(
      runs.map((run) => [run.result, run.scheduled_for.getTime(), run.ticks]),
      [
        ['succeeded', fold, 1],
        ['succeeded', tomorrow, 1],
      ],
    );
    // In its own pass: the other is an hour away.
    assert.ok(runs.every((run) => run.started_at - run.scheduled_for < hourMs / 2));
    await world.requireSound();
  });
});

/** Room for the make-up of what the step leapt over: it must have ended when the tick comes. */
const leadMs = 10_000;

async function clockLibrary(t: TestContext): Promise<string | null> {
  try {
    return await findFaketime();
  } catch (error) {
    if (!(error instanceof NotHereError)) throw error;
    t.skip(`not run: ${error.message}`);
    return null;
  }
}

/** The file that a process under libfaketime takes its clock from. */
async function makeClock(scope: Scope) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-clock-'));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'clock');
  const step = (offset: string) => writeFile(file, `${offset}\n`);
  await step('+0');
  return { file, step };
}

/** A server of its own whose clock can be stepped, and whole nodes in this process. */
async function startStepping(
  t: TestContext,
  offsetMs: number,
): Promise<{ world: ActorWorld; server: EngineMember } | null> {
  if ((await clockLibrary(t)) === null) return null;
  const scope = lastFirst(t);
  const engine = await startFaultEngine('mariadb');
  scope.after(() => engine.close());
  const [server] = engine.members;
  assert.ok(server);
  await server.stepClock(offsetMs);
  const world = await makeActorWorld(scope, server.userUrl(await engine.createDatabase()));
  return { world, server };
}
