import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseJob } from '../../src/store/jobs/changes/changeJob.ts';
import { skipNext } from '../../src/store/jobs/changes/skipNext.ts';
import { showJob } from '../../src/store/jobs/showJob.ts';
import { backfillJob } from '../../src/store/requests/backfillJob.ts';
import { retryRun } from '../../src/store/requests/retryRun.ts';
import { runJob } from '../../src/store/requests/runJob.ts';
import { until } from '../support/until.ts';
import { patient } from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

const format = 3;
const manual = '@manual';

async function outputOf(world: NodeWorld, launchId: string): Promise<string> {
  const [row] = await world.rows(
    'SELECT CAST(output AS CHAR) AS text FROM run_output WHERE launch_id = ?',
    [launchId],
  );
  return row?.text as string;
}

test('a chain of three runs on two nodes, each once, told of its upstream', async (t) => {
  const world = await makeNodeWorld(t);
  const nodes = [world.start('a', patient), world.start('b', patient)];
  await Promise.all(nodes.map((node) => node.session()));
  const command = 'echo "$STATECRON_UPSTREAM_JOB $STATECRON_UPSTREAM_RESULT"; [ $LEVEL != 1 ]';
  const shown = { command, format, env: { LEVEL: '0' } };
  await world.add('first', manual, { command: 'exit $CODE', env: { CODE: '0' } });
  await world.add('second', manual, { ...shown, after: [{ job: 'first', on: 'end' }] });
  await world.add('third', manual, { ...shown, after: [{ job: 'second', on: 'success' }] });
  const ended = (name: string) => async (): Promise<boolean> =>
    (await world.runs(name)).length === 2;
  await runJob(world.channel, 'first', 'good');
  await until('one', async () => (await world.runs('third')).length === 1, 60_000);
  await runJob(world.channel, 'first', 'bad', { env: { CODE: '4' } });
  await until('two', ended('third'), 60_000);
  const [, bad] = await world.runs('first');
  assert.deepEqual([bad?.result, bad?.exit_code], ['failed', 4], 'its own variable won');
  const lines: string[] = [];
  const lateMs: number[] = [];
  for (const name of ['second', 'third']) {
    for (const run of await world.runs(name)) {
      assert.deepEqual([run.result, run.triggered_by], ['succeeded', 'chain']);
      lines.push(await outputOf(world, run.launch_id as string));
      lateMs.push(run.started_at.getTime() - run.scheduled_for.getTime());
    }
  }
  assert.deepEqual(lines, [
    'first succeeded\n',
    'first failed\n',
    'second succeeded\n',
    'second succeeded\n',
  ]);
  t.diagnostic(`from an end to the start that follows: ${lateMs.join(', ')} ms`);
  for (const { guardian } of nodes) guardian.kill('SIGTERM');
  for (const { exited, log } of nodes) assert.deepEqual(await exited(), [0, null], log());
  await world.requireEveryTick();
});

test('what is asked for by hand runs beside the schedule, every tick accounted for', async (t) => {
  const world = await makeNodeWorld(t);
  const node = world.start('web1', patient);
  await node.session();
  await world.add('job', '*/2 * * * * *', { command: 'test "$FAIL" = ""' });
  await until('a run', async () => (await world.runs('job')).length > 0, 60_000);
  const skipped = await skipNext(world.channel, 'job', 2);
  const fromMs = Date.parse('2020-01-01T00:00:00Z');
  const range = { fromMs, untilMs: fromMs + 4_000, ticksMax: 10 };
  await backfillJob(world.channel, 'job', 'fill', range);
  await runJob(world.channel, 'job', 'mine', { env: { FAIL: '1' }, wantedNode: 'web1' });
  const ofRequest = async (id: string) =>
    (await world.runs('job')).filter((run) => run.request_id === id);
  await until('the backfill', async () => (await ofRequest('fill')).length === 3, 60_000);
  await until('the request', async () => (await ofRequest('mine')).length === 1, 60_000);
  const ticks = (await ofRequest('fill')).map((run) => run.scheduled_for.getTime());
  assert.deepEqual(ticks, [fromMs, fromMs + 2_000, fromMs + 4_000], 'in their order');
  const [failed] = await ofRequest('mine');
  assert.equal(failed?.result, 'failed');
  await retryRun(world.channel, failed?.launch_id as string);
  await until('the retry', async () => (await ofRequest('mine')).length === 2, 60_000);
  await pauseJob(world.channel, 'job', { forMs: 2_500 });
  await until('its end', async () => !(await showJob(world.channel, 'job')).isPaused, 60_000);
  const resumedMs = (await showJob(world.channel, 'job')).revisions[0].inForceFromMs;
  await until(
    'a tick after it',
    async () =>
      (await world.runs('job')).some(
        (run) => run.triggered_by === 'schedule' && run.scheduled_for.getTime() > resumedMs,
      ),
    60_000,
  );
  node.guardian.kill('SIGTERM');
  assert.deepEqual(await node.exited(), [0, null], node.log());
  for (const tickMs of skipped.flatMap((each) => each.ticks)) {
    const ran = await world.count("run WHERE scheduled_for = ? AND result = 'succeeded'", [
      new Date(tickMs),
    ]);
    assert.equal(ran, 0, 'a skipped tick never ran');
  }
  await world.requireEveryTick();
});
