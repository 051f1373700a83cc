import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeApiWorld } from '../world/apiWorld.ts';

const job = { name: 'job', cron: '0 * * * *', command: 'echo hello' };

test('a pause holds until it is ended, or for the time that was asked for', async (t) => {
  const world = await makeApiWorld(t);
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const paused = await world.ask('POST', '/api/v1/jobs/job/pause');
  assert.deepEqual([paused.status, paused.json.changed, paused.json.revision], [200, true, 2]);
  const read = await world.ask('GET', '/api/v1/jobs/job');
  assert.deepEqual([read.json.paused, read.json.resumeAt, read.json.next], [true, null, []]);
  const resumed = await world.ask('POST', '/api/v1/jobs/job/resume');
  assert.equal(resumed.json.changed, true);
  const until = '2090-01-01T00:00:00Z';
  await world.ask('POST', '/api/v1/jobs/job/pause', { body: { until } });
  const held = await world.ask('GET', '/api/v1/jobs/job');
  assert.equal(held.json.resumeAt, '2090-01-01T00:00:00.000Z');
  const ticks = await world.ask('GET', '/api/v1/jobs/job/next?count=2');
  const afterIt = ['2090-01-01T01:00:00.000Z', '2090-01-01T02:00:00.000Z'];
  assert.deepEqual(ticks.json.next, afterIt);
  for (const bad of ['soon', '-5m', '2090-01-01', '2020-01-01T00:00:00Z', 7, null]) {
    const answer = await world.ask('POST', '/api/v1/jobs/job/pause', { body: { until: bad } });
    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.json.errors[0].field, 'until');
  }
});

test('a pause of a paused job with another note takes the place of the first', async (t) => {
  const world = await makeApiWorld(t);
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const pause = async (body: object) =>
    (await world.ask('POST', '/api/v1/jobs/job/pause', { body })).json;
  await pause({ note: 'new disk' });
  const body = { note: 'still no disk', until: '2090-01-01T00:00:00Z' };
  const second = await pause(body);
  assert.deepEqual([second.changed, second.revision], [true, 3]);
  const { pause: held } = (await world.ask('GET', '/api/v1/jobs/job')).json;
  assert.deepEqual([held.note, held.until], ['still no disk', '2090-01-01T00:00:00.000Z']);
  const again = await pause(body);
  assert.deepEqual([again.changed, again.revision], [false, 3]);
  const { items } = (await world.ask('GET', '/api/v1/audit?target=job')).json;
  const told = items.map(({ after }: { after: { reason?: string } }) => after.reason);
  assert.match(`${told}`, /still no disk,paused by .*: new disk/);
});

test('a run is asked for once under one request id or one idempotency key', async (t) => {
  const world = await makeApiWorld(t);
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const path = '/api/v1/jobs/job/run';
  const first = await world.ask('POST', path, { body: { requestId: 'mine' } });
  assert.deepEqual([first.status, first.json.isNew], [202, true]);
  assert.equal(first.headers.get('location'), '/api/v1/runs/mine');
  const second = await world.ask('POST', path, { body: { requestId: 'mine' } });
  assert.deepEqual([second.status, second.json.isNew], [202, false]);
  const headers = { 'idempotency-key': 'a key of 3 words'.replaceAll(' ', '_') };
  const [one, two] = [
    await world.ask('POST', path, { headers }),
    await world.ask('POST', path, { headers }),
  ];
  assert.equal(one.status, 202, one.text);
  assert.deepEqual(two.json, one.json);
  assert.equal(two.headers.get('idempotency-replayed'), 'true');
  const other = await world.ask('POST', path);
  assert.notEqual(other.json.requestId, one.json.requestId);
  const rows = await world.rows('SELECT request_id FROM pending ORDER BY request_id');
  assert.equal(rows.length, 3);
  const waiting = await world.ask('GET', '/api/v1/runs/mine');
  assert.deepEqual([waiting.json.job, waiting.json.trigger], ['job', 'manual']);
  assert.deepEqual([waiting.json.result, waiting.json.launchId], [null, null]);
});

test('what a run is asked for with is checked as a job is', async (t) => {
  const world = await makeApiWorld(t);
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const rows: [object, number, string][] = [
    [{ env: { 'A-B': 'x' } }, 422, 'bad_env'],
    [{ env: { STATECRON_X: 'x' } }, 422, 'bad_env'],
    [{ node: 'nobody' }, 409, 'node_away'],
    [{ requestId: 'chain:1' }, 422, 'invalid'],
    [{ requestId: '../../etc' }, 422, 'invalid'],
    [{ uid: 0 }, 422, 'invalid'],
    [{ requestID: 'x' }, 422, 'invalid'],
  ];
  for (const [body, status, code] of rows) {
    const answer = await world.ask('POST', '/api/v1/jobs/job/run', { body });
    assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(body));
  }
  const [row] = await world.rows('SELECT COUNT(*) AS pending FROM pending');
  assert.equal(row?.pending, 0);
});

test('skipped ticks are told, and are passed by the schedule', async (t) => {
  const world = await makeApiWorld(t);
  // No tick comes between the look and the skip.
  await world.ask('POST', '/api/v1/jobs', { body: { ...job, cron: '0 0 1 1 *' } });
  const { json: before } = await world.ask('GET', '/api/v1/jobs/job/next?count=4');
  const skipped = await world.ask('POST', '/api/v1/jobs/job/skip-next', { body: { count: 2 } });
  assert.equal(skipped.status, 200, skipped.text);
  assert.deepEqual(skipped.json.skipped, [
    { nodeName: '', ticks: before.next.slice(0, 2), next: before.next[2] },
  ]);
  const { json } = await world.ask('GET', '/api/v1/runs?job=job');
  assert.deepEqual([json.items[0].result, json.items[0].ticks], ['skipped', 2]);
  for (const count of [0, 1_001, 1.5, '2']) {
    const answer = await world.ask('POST', '/api/v1/jobs/job/skip-next', { body: { count } });
    assert.equal(answer.status, 422);
  }
});

