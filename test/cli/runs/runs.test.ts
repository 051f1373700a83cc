import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Launch } from '../../../src/domain/run/launch.ts';
import type { Execution } from '../../../src/domain/run/run.ts';
import { asReason } from '../../support/asReason.ts';
import { programArgs } from '../../support/program.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { type Reach, reach, testBothWays, type Way } from '../ways.ts';

/** Claims the next launch as soon as there is one. */
async function nextLaunch(node: TestNode): Promise<Launch> {
  for (;;) {
    const [launch] = await node.claim();
    if (launch !== undefined) return launch;
    await sleep(50);
  }
}

async function execute(node: TestNode, execution: Partial<Execution>): Promise<Launch> {
  const launch = await nextLaunch(node);
  assert.deepEqual(await node.start(launch), { verdict: 'done' });
  const { output } = execution;
  if (output !== undefined) await node.store.writeOutputs([{ launchId: launch.launchId, output }]);
  await node.finish(launch, execution);
  return launch;
}

async function manualWorld(t: TestContext, way: Way): Promise<StoreWorld & { cli: Reach }> {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const add = ['job', 'add', 'manual', '--cron', '@manual', '--command', 'true'];
  assert.equal((await askCli(add, cli)).code, 0);
  return { ...world, cli };
}

testBothWays(
  'runs --json is an array, newest first, with the promised keys and forms',
  async (t, way) => {
    const world = await makeStoreWorld(t, 'mariadb');
    const cli = await reach(t, way, world);
    assert.deepEqual(await askJsonCli(['runs'], cli), []);
    await world.addJob('late', { dueInMs: -5_000 });
    const node = await world.join('web1');
    const launch = await execute(node, { result: 'failed', exitCode: 3, outputBytes: 7 });
    const [newest, missed, ...others] = await askJsonCli<Record<string, unknown>[]>(['runs'], cli);
    assert.equal(others.length, 0);
    const { runId, startedAt, endedAt, scheduledFor, ...rest } = newest ?? {};
    assert.equal(typeof runId, 'number');
    for (const instant of [startedAt, endedAt, scheduledFor]) {
      assert.match(String(instant), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    assert.equal(Date.parse(String(scheduledFor)), launch.scheduledForMs);
    assert.deepEqual(rest, {
      job: 'late',
      group: 'default',
      nodeName: '',
      slotNo: 0,
      launchId: launch.launchId,
      trigger: 'misfire',
      attempt: 1,
      result: 'failed',
      exitCode: 3,
      signal: null,
      node: 'web1',
      outputBytes: 7,
      outputFile: null,
      outputCommand: null,
      scheduledUntil: null,
      ticks: 1,
      reason: null,
      isFinal: true,
      requestId: null,
      revision: 1,
    });
    assert.deepEqual([missed?.result, missed?.launchId, missed?.startedAt], ['missed', null, null]);
    assert.ok((missed?.ticks as number) >= 4);
    const limited = await askJsonCli<unknown[]>(['runs', '--limit', '1', '--since', '1h'], cli);
    assert.equal(limited.length, 1);
    const cut = await askCli(['runs', '--limit', '1'], cli);
    assert.equal(cut.stderr, 'Only 1 is shown; see --limit.\n');
    const from = (when: string) => askJsonCli<unknown[]>(['runs', '--since', when], cli);
    assert.ok((await from('2020-01-01T00:00:00Z')).length >= 2);
    assert.deepEqual(await from('2090-01-01T00:00:00Z'), []);
    const mistyped = await askCli(['runs', '--job', 'ltae', '--json'], cli);
    assert.deepEqual([mistyped.code, mistyped.stdout], [1, '']);
    assert.match(mistyped.stderr, /There is no job \\"ltae\\"\. Did you mean \\"late\\"\?/);
    const table = await askCli(['runs', '--job', 'late'], cli);
    assert.match(table.stdout, /^ENDED +JOB +RESULT/);
    assert.match(table.stdout, /failed \(exit 3\)/);
    assert.match(table.stdout, /missed x([4-9]|\d\d)/, 'a row for several ticks says how many');
    const [, number = ''] = /missed .* - +(\d+) /.exec(table.stdout) ?? [];
    const shown = await askCli(['run', 'show', number], cli);
    assert.match(shown.stdout, /^reason +\S/m, 'what never started is found by its number');
  },
);

testBothWays('a launch id is understood as the page shortens it', async (t, way) => {
  const world = await manualWorld(t, way);
  const node = await world.join('a');
  await askCli(['job', 'run', 'manual'], world.cli);
  const { launchId } = await execute(node, { result: 'failed', exitCode: 3 });
  const [session = '', number] = launchId.split(':');
  const short = `${session.slice(0, 7)}…:${number}`;
  const shown = await askJsonCli<{ launchId: string }>(['run', 'show', short], world.cli);
  assert.equal(shown.launchId, launchId);
  const retried = await askCli(['run', 'retry', short.replace('…', '')], world.cli);
  assert.match(retried.stdout, new RegExp(`of manual after run ${launchId}\\.$`, 'm'));
  const wrong = [session.slice(0, 7), `${session.slice(0, 7)}:${number}0`, `${session}:`];
  const other = `${session.slice(0, -1)}${session.endsWith('0') ? '1' : '0'}`;
  await world.rows(
    `INSERT INTO session (session_id, node_name, state, ttl_ms, started_at, renewed_at, host,
        process_id, version, timezone_data, capacity, concurrency)
      SELECT ?, 'b', 'ended', ttl_ms, started_at, renewed_at, host, process_id, version,
        timezone_data, capacity, concurrency FROM session WHERE session_id = ?`,
    [other, session],
  );
  // Of two sessions.
  for (const id of [...wrong, short]) {
    const { code, stderr } = await askCli(['run', 'stop', id], world.cli);
    assert.deepEqual([code, /There is no run with the id/.test(stderr)], [1, true], id);
  }
});

const endings: readonly (readonly [string, Partial<Execution>, number])[] = [
  ['a success is 0', { result: 'succeeded', exitCode: 0 }, 0],
  ['a failure is its own code', { result: 'failed', exitCode: 42 }, 42],
  ['a signal is 128 + n', { result: 'failed', exitCode: null, signal: 'SIGKILL' }, 137],
  ['a time-out that ended with 0 is 1', { result: 'timed_out', exitCode: 0 }, 1],
  [
    'no process at all is 1',
    { result: 'spawn_failed', exitCode: null, reason: asReason('no folder') },
    1,
  ],
];

for (const [what, execution, code] of endings) {
  testBothWays(`job run --wait ends with the job's exit code: ${what}`, async (t, way) => {
    const world = await manualWorld(t, way);
    const node = await world.join('a');
    const output = Buffer.from('out\u0000put\n');
    const [result] = await Promise.all([
      askCli(['job', 'run', 'manual', '--wait'], world.cli),
      execute(node, { ...execution, output, outputBytes: output.length }),
    ]);
    assert.equal(result.code, code, result.stderr);
    assert.deepEqual(result.bytes, output, 'its output is on stdout, byte for byte');
    // One number for people: the history's; with the id by which its start may have named it.
    const end = /^manual: .*, run (\d+)(?: \(\S+\))?; see: statecron run log (\d+)\n$/m;
    const ending = end.exec(result.stderr);
    assert.ok(ending !== null && ending[1] === ending[2], result.stderr);
    const log = await askCli(['run', 'log', ending?.[1] ?? ''], world.cli);
    assert.deepEqual(log.bytes, output, log.stderr);
    assert.match(log.stderr, /^Run \d+ of manual, scheduled for \S+ \S+ \S+: /);
  });
}

testBothWays('a run that is skipped by a pause ends a wait with 1', async (t, way) => {
  const { cli } = await manualWorld(t, way);
  const request = ['job', 'run', 'manual', '--request-id', 'r1'];
  assert.equal((await askCli(request, cli)).code, 0);
  assert.match((await askCli(request, cli)).stdout, /requested already/);
  const [waited] = await Promise.all([
    askCli([...request, '--wait', '--json'], cli),
    askCli(['job', 'pause', 'manual'], cli),
  ]);
  assert.equal(waited.code, 1);
  assert.deepEqual(JSON.parse(waited.stdout).result, 'skipped');
});

testBothWays('who waits for a retry gets its output and ends as it did', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  await world.addJob('late', { schedule: '@yearly', dueInMs: -5_000 });
  const node = await world.join('web1');
  const { launchId } = await execute(node, { result: 'failed', exitCode: 3 });
  const output = Buffer.from('again\n');
  for (const flags of [[], ['--env', 'A=1']]) {
    const retrying = askCli(['run', 'retry', launchId, '--wait', ...flags], cli);
    await execute(node, { result: 'failed', exitCode: 4, output, outputBytes: output.length });
    const { code, stderr, stdout } = await retrying;
    assert.deepEqual([code, stdout], [4, 'again\n'], stderr);
    assert.match(stderr, /^late: failed \(exit 4\), run \d+.*; see: statecron run log \d+$/m);
  }
  const impatient = ['run', 'retry', launchId, '--wait', '--wait-timeout', '300ms'];
  assert.equal((await askCli(impatient, cli)).code, 75);
  const bound = await askCli(['run', 'retry', launchId, '--wait-timeout', '1s'], cli);
  assert.match(bound.stderr, /--wait-timeout: needs --wait/);
});

testBothWays('a wait that takes too long ends with 75 and says how to go on', async (t, way) => {
  const { cli } = await manualWorld(t, way);
  const wait = ['--wait', '--wait-timeout', '300ms', '--request-id', 'r1'];
  const result = await askCli(['job', 'run', 'manual', ...wait], cli);
  assert.equal(result.code, 75);
  assert.match(result.stderr, /--request-id r1/);
});

testBothWays(
  'a run can be shown, its output read byte for byte, and it can be stopped',
  async (t, way) => {
    const world = await manualWorld(t, way);
    const { cli } = world;
    const node = await world.join('a');
    await askCli(['job', 'run', 'manual'], cli);
    const output = Buffer.from([0, 255, 27, 91, 10]);
    const { launchId } = await execute(node, { output, outputBytes: 5 });
    assert.deepEqual((await askCli(['run', 'log', launchId], cli)).bytes, output);
    const log = await askJsonCli<{ base64: string; keptBytes: number }>(
      ['run', 'log', launchId],
      cli,
    );
    assert.deepEqual(Buffer.from(log.base64, 'base64'), output);
    const run = await askJsonCli<{ result: string }>(['run', 'show', launchId], cli);
    assert.equal(run.result, 'succeeded');
    assert.match(
      (await askCli(['run', 'show', launchId], cli)).stdout,
      /^run +\d+\nlaunch +s[0-9a-f]+:1$/m,
    );
    const late = await askCli(['run', 'stop', launchId, '--json'], cli);
    assert.equal(late.code, 1);
    assert.equal(JSON.parse(late.stderr).error.code, 'run_ended');

    await askCli(['job', 'run', 'manual'], cli);
    const running = await nextLaunch(node);
    await node.start(running);
    const [seen] = await askJsonCli<Record<string, unknown>[]>(['runs', '--running'], cli);
    assert.deepEqual([seen?.launchId, seen?.result, seen?.endedAt], [running.launchId, null, null]);
    const { stdout } = await askCli(['runs', '--running'], cli);
    assert.match(stdout, / LAUNCH\n.* s[0-9a-f]+:2\n$/);
    const ended = await askJsonCli<{ launchId: string }[]>(['runs'], cli);
    assert.ok(ended.every((each) => each.launchId !== running.launchId));
    const stopping = askJsonCli<{ answer: string; run: { result: string } }>(
      ['run', 'stop', running.launchId, '--wait'],
      cli,
    );
    while (!(await node.store.lookAtHeld()).own[0]?.stopRequested) await sleep(50);
    await node.finish(running, { result: 'stopped', exitCode: null, signal: 'SIGTERM' });
    const stopped = await stopping;
    assert.deepEqual([stopped.answer, stopped.run.result], ['asked', 'stopped']);
  },
);

test('an output that nobody reads to its end is no fault', async (t) => {
  const { url } = await manualWorld(t, 'database');
  const { spawn } = await import('node:child_process');
  const child = spawn(
    'bash',
    [
      '-c',
      `"$0" "$@" --help | head -1; echo "\${PIPESTATUS[0]}"`,
      process.execPath,
      ...programArgs(),
    ],
    { env: { ...process.env, STATECRON_DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await once(child, 'close');
  assert.match(said, /\n0\n$/);
});
