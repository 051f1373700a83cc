import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiWorld, makeApiWorld } from '../world/apiWorld.ts';

const hourly = { cron: '0 * * * *', command: 'echo hello' };

async function add(world: ApiWorld, name: string, words: object = {}): Promise<string> {
  const answer = await world.ask('POST', '/api/v1/jobs', { body: { name, ...hourly, ...words } });
  assert.equal(answer.status, 201, answer.text);
  return answer.headers.get('etag') ?? '';
}

test('an added job is read back in the same words, with the tag of its revision', async (t) => {
  const world = await makeApiWorld(t);
  const words = {
    ...{ cron: ['0 9 * * *', '@every 90s'], command: 'true', timezone: 'Europe/Berlin' },
    ...{ env: { A: '1', B: 'x y' }, timeout: '1h30m', outputMax: '128KiB', retries: 3 },
    ...{ retryJitter: false, retryOn: ['failure'], overlap: 'queue', onLabel: ['gpu'] },
    ...{ group: 'reports', tag: ['a', 'b'], stdin: 'false', umask: '027' },
  };
  const added = await world.ask('POST', '/api/v1/jobs', { body: { name: 'a b/ü', ...words } });
  assert.equal(added.status, 201, added.text);
  assert.equal(added.json.timezone, 'Europe/Berlin');
  const path = added.headers.get('location') ?? '';
  assert.equal(path, '/api/v1/jobs/a%20b%2F%C3%BC');
  const read = await world.ask('GET', path);
  assert.equal(read.status, 200, read.text);
  assert.deepEqual(read.json.fields, words);
  assert.equal(read.json.job, 'a b/ü');
  assert.equal(read.json.next.length, 5);
  assert.equal(read.headers.get('etag'), added.headers.get('etag'));
  assert.match(added.headers.get('etag') ?? '', /^"\d+-1"$/);
});

test('words that are wrong are named, every one of them', async (t) => {
  const world = await makeApiWorld(t);
  const rows: [object, string[]][] = [
    [{}, ['cron', 'command']],
    [{ ...hourly, colour: 'red' }, ['colour']],
    [{ ...hourly, env: { '1X': 'a' } }, ['env']],
    [{ ...hourly, timeout: '5 apples', splay: 'x' }, ['timeout', 'splay']],
    [{ ...hourly, retries: 101, nice: 50 }, ['retries', 'nice']],
    [{ ...hourly, overlap: 'sometimes' }, ['overlap']],
    [{ ...hourly, retryDelay: '5s' }, ['retries']],
    [{ ...hourly, cron: '61 * * * *' }, ['cron']],
    [{ ...hourly, timezone: 'Mars/Phobos' }, ['timezone']],
    [{ ...hourly, cron: '61 8 * * *', timezone: 'Mars/Phobos' }, ['timezone', 'cron']],
    [
      {
        ...hourly,
        cron: '61 * * * *',
        timezone: 'x',
        exclude: ['x'],
        parallel: 2,
        overlap: 'queue',
      },
      ['cron', 'timezone', 'exclude', 'parallel'],
    ],
    [{ ...hourly, cron: 5 }, ['cron']],
    [{ ...hourly, command: ' ' }, ['command']],
    [{ ...hourly, parallel: 2, overlap: 'queue', tag: ['a b'] }, ['parallel', 'tag']],
    [{ ...hourly, user: 'a b', umask: '99', cwd: 'x' }, ['cwd', 'user', 'umask']],
    [{ ...hourly, after: ['nothing'] }, ['after']],
  ];
  for (const [words, fields] of rows) {
    const answer = await world.ask('POST', '/api/v1/jobs', { body: { name: 'bad', ...words } });
    assert.equal(answer.status, 422, `${JSON.stringify(words)}: ${answer.text}`);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
    const named = (answer.json.errors as { field: string }[]).map(({ field }) => field);
    assert.deepEqual(named.sort(), [...fields].sort(), answer.text);
    // Flags are the command line's: it writes them itself.
    assert.doesNotMatch(`${answer.json.detail} ${answer.json.hint}`, /--[a-z]/);
  }
  const { json } = await world.ask('GET', '/api/v1/jobs');
  assert.deepEqual(json.items, []);
  const mistyped = await world.ask('PATCH', '/api/v1/jobs/bad', { body: { timout: '5s', x: 1 } });
  assert.deepEqual(mistyped.json.errors, [
    { field: 'timout', message: 'There is no such field. Did you mean "timeout"?' },
    { field: 'x', message: 'There is no such field' },
  ]);
  const query = await world.ask('GET', '/api/v1/runs?rseult=failed');
  assert.match(query.json.detail, /query is not valid: rseult: .* Did you mean "result"\?$/);
});

test('a change needs the revision that was read, and is refused on any other', async (t) => {
  const world = await makeApiWorld(t);
  const tag = await add(world, 'job');
  const path = '/api/v1/jobs/job';
  const body = { ...hourly, command: 'echo two' };
  const without = await world.ask('PUT', path, { body });
  assert.deepEqual([without.status, without.json.code], [428, 'if_match_missing']);
  for (const old of ['"1-9"', `W/${tag}`, '"nonsense"', '']) {
    const headers = { 'if-match': old };
    const refused = await world.ask('PUT', path, { body, headers });
    assert.equal(refused.status, old === '' ? 428 : 412, `${old}: ${refused.text}`);
  }
  const done = await world.ask('PUT', path, { body, headers: { 'if-match': `"x", ${tag}` } });
  assert.equal(done.status, 200, done.text);
  assert.deepEqual([done.json.changed, done.json.revision], [true, 2]);
  const again = await world.ask('PUT', path, { body, headers: { 'if-match': tag } });
  assert.deepEqual([again.status, again.json.code], [412, 'revision_changed']);
  const fresh = done.headers.get('etag') ?? '';
  const same = await world.ask('PUT', path, { body, headers: { 'if-match': fresh } });
  assert.deepEqual([same.status, same.json.changed, same.json.revision], [200, false, 2]);
  const any = await world.ask('PUT', path, { body: hourly, headers: { 'if-match': '*' } });
  assert.deepEqual([any.status, any.json.revision], [200, 3]);
});

