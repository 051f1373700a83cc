import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileScope } from '../../../support/testEngine.ts';
import { askRaw } from '../../world/askRaw.ts';
import { makeWholeApi } from '../../world/wholeApi.ts';

const world = await makeWholeApi(fileScope);
const admin = (await world.token('admin')).secret;
const ours = (await world.token('operator', { groups: ['ours'] })).secret;
const theirs = (await world.token('operator', { groups: ['theirs'] })).secret;

async function ask(token: string, method: string, path: string, body?: unknown) {
  const headers = { 'content-type': 'application/json', 'if-match': '*' };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return askRaw(world.origin, { method, path, token, headers, body: text });
}

async function addJob(name: string, group: string, more: object = {}): Promise<void> {
  const words = { name, group, cron: '0 0 1 1 *', command: 'true', ...more };
  const { status, text } = await ask(admin, 'POST', '/api/v1/jobs', words);
  assert.equal(status, 201, text);
}

await addJob('known to ours', 'ours');
await addJob('known to theirs', 'theirs');

test('XXL-JOB CVE-2023-48089: blanks behind a name lead to no job of another group', async () => {
  const range = { from: '2026-01-01T00:00:00Z', to: '2028-01-02T00:00:00Z', dryRun: true };
  const asked = [
    ['GET', '', undefined],
    ['DELETE', '', undefined],
    ['PATCH', '', { timeout: '1s' }],
    ['GET', '/why', undefined],
    ['GET', '/chain', undefined],
    ['GET', '/next', undefined],
    ['GET', '/revisions', undefined],
    ['GET', '/revisions/1', undefined],
    ['POST', '/resume', {}],
    ['POST', '/pause', {}],
    ['POST', '/go-live', {}],
    ['POST', '/run', {}],
    ['POST', '/skip-next', {}],
    ['POST', '/rollback', { revision: 1 }],
    ['POST', '/backfill', range],
  ] as const;
  for (const name of ['known to theirs', 'known to theirs ', 'known to theirs   ', 'nobody']) {
    for (const [method, path, body] of asked) {
      const target = `/api/v1/jobs/${encodeURIComponent(name)}${path}`;
      const { json, status, text } = await ask(ours, method, target, body);
      assert.deepEqual([status, json.code], [404, 'job_missing'], `${method} ${target}: ${text}`);
    }
    const mute = `/api/v1/notify/mutes/job/${encodeURIComponent(name)}`;
    for (const [method, body] of [['PUT', { until: '1h' }] as const, ['DELETE'] as const]) {
      const { json, status, text } = await ask(ours, method, mute, body);
      assert.deepEqual([status, json.code], [404, 'job_missing'], `${method} ${mute}: ${text}`);
    }
  }
});

test("another group's run under the same request id hides none of one's own", async () => {
  const id = 'the-same-id';
  for (const [token, job] of [
    [ours, 'known to ours'],
    [theirs, 'known to theirs'],
    [ours, 'known to ours'],
  ] as const) {
    await ask(token, 'POST', `/api/v1/jobs/${encodeURIComponent(job)}/run`, { requestId: id });
    const { json, text } = await ask(token, 'GET', `/api/v1/runs/${id}`);
    assert.equal(json.job, job, text);
  }
  const stopped = await ask(theirs, 'POST', `/api/v1/runs/${id}/stop`, {});
  assert.deepEqual([stopped.status, stopped.json.withdrawn], [200, 1], stopped.text);
  assert.equal((await ask(ours, 'GET', `/api/v1/runs/${id}`)).json.result, null);
});

test('a request takes no number for its id: numbers name runs, whosever they are', async () => {
  const path = '/api/v1/jobs/known%20to%20theirs/run';
  const { status, text } = await ask(theirs, 'POST', path, { requestId: '1' });
  assert.equal(status, 422, text);
});

test('chains across groups tell nobody the name of a job that is not its own', async () => {
  await addJob('first', 'ours');
  await addJob('hidden', 'theirs', { after: ['first'] });
  await addJob('last', 'ours');
  const last = await ask(admin, 'PATCH', '/api/v1/jobs/last', { after: ['hidden'] });
  assert.equal(last.status, 200, last.text);
  const removed = await ask(ours, 'DELETE', '/api/v1/jobs/first');
  assert.equal(removed.json.code, 'job_followed', removed.text);
  const circle = await ask(ours, 'PATCH', '/api/v1/jobs/first', { after: ['last'] });
  assert.equal(circle.json.code, 'chain_cycle', circle.text);
  for (const { text } of [removed, circle]) assert.ok(!text.includes('hidden'), text);
  assert.match(circle.json.detail, /"first" → a job of another group → "last" → "first"/);
  const told = await ask(admin, 'DELETE', '/api/v1/jobs/first');
  assert.match(told.json.detail, /"hidden"/);
});

test('no rollback makes a job follow one of another group', async () => {
  await addJob('rolled', 'ours', { after: ['known to theirs'] });
  const why = await ask(ours, 'GET', '/api/v1/jobs/rolled/why');
  assert.equal(why.status, 200, why.text);
  assert.ok(!why.text.includes('known to theirs'), why.text);
  assert.match(why.text, /It follows jobs of other groups/);
  const alone = await ask(ours, 'PATCH', '/api/v1/jobs/rolled', { after: null });
  assert.equal(alone.status, 200, alone.text);
  const back = await ask(ours, 'POST', '/api/v1/jobs/rolled/rollback', { revision: 1 });
  assert.deepEqual([back.status, back.json.code], [422, 'upstream_missing'], back.text);
  const admins = await ask(admin, 'POST', '/api/v1/jobs/rolled/rollback', { revision: 1 });
  assert.equal(admins.status, 200, admins.text);
});

test('log injection: no token has a name that breaks a line, or is over at once', async () => {
  for (const name of ['a\r\nb', 'a\u001b]52;c;eA==\u0007', 'a\ud800']) {
    const { status, text } = await ask(admin, 'POST', '/api/v1/tokens', { name, role: 'viewer' });
    assert.equal(status, 422, text);
  }
  const expires = '2001-01-01T00:00:00Z';
  const over = await ask(admin, 'POST', '/api/v1/tokens', { name: 'x', role: 'viewer', expires });
  assert.deepEqual([over.status, over.json.errors?.[0]?.field], [422, 'expires'], over.text);
});
