import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { runCli } from '../runCli.ts';

test('times of runs are in one zone, of a job in its own or the one given', async (t) => {
  const { channel, join, url } = await makeStoreWorld(t, 'mariadb');
  const yearly = { timezone: 'Asia/Tokyo', schedule: '0 0 1 1 *', command: 'true' };
  await addJob(channel, { ...jobDefaults, ...yearly, name: 'disk' });
  await join('w1', { ttlMs: 3_600_000 });
  const ask = (...args: string[]) => runCli(args, { url, env: { TZ: 'Asia/Kathmandu' } });
  const inZone = async (zone: string, ...args: string[]) => {
    const { stdout, stderr } = await ask(...args, '--timezone', zone);
    return stderr === '' ? new Set(stdout.match(/[+-]\d\d:\d\d\b/g)) : stderr;
  };
  assert.deepEqual(await inZone('europe/moscow', 'job', 'show', 'disk'), new Set(['+03:00']));
  const year = ['upcoming', '--within', '366d', '--all-ticks'];
  assert.deepEqual(await inZone('Europe/Moscow', ...year), new Set(['+03:00']));
  const fault =
    /^statecron: --timezone: "Asia\/Tokio" is not a zone \(did you mean Asia\/Tokyo\?\)/;
  assert.match(`${await inZone('Asia/Tokio', 'upcoming')}`, fault);

  await ask('job', 'skip-next', 'disk', '--count', '2');
  const offsets = async (...args: string[]) => {
    const { stdout } = await ask('runs', '--wide', ...args);
    return new Set(stdout.match(/[+-]\d\d:\d\d\b/g));
  };
  assert.deepEqual(await offsets(), new Set(['+05:45']));
  assert.deepEqual(await offsets('--job', 'disk'), new Set(['+09:00']));

  const dry = ['backfill', 'disk', '--dry-run'];
  const days = await ask(...dry, '--from', '2026-01-01', '--to', '2026-01-02 00:00:00 +09:00');
  assert.equal(days.code, 0, days.stderr);
  assert.match(days.stdout, /^2026-01-01T00:00:00\+09:00/);
  assert.equal(days.stdout.trim().split('\n').length, 1);
  const until = await ask('job', 'pause', 'disk', '--until', '2090-11-26 23:59:00 +00:00');
  assert.equal(until.code, 0, until.stderr);
  const paused = /aused (disk )?until 2091-01-01 00:00:00 \+09:00/;
  assert.match((await ask('job', 'pause', 'disk', '--until', '2091-01-01')).stdout, paused);
  assert.match((await ask('job', 'show', 'disk')).stdout, paused);
});
