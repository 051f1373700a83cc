import assert from 'node:assert/strict';
import { test } from 'node:test';
import mysql from 'mysql2/promise';
import { lastFirst } from '../../support/lastFirst.ts';
import { until } from '../../support/until.ts';
import { makeApiWorld } from '../world/apiWorld.ts';

const yaml = `group: reports
jobs:
  daily:
    cron: '0 9 * * *'
    command: make report
    timeout: 1h
  mail:
    after: daily:success
    cron: '@manual'
    command: mail report
`;

test('a file is planned and applied as the command line does it, and twice is once', async (t) => {
  const world = await makeApiWorld(t);
  const options = { text: yaml, type: 'application/yaml' };
  const planned = await world.ask('POST', '/api/v1/plan', options);
  assert.equal(planned.status, 200, planned.text);
  assert.deepEqual([planned.json.dryRun, planned.json.added], [true, 2]);
  assert.deepEqual((await world.ask('GET', '/api/v1/jobs')).json.items, []);
  const applied = await world.ask('POST', '/api/v1/apply', options);
  assert.deepEqual(applied.json.plan, [
    { action: 'add', job: 'daily', group: 'reports', changes: [] },
    { action: 'add', job: 'mail', group: 'reports', changes: [] },
  ]);
  const again = await world.ask('POST', '/api/v1/apply', options);
  assert.deepEqual([again.json.added, again.json.unchanged], [0, 2]);
  const body = { group: 'reports', jobs: { daily: { cron: '0 8 * * *', command: 'make report' } } };
  const follower = { mail: { cron: '@manual', command: 'x', after: ['daily'] } };
  const gap = { body: { group: 'reports', jobs: follower } };
  const refused = await world.ask('POST', '/api/v1/plan?prune=true', gap);
  assert.equal(refused.status, 422, 'what a kept job follows cannot go');
  assert.match(refused.json.errors[0].message, /would be removed/);
  const both = { ...body.jobs, mail: { cron: '@manual', command: 'x', after: ['daily:end'] } };
  const edit = await world.ask('POST', '/api/v1/apply', { body: { ...body, jobs: both } });
  assert.deepEqual(
    edit.json.plan.map(({ changes }: { changes: string[] }) => changes),
    [
      ['cron', 'timeout'],
      ['command', 'after'],
    ],
  );
  assert.deepEqual(edit.json.plan[0].diff, [
    { field: 'cron', before: '0 9 * * *', after: '0 8 * * *' },
    { field: 'timeout', before: '1h', after: null },
  ]);
  const none = { group: 'reports', jobs: {} };
  const pruned = await world.ask('POST', '/api/v1/apply?prune=true', { body: none });
  assert.deepEqual([pruned.status, pruned.json.removed], [200, 2], pruned.text);
  const jobs = pruned.json.plan.map(({ job }: { job: string }) => job);
  assert.deepEqual(jobs, ['mail', 'daily'], 'followers go first');
});

test('a plan that is named is applied only while it is still that plan', async (t) => {
  const world = await makeApiWorld(t);
  const file = { text: yaml, type: 'application/yaml' };
  const tagOf = async (query = '') => {
    const { headers } = await world.ask('POST', `/api/v1/plan${query}`, file);
    return headers.get('etag') ?? '';
  };
  const apply = (tag: string, text = yaml) =>
    world.ask('POST', '/api/v1/apply', { ...file, text, headers: { 'if-match': tag } });
  const first = await tagOf();
  assert.match(first, /^"[\w-]{43}"$/);
  assert.deepEqual([await tagOf(), (await tagOf('?prune=true')) === first], [first, false]);
  const other = await apply(first, yaml.replace('make report', 'make other'));
  assert.deepEqual([other.status, other.json.code], [412, 'revision_changed'], other.text);
  assert.equal((await apply(first)).status, 200);
  const late = await apply(first);
  assert.deepEqual([late.status, late.json.code], [412, 'revision_changed'], late.text);
});

test('what changes after the plan was looked at again is noticed under the lock', async (t) => {
  const scope = lastFirst(t);
  const world = await makeApiWorld(scope);
  const file = { text: yaml, type: 'application/yaml' };
  await world.ask('POST', '/api/v1/apply', file);
  const text = yaml.replace('make report', 'make other');
  const planned = await world.ask('POST', '/api/v1/plan', { ...file, text });
  const headers = { 'if-match': planned.headers.get('etag') ?? '' };
  const outsider = await mysql.createConnection(world.url);
  scope.after(() => outsider.end());
  await outsider.query('START TRANSACTION');
  await outsider.query("UPDATE note SET note_value = note_value + 1 WHERE note_name = 'writing'");
  const answer = world.ask('POST', '/api/v1/apply', { ...file, text, headers });
  const waiting = "SELECT 1 FROM information_schema.processlist WHERE info LIKE '%writeJobs gate%'";
  await until('the file is about to be written', async () => {
    const found = await world.rows(`${waiting} AND id <> CONNECTION_ID()`);
    return found.length > 0;
  });
  const edit = { body: { description: 'Changed meanwhile' }, headers: { 'if-match': '*' } };
  assert.equal((await world.ask('PATCH', '/api/v1/jobs/daily', edit)).status, 200);
  await outsider.query('ROLLBACK');
  const { json, status } = await answer;
  assert.deepEqual([status, json.code], [412, 'revision_changed']);
  const { fields } = (await world.ask('GET', '/api/v1/jobs/daily')).json;
  assert.deepEqual([fields.command, fields.description], ['make report', 'Changed meanwhile']);
});

