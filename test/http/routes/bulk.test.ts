import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeApiWorld } from '../world/apiWorld.ts';

const job = { cron: '0 * * * *', command: 'echo hello' };
const path = '/api/v1/bulk/jobs';

test('many jobs are changed by one request, in the groups of its token alone', async (t) => {
  const world = await makeApiWorld(t);
  for (const [name, group] of [['a1', 'a'] as const, ['a2', 'a'] as const, ['b1', 'b'] as const]) {
    await world.ask('POST', '/api/v1/jobs', { body: { ...job, name, group } });
  }
  const token = await world.token('operator', ['a']);
  const pause = { action: 'pause', filter: {} };
  const looked = await world.ask('POST', path, { token, body: { ...pause, dryRun: true } });
  assert.deepEqual([looked.status, looked.json.matched], [200, 2], looked.text);
  const unsaid = await world.ask('POST', path, { token, body: pause });
  assert.deepEqual([unsaid.json.dryRun, unsaid.json.jobs], [true, looked.json.jobs]);
  const theirs = { ...pause, filter: { group: ['b'] }, expected: 0 };
  const none = await world.ask('POST', path, { token, body: theirs });
  assert.deepEqual([none.json.matched, none.json.jobs], [0, []]);
  const wrong = await world.ask('POST', path, { token, body: { ...pause, expected: 3 } });
  assert.deepEqual([wrong.status, wrong.json.code], [409, 'count_differs']);
  assert.match(wrong.json.detail, /^2 jobs match, not 3\./);

  const headers = { 'idempotency-key': 'once' };
  const body = { ...pause, expected: 2, together: true, note: 'a move', until: '2h' };
  const paused = await world.ask('POST', path, { token, body, headers });
  assert.equal(paused.status, 200, paused.text);
  const again = await world.ask('POST', path, { token, body, headers });
  assert.deepEqual(again.json, paused.json);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  const { json } = await world.ask('GET', '/api/v1/jobs?paused=true');
  assert.deepEqual(
    json.items.map((each: { job: string }) => each.job),
    ['a1', 'a2'],
  );
  assert.ok(json.items[0].resumeAt);
  const run = { action: 'run', filter: { name: ['a1', 'b1'] }, expected: 2 };
  const ran = await world.ask('POST', path, { body: run });
  assert.ok(ran.json.requestId);
  const runs = await world.rows('SELECT 1 FROM pending WHERE request_id = ?', [ran.json.requestId]);
  assert.equal(runs.length, 2);
});

test('the jobs of one pause of many are listed and changed by its reason alone', async (t) => {
  const world = await makeApiWorld(t);
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await world.ask('POST', '/api/v1/jobs', { body: { ...job, name, group: name } });
  }
  const pause = { action: 'pause', expected: 2 };
  await world.ask('POST', path, { body: { ...pause, filter: { name: ['a', 'b'] }, note: '' } });
  const noted = { ...pause, filter: { name: ['c', 'd'] }, note: '50% of a move' };
  await world.ask('POST', path, { body: noted });
  const { pauses } = (await world.ask('GET', '/api/v1/cluster')).json;
  const found: string[][] = [];
  for (const { reason } of pauses) {
    for (const others of [{}, { state: 'paused' }]) {
      const query = new URLSearchParams({ reason, ...others });
      const { json } = await world.ask('GET', `/api/v1/jobs?${query}`);
      found.push(json.items.map(jobOf));
      const body = { action: 'resume', filter: { reason, ...others } };
      found.push((await world.ask('POST', path, { body })).json.jobs.map(jobOf).sort());
    }
  }
  const [first, second] = [
    ['a', 'b'],
    ['c', 'd'],
  ];
  assert.deepEqual(found, [first, first, first, first, second, second, second, second]);
  const token = await world.token('viewer', ['a', 'e']);
  const query = new URLSearchParams({ reason: pauses[0].reason });
  const { json } = await world.ask('GET', `/api/v1/jobs?${query}`, { token });
  assert.deepEqual(json.items.map(jobOf), ['a']);
});

const jobOf = (each: { readonly job: string }) => each.job;

test('what makes no sense of a change of many jobs is refused with its field', async (t) => {
  const world = await makeApiWorld(t);
  const rows: [object, string][] = [
    [{ action: 'remove', filter: {}, expected: 0, together: true }, 'together'],
    [{ action: 'pause', filter: { text: 'x' }, expected: 0, together: true }, 'together'],
    [{ action: 'resume', filter: {}, expected: 0, note: 'x' }, 'note'],
    [{ action: 'resume', filter: {}, expected: 0, until: '2h' }, 'until'],
    [{ action: 'pause', filter: {}, expected: 0, until: 'soon' }, 'until'],
    [{ action: 'pause', filter: {}, expected: 0, note: 'x'.repeat(81), together: true }, 'note'],
    [{ action: 'fire', filter: {}, expected: 0 }, 'action'],
    [{ action: 'run', filter: { lastResult: ['skipped'] }, expected: 0 }, 'filter.lastResult.0'],
  ];
  for (const [body, field] of rows) {
    const answer = await world.ask('POST', path, { body });
    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json.errors[0].field, field, answer.text);
  }
});
