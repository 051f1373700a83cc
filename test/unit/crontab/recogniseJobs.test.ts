import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCrontab } from '../../../src/domain/crontab/readCrontab.ts';
import { recogniseJobs } from '../../../src/domain/crontab/recogniseJobs.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';

const here = 'web1:/etc/jobs';
const open = { user: null, group: null, onNode: null };
const source = { origin: here, isFile: true, prefix: '', ...open };

function job(name: string, command: string, more: Partial<JobDefinition> = {}): JobDefinition {
  const base = { ...jobDefaults, name, command, schedule: '0 3 * * *', origin: here };
  return { ...base, timezone: 'UTC', env: {}, ...more };
}

function namesOf(
  lines: readonly string[],
  present: readonly JobDefinition[],
  changes: Partial<Parameters<typeof recogniseJobs>[2]> = {},
  user: string | null = null,
): string[] {
  const jobs = readCrontab(lines.join('\n'), 'user').flatMap(({ reading }) =>
    reading.kind === 'job' ? [{ ...reading, job: { ...reading.job, user } }] : [],
  );
  return recogniseJobs(jobs, present, { ...source, ...changes });
}

test('a job that an earlier version named by its whole command is found again', () => {
  const old = job('/opt/backup --full', '/opt/backup --full');
  assert.deepEqual(namesOf(['0 3 * * * /opt/backup --full'], [old]), [old.name]);
  assert.deepEqual(namesOf(['0 4 * * * /opt/backup --full'], [old]), [old.name], 'at another time');
  const second = job('/opt/x y 2', '/opt/x y');
  assert.deepEqual(
    namesOf(['0 3 * * * /opt/x y'], [second]),
    [second.name],
    'its first one is gone',
  );
  const shell = job('/opt/x --y', "exec /bin/sh -c '/opt/x --y'");
  assert.deepEqual(namesOf(['SHELL=/bin/sh', '0 3 * * * /opt/x --y'], [shell]), [shell.name]);
});

test('a job that 0.6 named by the first word of a command is found again, also when edited', () => {
  const [old, second] = [job('nohup', 'nohup sleep 30'), job('nohup 2', 'nohup sleep 40')];
  const lines = ['0 3 * * * nohup sleep 30', '0 3 * * * nohup sleep 40'];
  assert.deepEqual(namesOf(lines, [old, second]), ['nohup', 'nohup 2']);
  assert.deepEqual(namesOf(['0 4 * * * cd / && true'], [job('cd', 'cd / && true')]), ['cd']);
  assert.deepEqual(namesOf(['0 3 * * * nohup sleep 50'], [old]), ['nohup']);
  assert.deepEqual(namesOf(lines, []), ['sleep 30', 'sleep 40']);
  const fed = ['0 3 * * * cat /a | mail a', '0 3 * * * cat /b | mail b'];
  const cats = [job('cat a', 'cat /a | mail a'), job('cat b', 'cat /b | mail b')];
  assert.deepEqual(namesOf(fed, cats), ['cat a', 'cat b']);
  assert.deepEqual(namesOf(fed, []), ['mail a', 'mail b']);
});

test('a line above, or a comment, makes no other job of a line', () => {
  const [full, keep] = [job('backup', '/opt/backup full'), job('backup keep', '/opt/backup keep')];
  const lines = ['0 3 * * * /opt/backup full', '0 3 * * * /opt/backup keep'];
  const first = ['0 3 * * * /opt/backup new', ...lines];
  assert.deepEqual(namesOf(first, [full, keep]), ['backup new', 'backup', 'backup keep']);
  assert.deepEqual(namesOf(['# Full', ...lines], [full, keep]), ['backup', 'backup keep']);
  const same = ['0 4 * * * x', '0 3 * * * x'];
  const both = [job('x', 'x'), job('x 2', 'x', { schedule: '0 4 * * *' })];
  assert.deepEqual(namesOf(same, both), ['x 2', 'x'], 'by the schedule where commands are equal');
});

test('two equal lines are two jobs, of which one may be there', () => {
  assert.deepEqual(namesOf(['0 3 * * * x', '0 3 * * * x'], [job('x', 'x')]), ['x', 'x 2']);
});

