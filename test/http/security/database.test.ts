import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileScope } from '../../support/testEngine.ts';
import { askRaw } from '../world/askRaw.ts';
import { tableChecksums } from '../world/tableChecksums.ts';
import { makeWholeApi } from '../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const { origin } = world;
const token = (await world.token('admin')).secret;

function ask(method: string, path: string, body?: unknown) {
  const headers: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json', 'if-match': '*' };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return askRaw(origin, { method, path, token, headers, body: text });
}

const words = { cron: '@daily', command: 'true' };
const names = ["'; DROP TABLE job; --", '100%', 'a_b', 'aXb', 'back\\slash', "it's", '`tick`'];
for (const name of names) {
  const { status, text } = await ask('POST', '/api/v1/jobs', { name, ...words });
  assert.equal(status, 201, text);
}

test('SQL in a name, a search or a sort is a text like any other', async () => {
  const before = await tableChecksums(world);
  const found = async (query: string): Promise<string[]> => {
    const { json, status, text } = await ask('GET', `/api/v1/jobs?${query}`);
    assert.equal(status, 200, text);
    return (json.items as { job: string }[]).map((item) => item.job).sort();
  };
  for (const name of names) {
    const text = encodeURIComponent(name);
    assert.deepEqual(await found(`name=${text}`), [name]);
    assert.deepEqual(await found(`text=${text}`), [name], 'a wildcard is none');
    assert.deepEqual(await found(`prefix=${text}`), [name], 'a wildcard is none');
    assert.equal((await ask('GET', `/api/v1/jobs/${text}`)).json.job, name);
  }
  assert.deepEqual(await found('text=%25'), ['100%']);
  assert.deepEqual(await found('text=_'), ['a_b']);
  assert.deepEqual(await found('text=%5C'), ['back\\slash']);
  const injected = encodeURIComponent("' OR '1'='1");
  const ways = ['name', 'group', 'tag', 'text', 'prefix'].map((key) => `${key}=${injected}`);
  for (const query of ways) assert.deepEqual(await found(query), [], query);
  for (const sort of ['name; DROP TABLE job', 'job_id', '(SELECT 1)', '-name,created', '']) {
    const { status } = await ask('GET', `/api/v1/jobs?sort=${encodeURIComponent(sort)}`);
    assert.equal(status, 422, sort);
  }
  for (const path of ['/api/v1/runs?job=', '/api/v1/audit?target=', '/api/v1/audit?actor=']) {
    const { json, status } = await ask('GET', `${path}${injected}`);
    assert.deepEqual([status, json.items], [200, []], path);
  }
  for (const after of ["1' OR 1=1", '1e9', '-1', '0x10', ' 1', '1;']) {
    const at = encodeURIComponent(after);
    assert.equal((await ask('GET', `/api/v1/audit?after=${at}`)).status, 422, after);
    assert.equal((await ask('GET', `/api/v1/runs?after=${at}`)).status, 422, after);
  }
  assert.deepEqual(await tableChecksums(world), before);
});

test('an object or a list where a text is wanted never gets to the driver', async () => {
  const before = await tableChecksums(world);
  const odd = [{ name: 'x' }, { toSqlString: 'x' }, ['a', 'b'], 1, true, null];
  for (const value of odd) {
    const bodies = [
      { ...words, name: value },
      { name: 'x', ...words, command: value },
      { name: 'x', ...words, env: { A: value } },
      { name: 'x', ...words, group: value },
    ];
    for (const body of bodies) {
      const { status, text } = await ask('POST', '/api/v1/jobs', body);
      assert.ok(status === 422 || status === 400, `${JSON.stringify(body)}: ${status} ${text}`);
    }
    const token = await ask('POST', '/api/v1/tokens', { name: value, role: 'viewer' });
    assert.equal(token.status, 422, token.text);
  }
  for (const query of [
    'name[a]=1',
    'text[]=1',
    'limit[gt]=0',
    'limit=1&limit=2',
    'sort=name&sort=x',
  ]) {
    const { status, text } = await ask('GET', `/api/v1/jobs?${query}`);
    assert.equal(status, 422, `${query}: ${text}`);
  }
  assert.deepEqual(await tableChecksums(world), before);
});

test('the connections of a node take one statement at a time, and send no file', async () => {
  await assert.rejects(world.rows('SELECT 1; SELECT 2'), /syntax/i);
  await assert.rejects(
    world.rows("LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE note"),
    (error: Error) => !/Duplicate|Incorrect|doesn't have/.test(error.message),
  );
});
