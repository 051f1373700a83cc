import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type LiveSession, processesOf } from '../../node/nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from '../../node/nodeWorld.ts';
import { until } from '../../support/until.ts';
import type { EngineMember } from '../engines/faultEngine.ts';
import { startFaultEngine } from '../engines/startFaultEngine.ts';
import { bootNowMs } from '../world/bootNow.ts';
import { livedAfterMs, makeTickingJobs, type TickingJobs } from './tickingJobs.ts';

const jobsCount = 20;
/** Of the node that outlives it. */
const leaseMs = 0.8 * 15_000;

describe('a database that goes away under load', { concurrency: true }, () => {
  test('killed for 5 s under 20 runs a second: no run is lost, none twice', async (t) => {
    const { world, server } = await startServer(t);
    const { jobs, sessions } = await runSteadily(t, world);
    await server.kill();
    const killedMs = bootNowMs();
    const ticksThen = jobs.ticks().length;
    await until('5 s', () => bootNowMs() > killedMs + 5_000);
    await server.start();
    await until('runs go on', () => jobs.ticks().length > ticksThen + 4 * jobsCount, 60_000);
    await requireTruth(t, world, jobs, sessions);
  });

  test('frozen for 20 s within the lease: ghosts do no harm and there is no storm', async (t) => {
    const { world, server } = await startServer(t);
    const { jobs, sessions } = await runSteadily(t, world);
    const before = await connectionsMade(world);
    await server.stop();
    t.after(() => server.cont());
    const frozenMs = bootNowMs();
    const ticksThen = jobs.ticks().length;
    await until('20 s', () => bootNowMs() > frozenMs + 20_000);
    await server.cont();
    await until('runs go on', () => jobs.ticks().length > ticksThen + 4 * jobsCount, 60_000);
    // Three connections a node, each given up after 5 s and opened again, with a pause.
    const made = (await connectionsMade(world)) - before;
    t.diagnostic(`${made} connections were made by ${sessions.length} nodes and the test`);
    assert.ok(made < 25 * (sessions.length + 1));
    await requireTruth(t, world, jobs, sessions);
  });

  test('gone for longer than the lease: children die within it, a new session comes', async (t) => {
    const { world, server } = await startServer(t);
    const jobs = makeTickingJobs(world.scope);
    const node = world.start('one', ['--session-ttl', '15s']);
    const session = await node.session();
    await world.add('long', '* * * * * *', { command: jobs.tickTwiceForEver });
    await until('it ticks', () => new Set(jobs.ticks().map((tick) => tick.processId)).size === 2);
    await server.kill();
    const killedMs = bootNowMs();
    const isGone = () => processesOf(session.sessionId).length === 0;
    await until('nothing of it lives', isGone, 60_000);
    const lastMs = Math.max(...jobs.ticks().map(({ atMs }) => atMs));
    t.diagnostic(
      `last tick ${Math.round(lastMs - killedMs)} ms after the kill, lease ${leaseMs} ms`,
    );
    assert.ok(livedAfterMs(jobs.ticks(), killedMs) < leaseMs + 700);
    const waits = () => node.log().includes('the database is away');
    await until('the next process waits', waits, 120_000);
    await server.start();
    const next = await node.session(session);
    await until('it runs again', () =>
      jobs.ticks().some(({ launchId }) => launchId.startsWith(`${next.sessionId}:`)),
    );
    const [run, ...more] = (await world.runs()).filter(({ launch_id }) => launch_id !== null);
    assert.deepEqual([run?.result, run?.session_id], ['lost', session.sessionId]);
    assert.deepEqual(more, []);
    await world.requireEveryTick();
  });
});

async function startServer(t: TestContext): Promise<{ world: NodeWorld; server: EngineMember }> {
  const engine = await startFaultEngine('mariadb', { faketime: false });
  const [server] = engine.members;
  assert.ok(server);
  const world = await makeNodeWorld(t, server.userUrl(await engine.createDatabase()));
  t.after(() => engine.close());
  return { world, server };
}

/** Two nodes with the default TTL, and a load of 20 runs a second that goes on. */
async function runSteadily(t: TestContext, world: NodeWorld) {
  const jobs = makeTickingJobs(world.scope);
  const more = ['--session-ttl', '45s', '--concurrency', '60'];
  const nodes = [world.start('a', more), world.start('b', more)];
  const sessions = await Promise.all(nodes.map((node) => node.session()));
  for (let number = 1; number <= jobsCount; number += 1) {
    await world.add(`job${number}`, '* * * * * *', { command: jobs.tickOnce });
  }
  const began = jobs.ticks().length;
  const beganMs = bootNowMs();
  await until('a steady load', () => jobs.ticks().length > began + 5 * jobsCount, 60_000);
  const rate = ((jobs.ticks().length - began) / (bootNowMs() - beganMs)) * 1_000;
  t.diagnostic(`${Math.round(rate)} runs a second before the fault`);
  return { jobs, sessions };
}

/** Holds the history against what the children wrote: each that ran is there, as it ended. */
async function requireTruth(
  t: TestContext,
  world: NodeWorld,
  jobs: TickingJobs,
  sessions: readonly LiveSession[],
): Promise<void> {
  await world.rows('SELECT 1'); // the channel opens anew
  const live = await world.rows("SELECT session_id FROM session WHERE state = 'live'");
  assert.deepEqual(
    live.map(({ session_id }) => session_id).sort(),
    sessions.map(({ sessionId }) => sessionId).sort(),
    'no node lost its session',
  );
  for (const { pid } of sessions) process.kill(pid, 'SIGTERM');
  await until(
    'all have left',
    async () => (await world.count("session WHERE state = 'live'")) === 0,
  );
  assert.equal(await world.count("slot WHERE state <> 'idle'"), 0);
  const ran = new Map(jobs.ticks().map(({ launchId, exitCode }) => [launchId, exitCode]));
  assert.equal(ran.size, jobs.ticks().length, 'no launch was spawned twice');
  const runs = (await world.runs()).filter(({ launch_id }) => launch_id !== null);
  const ended = runs.filter(({ result }) => result === 'succeeded' || result === 'failed');
  const recorded = new Map(ended.map((run) => [run.launch_id as string, run.exit_code as number]));
  assert.equal(recorded.size, ended.length, 'no run row twice');
  assert.deepEqual(new Map([...recorded].sort()), new Map([...ran].sort()));
  const others = runs.filter((run) => !ended.includes(run));
  assert.ok(others.every((run) => run.result === 'not_started' && run.is_final === 0));
  await world.requireEveryTick();
  t.diagnostic(`${ran.size} children, ${ended.length} run rows, ${others.length} not started`);
}

async function connectionsMade(world: NodeWorld): Promise<number> {
  const [row] = await world.rows("SHOW GLOBAL STATUS LIKE 'Connections'");
  return Number(row?.Value);
}
