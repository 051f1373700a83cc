import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { makeStoreWorld } from '../../support/storeWorld.ts';
import { askCli } from '../askCli.ts';

test('a pause of all jobs with an end says everywhere until when it is', async (t) => {
  const { channel, url } = await makeStoreWorld(t, 'mariadb');
  const yearly = { timezone: 'UTC', schedule: '0 0 1 1 *', command: 'true', group: 'web' };
  const job = { ...jobDefaults, ...yearly, format: 3 };
  for (const name of ['a', 'b']) await addJob(channel, { ...job, name });
  await addJob(channel, { ...job, name: 'c', schedule: '@every 24h' });
  const env = { TZ: 'UTC' };
  const ask = (...args: string[]) => askCli(args, { url, env });
  const end = ['--until', '2090-07-01T12:00:00Z'];
  const until = 'until 2090-07-01 12:00:00 +00:00';

  const paused = await ask('pause', '--all', '--note', 'database move', ...end, '--yes');
  assert.match(
    paused.stdout,
    new RegExp(`^Paused 3 jobs ${escaped(until)} \\(in \\d+ days\\): a, b, c\\.$`, 'm'),
  );
  const why = await ask('job', 'why', 'a');
  const is = `It is paused ${until}: it was paused together with all jobs by `;
  assert.match(why.stdout, new RegExp(`^why +${escaped(is)}.*: database move\\.$`, 'm'));
  assert.match(why.stdout, /^next +2091-01-01 00:00:00 \+00:00 \(in \d+ days\)$/m);
  const every = await ask('job', 'why', 'c');
  assert.match(every.stdout, /^next +2090-07-02 12:00:00 \+00:00 /m, 'counted from the end on');
  const listed = await ask('job', 'list');
  assert.match(listed.stdout, / paused +until 2090-07-01T12:00:00\+00:00 /);
  const edited = await ask('job', 'edit', 'a', '--timeout', '1m');
  const rests = `^It is still paused ${escaped(until)} \\(in \\d+ days\\) by \\S+: database move; `;
  assert.match(edited.stderr, new RegExp(`${rests}then it is resumed by itself\\.$`, 'm'));
  assert.match(why.stdout, /^do +statecron resume --all, which ends it for all of them$/m);
  for (const command of [['cluster'], ['job', 'list', '--group', 'web']]) {
    const { stdout, stderr } = await ask(...command);
    const since = `\\(since [^)]*, ${escaped(until)}\\); end it earlier with: statecron resume`;
    assert.match(`${stdout}${stderr}`.replaceAll(/\s+/g, ' '), new RegExp(since), command[0]);
  }

  const moved = await ask('pause', '--all', '--until', '2090-07-02T12:00:00Z', '--yes');
  assert.match(moved.stdout, /^Paused 3 jobs until 2090-07-02 12:00:00 \+00:00 /);
  assert.match((await ask('job', 'why', 'a')).stdout, /: database move\.$/m);

  await ask('resume', '--all', '--yes');
  const byHand = await ask('job', 'pause', '--group', 'web', '--until', '2h', '--yes');
  assert.match(byHand.stdout, /^Paused 3 jobs until \d{4}-.*\d \+00:00 \(in 2 h\): a, b, c\.$/m);
  const again = ['job', 'pause', '--group', 'web', '--until', '3h', '--yes'];
  const none = await ask(...again);
  assert.equal(none.stderr, 'No job matches: 3 jobs are paused already; see --state paused.\n');
  const longer = await ask(...again, '--state', 'paused');
  assert.match(longer.stdout, /^Paused 3 jobs until \d{4}-.*\d \+00:00 \(in 3 h\): a, b, c\.$/m);
  await ask('job', 'resume', '--group', 'web', '--yes');
  const forGood = await ask('pause', '--all', '--yes');
  assert.match(forGood.stdout, /^Paused 3 jobs: a, b, c\.$/m);
  assert.match((await ask('cluster')).stderr, /\); end it with: statecron resume --all$/m);
  const rested = await ask('job', 'edit', 'a', '--timeout', '2m');
  const ended =
    /^It is still paused together with all jobs by .*; end it with: statecron resume --all$/m;
  assert.match(rested.stderr, ended);
});

const escaped = (text: string): string => text.replaceAll(/[+:().]/g, '\\$&');
