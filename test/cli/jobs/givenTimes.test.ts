import assert from 'node:assert/strict';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli, askJsonCli } from '../askCli.ts';
import { runCli } from '../runCli.ts';
import { reach, testBothWays } from '../ways.ts';

testBothWays('a time without an offset is in the zone of the job that is meant', async (t, way) => {
  const { env, ...cluster } = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  const cli = { ...cluster, env: { ...env, TZ: 'America/New_York' } };
  const ask = async (...args: string[]): Promise<string> => {
    const { code, stderr, stdout } = await askCli(args, cli);
    assert.equal(code, 0, stderr);
    return `${stdout}${stderr}`;
  };
  const add = ['--cron', '0 3 * * *', '--command', 'true', '--timezone', 'Asia/Tokyo'];
  const window = ['--not-before', '2030-01-31T09:30', '--not-after', '2040-01-31'];
  const rests = ['--paused-until', '2090-01-31 09:30'];
  const added = await ask('job', 'add', 'job', ...add, ...window, ...rests);
  assert.match(added, /paused until 2090-01-31 09:30:00 \+09:00/);
  const shown = await ask('job', 'show', 'job');
  assert.match(shown, /^not before +2030-01-31T09:30:00\+09:00$/m);
  assert.match(shown, /^not after +2040-01-31T00:00:00\+09:00$/m);
  await ask('job', 'edit', 'job', '--not-before', '2019-01-31 09:30:00 -05:00');
  assert.match(await ask('job', 'show', 'job'), /^not before +2019-01-31T23:30:00\+09:00$/m);

  const paused = await ask('job', 'pause', 'job', '--until', '2090-07-01T12:00', '--note', 'disk');
  assert.match(paused, /until 2090-07-01 12:00:00 \+09:00/);
  const muted = await ask('notify', 'mute', 'job', '--until', '2090-07-01');
  assert.match(muted, /until 2090-07-01 00:00:00 \+09:00/);
  const days = ['--from', '2020-02-28T03:00', '--to', '2020-02-29 03:00:00', '--dry-run'];
  assert.match(await ask('backfill', 'job', ...days), /^2020-02-28T03.*\n2020-02-29T03.*\nWould/);
  const day = ['--from', '2020-02-28', '--to', '2020-02-28', '--dry-run'];
  const read = /^2020-02-28 is read as 2020-02-28 00:00:00 \+09:00\.$/m;
  assert.match(await ask('backfill', 'job', ...day), read);
  const all = await ask('pause', '--all', '--until', '2090-07-01T12:00', '--yes');
  assert.doesNotMatch(all, /\+09:00/);
  const group = ['notify', 'mute', '--group', 'default', '--until', '2090-07-01'];
  // A process of its own: one that goes on keeps its zone.
  assert.match((await runCli(group, cli)).stdout, /until 2090-07-01 00:00:00 -04:00/);
});

testBothWays('a pause of one job has a note, which is shown with it', async (t, way) => {
  const cli = await reach(t, way, await makeStoreWorld(t, 'mariadb'));
  for (const name of ['a', 'b']) {
    await askCli(['job', 'add', name, '--cron', '@daily', '--command', 'true'], cli);
  }
  await askCli(['job', 'pause', 'a', '--note', 'new disk'], cli);
  await askCli(['job', 'pause', 'b', '--note', 'new disk', '--until', '2090-01-01'], cli);
  const note = /paused by \S+: new disk/;
  const until = /paused until 2090-01-01 00:00:00 \+00:00 \(in \d+ days\) by \S+: new disk$/m;
  assert.match((await askCli(['job', 'show', 'a'], cli)).stdout, note);
  assert.match((await askCli(['job', 'show', 'b'], cli)).stdout, until);
  for (const args of [['job', 'why', 'b'], ['audit'], ['cluster']]) {
    const { stderr, stdout } = await askCli(args, cli);
    assert.match(`${stdout}${stderr}`, note, args[0]);
  }
  const { pause } = await askJsonCli<{ pause: { note: string } }>(['job', 'show', 'b'], cli);
  assert.equal(pause.note, 'new disk');
  const long = await askCli(['job', 'pause', 'a', '--note', 'x'.repeat(81)], cli);
  assert.match(long.stderr, /--note: .*at most 80 characters/);
});
