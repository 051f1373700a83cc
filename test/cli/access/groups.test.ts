import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { until } from '../../support/until.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays(
  'a group is added, edited, looked at and removed on the command line',
  async (t, way) => {
    const world = await makeStoreWorld(t, 'mariadb');
    const cli = await reach(t, way, world);
    const node = await world.join('web1', { facts: { level: 2, labels: ['disk=ssd', 'eu'] } });

    const add = ['group', 'add', 'web', '--node', 'web2', '--node', 'web1'];
    const added = await askJsonCli(add, cli);
    assert.deepEqual(added, { group: 'web', nodes: ['web1', 'web2'], changed: true, withdrawn: 0 });
    const twice = await askCli(add, cli);
    assert.deepEqual([twice.code, /already/.test(twice.stderr)], [1, true]);

    const job = ['job', 'add', 'tidy', '--cron', '* * * * * *', '--command', 'true'];
    await askJsonCli([...job, '--on-group', 'web'], cli);
    const typo = ['job', 'add', 'typo', '--cron', '@daily', '--command', 'true'];
    const warned = await askCli([...typo, '--on-group', 'wbe'], cli);
    assert.deepEqual([warned.code, /no group of nodes wbe, so/.test(warned.stderr)], [0, true]);
    const mended = await askCli(['job', 'edit', 'typo', '--on-group', 'web'], cli);
    assert.deepEqual([mended.code, /no live node/.test(mended.stderr)], [0, false]);
    await askJsonCli(['job', 'remove', 'typo'], cli);
    const [launch] = await node.claim();
    assert.ok(launch);
    const edit = ['group', 'edit', 'web', '--add-node', 'web3', '--remove-node', 'web1'];
    const edited = await askJsonCli(edit, cli);
    assert.deepEqual(edited, {
      group: 'web',
      nodes: ['web2', 'web3'],
      changed: true,
      withdrawn: 1,
    });
    const again = await askJsonCli<{ changed: boolean }>(edit, cli);
    assert.equal(again.changed, false);

    const refused = await askCli(['group', 'remove', 'web'], cli);
    assert.deepEqual(
      [refused.code, /1 job names the group of nodes web/.test(refused.stderr)],
      [1, true],
    );
    const shown = await askJsonCli<Record<string, unknown>>(['group', 'show', 'web'], cli);
    assert.deepEqual([shown.nodes, shown.jobs, shown.jobNames], [['web2', 'web3'], 1, ['tidy']]);
    const listed = await askCli(['group', 'list'], cli);
    assert.match(listed.stdout, /web\s+1 job\s+web2, web3/);

    const cluster = await askJsonCli<{
      unrunnable: object;
      warnings: string[];
      sessions: { level: number; labels: string[] }[];
    }>(['cluster'], cli);
    assert.deepEqual(cluster.unrunnable, { jobs: 1, names: ['tidy'] });
    assert.match(cluster.warnings.join(), /no live node may run tidy/);
    const [session] = cluster.sessions;
    assert.deepEqual([session?.level, session?.labels], [2, ['disk=ssd', 'eu']]);
    const { mayRunOn } = await askJsonCli<{ mayRunOn: string[] }>(['job', 'show', 'tidy'], cli);
    assert.deepEqual(mayRunOn, []);
    const doctor = await askCli(['doctor'], { url: world.url });
    assert.match(doctor.stdout, /no live node may run tidy/);

    await askJsonCli(['job', 'remove', 'tidy'], cli);
    const removed = await askJsonCli<{ nodes: string[] }>(['group', 'remove', 'web'], cli);
    assert.deepEqual(removed.nodes, []);
    assert.equal((await askCli(['group', 'show', 'web'], cli)).code, 1);
  },
);

testBothWays('only a node that is gone is forgotten', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  const node = await world.join('web1');
  const job = ['job', 'add', 'tidy', '--cron', '* * * * * *', '--command', 'true'];
  await askJsonCli([...job, '--kind', 'every-node'], cli);
  const live = await askCli(['cluster', 'forget', 'web1'], cli);
  assert.deepEqual([live.code, /web1 is live/.test(live.stderr)], [75, true]);
  await node.store.endSession(node.sessionId, 'test', null);
  const forgotten = await askJsonCli(['cluster', 'forget', 'web1'], cli);
  assert.deepEqual(forgotten, { node: 'web1', slots: 1 });
  const audit = await askCli(['audit', '--limit', '1'], cli);
  assert.match(audit.stdout, /node\.forget +web1 +slots: 1 /);
  const nothing = await askCli(['cluster', 'forget', 'web1'], cli);
  assert.match(nothing.stdout, /nothing to forget/);
});

testBothWays(
  'the jobs of a group are limited, and the limit is taken away again',
  async (t, way) => {
    const world = await makeStoreWorld(t, 'mariadb');
    const cli = await reach(t, way, world);
    const node = await world.join('web1');
    const set = ['limit', 'set', 'shop', '1'];
    assert.deepEqual(await askJsonCli(set, cli), { group: 'shop', max: 1, changed: true });
    assert.deepEqual(await askJsonCli(set, cli), { group: 'shop', max: 1, changed: false });
    const early = await askCli(['limit', 'set', 'shop', '2'], cli);
    assert.match(
      early.stdout,
      /^The jobs of the group shop have at most 2 launches at once, on all/,
    );
    assert.match(early.stderr, /^No job is in it yet: statecron job edit NAME --group shop$/m);
    await askJsonCli(set, cli);
    for (const name of ['one', 'two']) {
      const job = ['job', 'add', name, '--cron', '* * * * * *', '--command', 'true'];
      await askJsonCli([...job, '--group', 'shop'], cli);
    }
    assert.equal((await askCli(set, cli)).stderr, '');
    const [launch, ...others] = await node.claim();
    assert.ok(launch !== undefined && others.length === 0);
    const list = () => askJsonCli<{ waiting: number }[]>(['limit', 'list'], cli);
    await until('the other job is due', async () => (await list())[0]?.waiting === 1);
    const limit = { group: 'shop', max: 1, held: 1, waiting: 1, jobs: 2 };
    assert.deepEqual(await list(), [{ ...limit, running: 0 }]);
    await node.start(launch);
    assert.deepEqual(await list(), [{ ...limit, running: 1 }]);
    const removed = await askCli(['limit', 'remove', 'shop'], cli);
    assert.match(removed.stdout, /^The jobs of the group shop have no limit any more\.$/m);
    assert.equal((await node.claim()).length, 1);
    const audit = await askCli(['audit', '--limit', '4'], cli);
    const limits = audit.stdout.match(/limit\.change +shop +\S+( → \S+)?/g);
    assert.match(`${limits?.[0]}`, / 1 → -$/);
    for (const wrong of [
      ['shop', '0'],
      ['default', '1'],
      ['a\nb', '1'],
    ]) {
      const refused = await askCli(['limit', 'set', ...wrong], cli);
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /[^.]\.\nhint: See: statecron limit --help\n$/);
    }
  },
);

test('levels and labels that cannot be meant are refused with their flag', async () => {
  const url = 'mysql://root@127.0.0.1:1/none';
  for (const [flags, says] of [
    [['--level', '-2'], /whole number from 0/],
    [['--level', '1.5'], /whole number from 0/],
    [['--label', '=x'], /--label: .* a label is name or name=value/],
  ] as const) {
    const result = await askCli(['node', ...flags], { url });
    assert.equal(result.code, 2, result.stderr);
    assert.match(result.stderr, says);
  }
});
