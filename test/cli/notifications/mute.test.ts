import assert from 'node:assert/strict';
import type { MuteView } from '../../../src/http/views/muteView.ts';
import { addTarget, addTelling } from '../../store/notifications/notificationWorld.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays('a job, a group and a target are muted, shown and unmuted', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  await addTarget(world, 'ops');
  const notify = { on: ['failure' as const], to: ['ops'] };
  await addTelling(world, 'backup', notify, { group: 'web', format: 4 });
  const done = async (...args: string[]): Promise<string> => {
    const { code, stderr, stdout } = await askCli(['notify', ...args], cli);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const muted = await done('mute', 'backup', '--until', '1h', '--note', 'new\u001bdisk');
  assert.match(muted, /^backup is muted until .* \((in 1 h|in 60 min)\) by \S+: new.*disk\.\n$/);
  assert.ok(!muted.includes('\u001b'));
  await done('mute', '--group', 'web', '--until', '2040-01-31T09:30:00Z');
  await done('mute', '--target', 'ops', '--until', '8h');
  const mutes = await askJsonCli<MuteView[]>(['notify', 'mutes'], cli);
  assert.deepEqual(
    mutes.map(({ kind, name, note }) => [kind, name, note]),
    [
      ['group', 'web', ''],
      ['job', 'backup', 'new\u001bdisk'],
      ['target', 'ops', ''],
    ],
  );
  assert.equal(mutes[0]?.until, '2040-01-31T09:30:00.000Z');
  for (const command of ['show', 'why']) {
    const { stdout } = await askCli(['job', command, 'backup'], cli);
    const lines = stdout.split('\n').filter((line) => /^muted +(\S+ \S+, )?until/.test(line));
    assert.equal(lines.length, 3, stdout);
  }
  const tested = await askCli(['notify', 'test', 'ops', '--wait-timeout', '1s'], cli);
  assert.match(tested.stderr, /^ops is muted until .* by \S+\. Tests are sent to it\.$/m);
  assert.match(
    tested.stderr,
    /^(No node is live|A node sends it).* is waited for until \S+ \S+ \S+\.$/m,
  );
  assert.match(await done('unmute', 'backup'), /^backup is not muted any more\.\n$/);
  assert.match(await done('unmute', 'backup'), /^backup was not muted\.\n$/);
  await done('unmute', '--target', 'ops');
  await done('unmute', '--group', 'web');
  assert.deepEqual(await askJsonCli<MuteView[]>(['notify', 'mutes'], cli), []);
  const audit = await world.rows('SELECT action, target FROM audit_log ORDER BY audit_id');
  const acts = audit.map(({ action, target }) => `${action} ${target}`);
  const wanted = ['backup', 'web', 'ops'].map((name) => `notify.mute ${name}`);
  const ended = ['backup', 'ops', 'web'].map((name) => `notify.unmute ${name}`);
  assert.deepEqual(
    acts.filter((act) => /^notify\.(un)?mute/.test(act)),
    [...wanted, ...ended],
  );
});

testBothWays('a mute needs a thing that there is, and an end to come', async (t, way) => {
  const world = await makeStoreWorld(t, 'mariadb');
  const cli = await reach(t, way, world);
  await addTelling(world, 'backup');
  const refusals: [RegExp, number, ...string[]][] = [
    [/One of JOB, --group and --target/, 2, '--until', '1h'],
    [/One of JOB, --group and --target/, 2, 'backup', '--group', 'web', '--until', '1h'],
    [/--until/, 2, 'backup'],
    [/neither an instant .* nor a duration/, 2, 'backup', '--until', 'noon'],
    [/2020-01-01T00:00:00.000Z is over already/, 2, 'backup', '--until', '2020-01-01T00:00:00Z'],
    [/At most 500 characters/, 2, 'backup', '--until', '1h', '--note', 'x'.repeat(501)],
    [/no job "backupp". Did you mean "backup"/, 1, 'backupp', '--until', '1h'],
    [/No job is in the group "webb"/, 1, '--group', 'webb', '--until', '1h'],
    [/no notification target "opss"/, 1, '--target', 'opss', '--until', '1h'],
  ];
  for (const [expected, wanted, ...args] of refusals) {
    const { code, stderr } = await askCli(['notify', 'mute', ...args], cli);
    assert.match(stderr, expected);
    assert.equal(code, wanted, stderr);
  }
});