test('every fault of a file is told with its line, and nothing of it is done', async (t) => {
  const world = await makeApiWorld(t);
  const text = `jobs:
  a:
    cron: '61 * * * *'
    command: x
  b:
    cron: '* * * 13 *'
    comand: x
    umask: '99'
  c: !!js/function 'function () { return 1 }'
`;
  const answer = await world.ask('POST', '/api/v1/apply', { text, type: 'application/yaml' });
  assert.deepEqual([answer.status, answer.json.code], [422, 'bad_file']);
  const fields = answer.json.errors.map(({ field }: { field: string }) => field);
  for (const each of ['3 "a"', '6 "b"', '7 "b"', '8 "b"', '9 "c"']) {
    assert.ok(fields.includes(`line ${each}`), `${each}: ${answer.text}`);
  }
  const twoOfOne = { jobs: { d: { cron: '61 * * * *', command: 'x', timezone: 'Mars/Phobos' } } };
  const both = await world.ask('POST', '/api/v1/plan', { body: twoOfOne });
  const told = both.json.errors.map(({ message }: { message: string }) => message.split(':')[0]);
  assert.deepEqual(told.sort(), ['cron', 'timezone'], both.text);
  const bombs = [
    '['.repeat(250_000),
    `jobs: ${'{a: '.repeat(60_000)}`,
    '- '.repeat(120_000),
    `${'? '.repeat(120_000)}x`,
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\njobs: {j: {cron: *b}}`,
    '{"jobs":'.repeat(20_000),
    'jobs: 5',
    '',
  ];
  for (const bomb of bombs) {
    const refused = await world.ask('POST', '/api/v1/plan', {
      text: bomb,
      type: 'application/yaml',
    });
    assert.ok([200, 422].includes(refused.status), `${bomb.slice(0, 20)}: ${refused.text}`);
  }
  assert.deepEqual((await world.ask('GET', '/api/v1/jobs')).json.items, []);
  assert.deepEqual(world.troubles, []);
});

test('a schedule is previewed, with what the clock does, and what is wrong is named', async (t) => {
  const world = await makeApiWorld(t);
  const ask = (body: object) => world.ask('POST', '/api/v1/schedule/preview', { body });
  const from = '2030-03-29T00:00:00Z';
  const inTokyo = { zones: ['Asia/Tokyo', 'UTC'] };
  const berlin = { cron: '30 2 * * *', timezone: 'Europe/Berlin', from, count: 3 };
  const one = await ask({ ...berlin, ...inTokyo });
  assert.equal(one.status, 200, one.text);
  const next = ['2030-03-29T01:30:00.000Z', '2030-03-30T01:30:00.000Z', '2030-03-31T01:00:00.000Z'];
  const zones = [
    ['Europe/Berlin', '2030-03-29T02:30:00+01:00'],
    ['Asia/Tokyo', '2030-03-29T10:30:00+09:00'],
    ['UTC', '2030-03-29T01:30:00+00:00'],
  ];
  const { zones: shown, ...rest } = one.json;
  const sentence = 'At 02:30 (Europe/Berlin)';
  assert.deepEqual(rest, { next, marks: { [next[2] ?? '']: 'shifted' }, sentence });
  const first = ({ timezone, next: [tick] }: { timezone: string; next: string[] }) => [
    timezone,
    tick,
  ];
  assert.deepEqual(shown.map(first), zones);
  const many = await ask({ cron: ['@hourly', '30 * * * *'], from, count: 12 });
  assert.equal(many.json.next.length, 12);
  assert.equal(many.json.next[11], '2030-03-29T06:00:00.000Z');
  const rows: [object, string][] = [
    [{ cron: '61 * * * *' }, 'cron'],
    [{ cron: ['@daily', 'nonsense'] }, 'cron'],
    [{ cron: '@daily', timezone: 'Mars/Phobos' }, 'timezone'],
    [{ cron: '61 * * * *', timezone: 'Mars/Phobos', notAfter: '2' }, 'timezone cron notAfter'],
    [{ cron: '@daily', exclude: ['never'] }, 'exclude'],
    [{ cron: '@daily', notBefore: '2030' }, 'notBefore'],
    [{ cron: '@daily', count: 1_001 }, 'count'],
    [{ cron: '@daily', zones: ['CET-1'] }, 'zones'],
    [{ cron: '@daily', zones: ['UTC', 'UTC', 'UTC', 'UTC'] }, 'zones'],
    [{ cron: '*,-/'.repeat(60_000) }, 'cron'],
  ];
  for (const [body, wanted] of rows) {
    const { json, status } = await ask(body);
    const fields = json.errors?.map(({ field }: { field: string }) => field).join(' ');
    assert.deepEqual([status, fields], [422, wanted], JSON.stringify(body).slice(0, 99));
  }
});