test('a backfill asks for each tick once, not too many, and a dry one for none', async (t) => {
  const world = await makeApiWorld(t);
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const path = '/api/v1/jobs/job/backfill';
  const range = { from: '2020-01-01T00:00:00Z', to: '2020-01-01T03:30:00+01:00' };
  const dry = await world.ask('POST', path, { body: { ...range, dryRun: true } });
  assert.equal(dry.status, 202, dry.text);
  assert.deepEqual(dry.json.ticks, [
    '2020-01-01T00:00:00.000Z',
    '2020-01-01T01:00:00.000Z',
    '2020-01-01T02:00:00.000Z',
  ]);
  const count = async () => (await world.rows('SELECT COUNT(*) AS n FROM pending'))[0]?.n;
  assert.equal(await count(), 0);
  await world.ask('POST', path, { body: range });
  const again = await world.ask('POST', path, { body: range });
  assert.deepEqual([again.json.added, again.json.ticks.length], [[], 3]);
  assert.equal(await count(), 3);
  const many = await world.ask('POST', path, { body: { ...range, max: 2 } });
  assert.deepEqual([many.status, many.json.code], [422, 'too_many_ticks']);
  const turned = await world.ask('POST', path, { body: { from: range.to, to: range.from } });
  assert.equal(turned.json.errors[0].field, 'to');
  const ahead = await world.ask('POST', path, { body: { ...range, to: '2130-01-01T00:00:00Z' } });
  assert.deepEqual([ahead.status, ahead.json.code], [422, 'backfill_future']);
  assert.equal(ahead.json.errors[0].field, 'to');
  const vague = await world.ask('POST', path, { body: { ...range, from: '2020-01-01' } });
  assert.equal(vague.json.errors[0].field, 'from');
});

test('revisions are listed, compared and gone back to', async (t) => {
  const world = await makeApiWorld(t);
  await world.ask('POST', '/api/v1/jobs', { body: job });
  const headers = { 'if-match': '*' };
  const edit = { command: 'echo two', timeout: '5m' };
  await world.ask('PATCH', '/api/v1/jobs/job', { body: edit, headers });
  await world.ask('POST', '/api/v1/jobs/job/pause');
  const list = await world.ask('GET', '/api/v1/jobs/job/revisions?limit=2');
  const numbers = list.json.items.map(({ revision }: { revision: number }) => revision);
  assert.deepEqual([numbers, list.json.next], [[3, 2], '2']);
  const rest = await world.ask('GET', '/api/v1/jobs/job/revisions?limit=2&after=2');
  assert.deepEqual([rest.json.items[0].revision, rest.json.next], [1, null]);
  const diff = await world.ask('GET', '/api/v1/jobs/job/revisions/2/diff');
  assert.deepEqual(diff.json.changes, [
    { field: 'command', before: 'echo hello', after: 'echo two' },
    { field: 'timeout', before: null, after: '5m' },
  ]);
  const third = await world.ask('GET', '/api/v1/jobs/job/revisions/3/diff?from=1');
  assert.deepEqual(third.json.paused, { before: false, after: true });
  const stale = { body: { revision: 1 }, headers: { 'if-match': '"0-0"' } };
  assert.equal((await world.ask('POST', '/api/v1/jobs/job/rollback', stale)).status, 412);
  const back = await world.ask('POST', '/api/v1/jobs/job/rollback', { body: { revision: 1 } });
  assert.deepEqual([back.status, back.json.revision], [200, 4]);
  const read = await world.ask('GET', '/api/v1/jobs/job');
  assert.deepEqual(read.json.fields, { cron: ['0 * * * *'], command: 'echo hello' });
  assert.equal(read.json.paused, true);
  const missing = await world.ask('POST', '/api/v1/jobs/job/rollback', { body: { revision: 9 } });
  assert.deepEqual([missing.status, missing.json.code], [404, 'revision_missing']);
  assert.deepEqual(world.troubles, []);
});

test('a list is asked for in words that it knows, and goes on where its link leads', async (t) => {
  const world = await makeApiWorld(t);
  for (const name of ['a', 'b', 'c']) {
    await world.ask('POST', '/api/v1/jobs', { body: { ...job, name, tag: [name, 'x'] } });
  }
  const namesOf = (items: { job: string }[]) => items.map((item) => item.job);
  const rows: [string, string[]][] = [
    ['', ['a', 'b', 'c']],
    ['?sort=-created', ['c', 'b', 'a']],
    ['?tag=x&tag=b', ['b']],
    ['?name=a&name=c&name=z', ['a', 'c']],
    ['?paused=true', []],
    ['?group=default&paused=false&text=b', ['b']],
  ];
  for (const [query, names] of rows) {
    const { json, text } = await world.ask('GET', `/api/v1/jobs${query}`);
    assert.deepEqual(namesOf(json.items), names, text);
  }
  const page = await world.ask('GET', '/api/v1/jobs?limit=2&full=true&tag=x');
  assert.deepEqual(page.json.items[1].definition.tags, ['b', 'x']);
  const link = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  assert.deepEqual(namesOf((await world.ask('GET', link)).json.items), ['c']);
  for (const query of ['limit=0', 'limit=501', 'limit=1e2', 'sort=command', 'x=1', 'paused=1']) {
    const answer = await world.ask('GET', `/api/v1/jobs?${query}`);
    assert.equal(answer.status, 422, query);
    assert.equal(answer.json.errors[0].field, query.split('=')[0], query);
  }
});