test('of ten writers that read one revision one wins, and nine are told 412', async (t) => {
  const world = await makeApiWorld(t);
  const tag = await add(world, 'job');
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      world.ask('PATCH', '/api/v1/jobs/job', {
        ...{ body: { command: `echo ${index}` }, headers: { 'if-match': tag } },
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array.from({ length: 9 }, () => 412)]);
});

test('a replaced job is what its words say and no more; a merged one keeps the rest', async (t) => {
  const world = await makeApiWorld(t);
  const words = {
    env: { A: '1', B: '2' },
    retries: 2,
    retryDelay: '1m',
    group: 'g',
    timeout: '5m',
  };
  await add(world, 'job', { ...words, origin: 'web1:/etc/crontab' });
  const path = '/api/v1/jobs/job';
  const headers = { 'if-match': '*' };
  const patch = { env: { A: null, C: '3' }, retryDelay: null, timeout: null, tag: ['x'] };
  const merged = await world.ask('PATCH', path, { body: patch, headers });
  assert.equal(merged.status, 200, merged.text);
  const read = await world.ask('GET', path);
  assert.deepEqual(read.json.fields, {
    ...{ cron: ['0 * * * *'], command: 'echo hello', env: { B: '2', C: '3' } },
    ...{ retries: 2, group: 'g', tag: ['x'] },
  });
  const replaced = await world.ask('PUT', path, { body: { ...hourly, command: 'x' }, headers });
  assert.equal(replaced.status, 200, replaced.text);
  const { json } = await world.ask('GET', path);
  assert.deepEqual(json.fields, { cron: ['0 * * * *'], command: 'x' });
  assert.equal(json.definition.origin, 'web1:/etc/crontab');
  for (const body of [{ cron: null }, { command: null }, { name: 'other' }, { env: { A: 5 } }]) {
    const refused = await world.ask('PATCH', path, { body, headers });
    assert.equal(refused.status, 422, `${JSON.stringify(body)}: ${refused.text}`);
  }
});

test('a zone in the text of a new schedule wins over the one that the job had', async (t) => {
  const world = await makeApiWorld(t);
  await add(world, 'job', { timezone: 'Asia/Tokyo' });
  const headers = { 'if-match': '*' };
  const body = { cron: 'CRON_TZ=Europe/Paris 0 9 * * *' };
  const patched = await world.ask('PATCH', '/api/v1/jobs/job', { body, headers });
  assert.equal(patched.status, 200, patched.text);
  const { json } = await world.ask('GET', '/api/v1/jobs/job');
  assert.equal(json.definition.timezone, 'Europe/Paris');
});

test('a removed job is gone, its name is free, and a stale tag removes nothing', async (t) => {
  const world = await makeApiWorld(t);
  const tag = await add(world, 'job');
  const path = '/api/v1/jobs/job';
  const stale = await world.ask('DELETE', path, { headers: { 'if-match': '"0-0"' } });
  assert.equal(stale.status, 412);
  const gone = await world.ask('DELETE', path, { headers: { 'if-match': tag } });
  assert.equal(gone.status, 200, gone.text);
  for (const method of ['GET', 'DELETE']) {
    const answer = await world.ask(method, path);
    assert.deepEqual([answer.status, answer.json.code], [404, 'job_missing']);
  }
  const fresh = await add(world, 'job');
  assert.notEqual(fresh, tag);
});

test('every change of a job by the API has its row in the audit log', async (t) => {
  const world = await makeApiWorld(t);
  await add(world, 'job');
  const headers = { 'if-match': '*' };
  const fields = { command: 'x', timeout: '10m', retries: 2, retryDelay: '1m' };
  await world.ask('PATCH', '/api/v1/jobs/job', { body: fields, headers });
  await world.ask('POST', '/api/v1/jobs/job/pause');
  await world.ask('POST', '/api/v1/jobs/job/resume');
  await world.ask('POST', '/api/v1/jobs/job/run');
  await world.ask('DELETE', '/api/v1/jobs/job');
  const { json } = await world.ask('GET', '/api/v1/audit?target=job&limit=3');
  const rest = await world.ask('GET', `/api/v1/audit?target=job&after=${json.next}`);
  const actions = [...json.items, ...rest.json.items].map((row: { action: string }) => row.action);
  assert.deepEqual(actions, [
    ...['job.remove', 'job.run', 'job.resume'],
    ...['job.pause', 'job.edit', 'job.add'],
  ]);
  const [edit] = rest.json.items.filter((row: { action: string }) => row.action === 'job.edit');
  assert.equal(edit.before.definition.command, 'echo hello');
  assert.equal(edit.after.definition.command, 'x');
  assert.deepEqual(edit.changes, [
    { field: 'command', before: 'echo hello', after: 'x' },
    { field: 'retries', before: null, after: 2 },
    { field: 'retryDelay', before: null, after: '1m' },
    { field: 'timeout', before: null, after: '10m' },
  ]);
  assert.deepEqual([edit.via, edit.actor], ['api', 'admin-1']);
  assert.deepEqual(world.troubles, []);
});
