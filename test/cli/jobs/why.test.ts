import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { pauseJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';

test('why a job does not run is said in its zone, and job show tells where', async (t) => {
  const world = await makeStoreWorld(t, 'mariadb');
  await world.join('w1', { ttlMs: 3_600_000 });
  const berlin = { timezone: 'Europe/Berlin', schedule: '0 0 1 1 *', command: 'true' };
  await addJob(world.channel, { ...jobDefaults, ...berlin, name: "it's paused" });
  await addJob(world.channel, { ...jobDefaults, ...berlin, name: 'runs' });
  await pauseJob(world.channel, "it's paused", { untilMs: Date.UTC(2090, 6, 1, 10) });
  const ask = (...args: string[]) => askCli(['job', ...args], { url: world.url });

  const { code, stdout } = await ask('why', "it's paused");
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^state +paused\nwhy +It is paused until 2090-07-01 12:00:00 \+02:00\.$/m);
  assert.match(stdout, /^do +statecron job resume 'it'\\''s paused'$/m);
  assert.match(stdout, /^keeps it +paused +It is paused until 2090-07-01 12:00:00 \+02:00\.$/m);
  assert.doesNotMatch(stdout, /^(passed|w1|then) /m);
  const all = await ask('why', "it's paused", '--all');
  assert.match(all.stdout, /^passed +exists /m);
  assert.match(all.stdout, /^w1 +1 +yes +-$/m);

  const kept = await ask('show', "it's paused");
  assert.match(kept.stderr, /^What keeps it from running: statecron job why 'it'\\''s paused'$/m);
  assert.equal((await ask('show', 'runs')).stderr, '');

  await ask('edit', "it's paused", '--on-node', 'w9');
  const two = await ask('why', "it's paused");
  assert.match(two.stdout, /^do .*\nthen +1 more thing keeps it from running, below$/m);

  // What was skipped ahead of its time is no last run, and nobody paused what was removed.
  await ask('skip-next', 'runs');
  assert.match((await ask('why', 'runs')).stdout, /^last +nothing yet$/m);
  await ask('remove', "it's paused");
  const removed = await ask('why', "it's paused");
  assert.match(removed.stdout, /^failed +exists +It was removed at /m);
  assert.doesNotMatch(removed.stdout, /^\S.* paused /m);
  await addJob(world.channel, { ...jobDefaults, ...berlin, name: 'two words' });
  const unrun = await ask('log', 'two words');
  assert.match(unrun.stderr, /^hint: See why: statecron job why 'two words'; /m);

  const seen = { ...berlin, name: 'seen', observed: true, format: 6 };
  await addJob(world.channel, { ...jobDefaults, ...seen });
  const observed = await ask('why', 'seen');
  assert.match(observed.stdout, /^why +It is observed: .*none is started\.$/m);
  assert.match(
    observed.stdout,
    /^next +\d{4}-01-01 00:00:00 \+01:00 \(in .*, to be recorded, not started\)$/m,
  );

  const missing = await ask('why', 'run');
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /There is no job "run"/);
});
