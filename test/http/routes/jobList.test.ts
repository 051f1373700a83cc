import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeApiWorld } from '../world/apiWorld.ts';

test('a list shows states, last runs and statistics, and selects by them', async (t) => {
  const world = await makeApiWorld(t);
  for (const name of ['ends', 'fails', 'rests']) {
    const body = { name, cron: '@yearly', command: 'true', paused: name === 'rests' };
    assert.equal((await world.ask('POST', '/api/v1/jobs', { body })).status, 201);
  }
  await world.join('web1');
  await world.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
      started_at, ended_at, result)
    SELECT job_id, 1, 'schedule', 1, '2030-01-01', '2030-01-01', '2030-01-01 00:00:02.5',
      IF(name = 'ends', 'succeeded', 'failed') FROM job WHERE name <> 'rests'`);
  const list = async (query: string) => {
    const { status, json, text } = await world.ask('GET', `/api/v1/jobs?${query}`);
    assert.equal(status, 200, text);
    return json.items as Record<string, unknown>[];
  };
  const names = async (query: string) => (await list(query)).map(({ job }) => job);
  const [ends] = await list('stats=true');
  const { lastDurationMs, lastResult, state, stats } = ends ?? {};
  assert.deepEqual([state, lastResult, lastDurationMs], ['idle', 'succeeded', 2_500]);
  const endedAt = '2030-01-01T00:00:02.500Z';
  const { recent, ...spread } = stats as { recent: { runId: number }[] };
  assert.deepEqual(spread, { durationP50Ms: 2_500, durationP95Ms: 2_500 });
  assert.deepEqual(recent, [
    { runId: recent[0]?.runId, result: 'succeeded', endedAt, durationMs: 2_500 },
  ]);
  assert.equal((await list('state=idle'))[0]?.stats, undefined);
  assert.deepEqual(await names('state=idle'), ['ends', 'fails']);
  assert.deepEqual(await names('state=paused'), ['rests']);
  assert.deepEqual(await names('lastResult=failed&lastResult=lost'), ['fails']);
  assert.deepEqual(await names('node=web1&text=s'), ['ends', 'fails', 'rests']);
  assert.deepEqual(await names('node=web2'), []);
  for (const [query, field] of [
    ['state=executing', 'state'],
    ['lastResult=skipped', 'lastResult'],
    ['lastResult=good', 'lastResult'],
    ['stats=perhaps', 'stats'],
  ] as const) {
    const { json, status } = await world.ask('GET', `/api/v1/jobs?${query}`);
    assert.deepEqual([status, json.errors?.[0]?.field], [422, field], query);
  }
});
