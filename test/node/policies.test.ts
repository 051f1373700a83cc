import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splayOf } from '../../src/domain/policies/startAt.ts';
import { reasons } from '../../src/domain/reasons/reasons.ts';
import { mostAtOnce } from '../support/mostAtOnce.ts';
import { until } from '../support/until.ts';
import { patient } from './nodeProcess.ts';
import { makeNodeWorld, type NodeWorld } from './nodeWorld.ts';

const format = 3;

test('replace stops the old run at the next tick, terminate kills it at once', async (t) => {
  const world = await makeNodeWorld(t);
  const node = world.start('one', patient);
  await node.session();
  const command = "trap 'exit 3' TERM; echo up; sleep 60 & wait";
  const polite = { command, graceMs: 20_000, format };
  const deaf = "trap '' TERM; while sleep 0.1; do :; done";
  await world.add('replaced', '*/4 * * * * *', { ...polite, overlap: 'replace' });
  const killed = { command: deaf, graceMs: 20_000, format } as const;
  await world.add('killed', '*/4 * * * * *', { ...killed, overlap: 'terminate' });
  const stopped = async (name: string) =>
    (await world.runs(name)).filter((run) => run.result === 'stopped');
  // Whose SIGTERM came when bash knew what to do at it.
  const stoppedUp = async () => {
    const rows = await world.rows("SELECT launch_id FROM run_output WHERE output = 'up\\n'");
    const up = new Set(rows.map(({ launch_id: id }) => id));
    return (await stopped('replaced')).filter(({ launch_id: id }) => up.has(id));
  };
  await until('three killed', async () => (await stopped('killed')).length >= 3, 90_000);
  await until('three replaced', async () => (await stoppedUp()).length >= 3, 90_000);
  for (const name of ['replaced', 'killed'] as const) {
    const runs = await stopped(name);
    const overlap = name === 'replaced' ? 'replace' : 'terminate';
    assert.ok(runs.every((run) => run.reason.startsWith(reasons.replaced(overlap))));
    assert.equal(mostAtOnce(runs), 1, 'the old one was gone before the new one came (P6)');
    const livedMs = runs.map((run) => run.ended_at.getTime() - run.started_at.getTime());
    assert.ok(Math.min(...livedMs) < 12_000, `${name}: ${livedMs} ms, without the grace`);
  }
  assert.ok((await stopped('killed')).every((run) => run.term_signal === 'SIGKILL'));
  assert.ok((await stoppedUp()).every((run) => run.exit_code === 3));
  await endAndAccount(world, node);
});

test('queue runs tick after tick, parallel so many at once, retries in the end', async (t) => {
  const world = await makeNodeWorld(t);
  const node = world.start('one', patient);
  await node.session();
  await world.add('queued', '*/2 * * * * *', { command: 'sleep 3', overlap: 'queue', format });
  await world.add('beside', '* * * * * *', { command: 'sleep 2.4', parallel: 3, format });
  await world.add('splayed', '*/3 * * * * *', { splayMs: 1_500, format });
  await world.add('stubborn', '*/5 * * * * *', {
    command: '[ "$STATECRON_ATTEMPT" = 3 ]',
    format,
    retry: {
      max: 3,
      delayMs: 300,
      backoff: 'fixed',
      delayMsMax: 300,
      jitter: false,
      on: ['failure'],
    },
  });
  await world.add('hopeless', '* * * * * *', { command: 'false', failuresMax: 3, format });
  const succeeded = async (name: string) =>
    (await world.runs(name)).filter((run) => run.result === 'succeeded');
  for (const [name, least] of [
    ['queued', 5],
    ['beside', 12],
    ['splayed', 4],
    ['stubborn', 3],
  ] as const) {
    await until(`${least} ${name}`, async () => (await succeeded(name)).length >= least, 90_000);
  }
  const queued = await succeeded('queued');
  assert.equal(mostAtOnce(queued), 1);
  assert.ok(queued.some((run) => run.triggered_by === 'queue'));
  const most = mostAtOnce(await succeeded('beside'));
  assert.ok(most === 2 || most === 3, `${most} at once`);
  for (const run of await succeeded('splayed')) {
    const tickMs = run.scheduled_for.getTime();
    assert.ok(
      run.started_at.getTime() >= tickMs + splayOf({ name: 'splayed', splayMs: 1_500 }, tickMs),
    );
  }
  assert.ok((await succeeded('stubborn')).every((run) => run.attempt === 3));
  const failures = await world.runs('hopeless');
  const ran = failures.filter((run) => run.result === 'failed');
  assert.equal(ran.length, 3, 'it paused itself');
  await endAndAccount(world, node);
});

async function endAndAccount(
  world: NodeWorld,
  node: ReturnType<NodeWorld['start']>,
): Promise<void> {
  node.guardian.kill('SIGTERM');
  assert.deepEqual(await node.exited(), [0, null], node.log());
  await world.requireEveryTick();
}
