import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeActivity } from '../../../src/store/activity/writeActivity.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { noTerminal, onTerminal } from '../onTerminal.ts';
import { reach, testBothWays } from '../ways.ts';

interface Shown {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly life: { readonly phases: readonly Phase[]; readonly marks: readonly object[] };
}

interface Phase {
  readonly name: string;
  readonly begin: string | null;
  readonly end: string | null;
}

/** A run under way on a node. */
async function startRun({ addJob, join }: StoreWorld) {
  await addJob('job', { schedule: '0 0 1 1 *' });
  const node = await join('web1');
  const [launch] = await node.claim();
  assert.ok(launch);
  await node.start(launch);
  return { launch, node };
}

testBothWays('run show prints the life of a run, and --json has it', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const { launch, node } = await startRun(world);
  const running = (await askCli(['run', 'show', launch.launchId], cli)).stdout;
  assert.match(running, /^ {2}\S+ \S+ \S+ +running +\S+ so far$/m);
  await node.finish(launch);
  const run = await askJsonCli<Shown>(['run', 'show', launch.launchId], cli);
  assert.deepEqual(run.life.phases.map(({ begin, end, name }) => [name, begin, end]).slice(-2), [
    ['running', run.startedAt, run.endedAt],
    ['finishing', run.endedAt, null],
  ]);
  const { stdout } = await askCli(['run', 'show', launch.launchId], cli);
  const life = stdout.slice(stdout.indexOf('\nlife\n') + 6);
  assert.match(life, /^ {2}\S+ \S+ \S+ {2}tick\n/);
  assert.match(life, / {2}finishing +not known\n$/);
  const columns = life.match(/^ {2}\S+ \S+ \S+ {2}(?=\S)/gm)?.map(({ length }) => length);
  assert.equal(new Set(columns).size, 1, life);
  assert.doesNotMatch(life, /=/);
});

testBothWays('run show prints what actors said of a run, where it was kept', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const { launch, node } = await startRun(world);
  const { launchId } = launch;
  assert.doesNotMatch((await askCli(['run', 'show', launchId], cli)).stdout, /^messages$/m);
  const atMs = Date.parse('2030-01-01T00:00:00.250Z');
  const request = { atMs, from: 'slot', to: 'committer', event: 'commit.request', state: null };
  const answer = { from: 'committer', to: 'slot', event: 'start.committed', state: 'executing' };
  const messages = [request, { ...answer, atMs: atMs + 5 }];
  const nothing = { actors: [], slots: {}, transitions: [], guards: [] };
  const launches = [{ launchId, messages }];
  await writeActivity(world.channel, node.sessionId, { ...nothing, launches });
  const { stdout } = await askCli(['run', 'show', launchId], cli);
  assert.deepEqual(stdout.slice(stdout.indexOf('\nmessages\n')).trim().split('\n'), [
    'messages',
    '  2030-01-01 00:00:00.250 +00:00  slot > committer  commit.request',
    '  2030-01-01 00:00:00.255 +00:00  committer > slot  start.committed  executing',
  ]);
  const run = await askJsonCli<{ readonly life: { readonly messages: readonly object[] } }>(
    ['run', 'show', launchId],
    cli,
  );
  assert.deepEqual(run.life.messages[1], { at: '2030-01-01T00:00:00.255Z', ...answer });
});

test('a terminal of 80 columns or more has a bar of each phase that is known', {
  skip: noTerminal,
}, async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const { rows, url } = world;
  const { launch, node } = await startRun(world);
  await node.finish(launch);
  await rows(`UPDATE run SET scheduled_for = '2020-01-01 00:00:00',
    started_at = '2020-01-01 00:01:00', ended_at = '2020-01-01 00:04:00'`);
  const barsAt = async (columns: number) => {
    const text = await onTerminal(['run', 'show', launch.launchId], url, columns);
    return [...text.matchAll(/(?:starting|running) .*?(=+)\r$/gm)].map(([line, bar = '']) => [
      line.trimEnd().length,
      bar.length,
    ]);
  };
  const left = 24;
  assert.deepEqual(await barsAt(80), [
    [left + 6, 6],
    [left + 22, 16],
  ]);
  assert.deepEqual(await barsAt(200), [
    [left + 10, 10],
    [left + 40, 30],
  ]);
  assert.deepEqual(await barsAt(79), []);
});