test('a changed command of the same file is the same job, of standard input only of a user', () => {
  const line = ['0 3 * * * /opt/backup --more'];
  const known = job('backup', '/opt/backup');
  const piped = { isFile: false, origin: 'web1:standard input' };
  const bobs = { ...known, origin: piped.origin, user: 'bob' };
  assert.deepEqual(namesOf(line, [known]), ['backup']);
  assert.deepEqual(namesOf(line, [{ ...known, origin: piped.origin }], piped), ['backup 2']);
  assert.deepEqual(namesOf(line, [bobs], piped, 'bob'), ['backup']);
  assert.deepEqual(namesOf(line, [bobs], piped, 'amy'), ['backup 2']);
  assert.deepEqual(namesOf(['0 3 * * * /srv/backup'], [known]), ['backup 2'], 'another program');
});

test('a job whose command was edited here is the one of its line, and no other', () => {
  const nolog = job('report nolog', "exec /bin/sh -c 'echo $0'");
  const full = job('report full', '/opt/report full');
  const lines = ['0 3 * * * /opt/report full', '0 4 * * * /opt/report nolog'];
  assert.deepEqual(namesOf(lines, [full, nolog]), ['report full', 'report nolog']);
  const former = [job('cd', 'cd / && /opt/report')];
  assert.deepEqual(namesOf(['0 3 * * * cd /a && true'], former), ['true']);
});

test("jobs of other users, machines and prefixes are not taken for a line's", () => {
  const line = ['0 3 * * * ~/bin/sync'];
  assert.deepEqual(namesOf(line, [job('sync', '~/bin/sync', { user: 'bob' })], {}, 'amy'), [
    'sync 2',
  ]);
  assert.deepEqual(namesOf(line, [job('bob: sync', '~/bin/sync')]), ['sync']);
  assert.deepEqual(namesOf(line, [job('sync', '~/bin/sync')], { prefix: 'b: ' }), ['b: sync']);
  const there = { origin: 'web2:/etc/jobs', target: { nodes: ['web2'] } };
  assert.deepEqual(namesOf(line, [job('sync', '~/bin/sync', there)]), ['sync']);
  const onNode = { onNode: 'web1' };
  assert.deepEqual(namesOf(line, [job('sync', '~/bin/sync', there)], onNode), ['sync 2']);
});

test('a job with another user, group or node than the import names is of another line', () => {
  const line = ['# sync', '0 3 * * * ~/bin/sync'];
  const there = { user: 'bob', group: 'a', target: { nodes: ['web1'] } };
  const known = [job('sync', '~/bin/sync', there)];
  const named = { user: 'bob', group: 'a', onNode: 'web1' };
  const nameOf = (changes: Parameters<typeof namesOf>[2] & object, present = known) =>
    namesOf(line, present, { ...named, ...changes }, 'user' in changes ? 'amy' : 'bob').join();
  assert.equal(nameOf({}), 'sync');
  assert.equal(nameOf({ group: null, onNode: null }), 'sync', 'what is left open is as it is');
  assert.equal(nameOf({ user: 'amy' }), 'sync 2');
  const elsewhere = [job('sync', '~/bin/sync', { ...there, origin: 'web9:/etc/jobs' })];
  for (const other of [{ group: 'b' }, { onNode: 'web2' }]) {
    assert.equal(nameOf(other, elsewhere), 'sync 2');
    assert.equal(nameOf(other), 'sync', 'from here it may be edited: who imports is to decide');
  }
  assert.equal(nameOf({ onNode: 'web2' }, [job('sync', '~/bin/sync', { user: 'bob' })]), 'sync');
  const other = job('sync 2', 'edited', { ...there, group: 'b' });
  assert.equal(nameOf({ group: 'b' }, [...elsewhere, other]), 'sync 2', 'with another command');
});

test('a job that was made by hand is not evaded, and no other is changed for it', () => {
  const byHand = job('sync', 'mine');
  delete (byHand as { origin?: string }).origin;
  assert.deepEqual(namesOf(['0 3 * * * sync'], [byHand]), ['sync']);
  const other = { ...byHand, name: 'other', command: 'sync' };
  assert.deepEqual(namesOf(['0 3 * * * sync'], [other]), ['sync']);
  const imported = job('w: mine', 'x');
  assert.deepEqual(namesOf(['# sync', '0 3 * * * x'], [byHand, imported]), ['sync']);
});
