import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiWorld, makeApiWorld } from '../world/apiWorld.ts';

async function makeWorld(t: Parameters<typeof makeApiWorld>[0]): Promise<ApiWorld> {
  const world = await makeApiWorld(t);
  for (const [name, group] of [['a', 'mine'] as const, ['b', 'theirs'] as const]) {
    const body = { name, group, cron: '* * * * *', timezone: 'UTC', command: 'true' };
    assert.equal((await world.ask('POST', '/api/v1/jobs', { body })).status, 201);
  }
  await world.join('web1');
  return world;
}

test('what is next is shown to whom it concerns, in pages', async (t) => {
  const world = await makeWorld(t);
  const token = await world.token('viewer', ['mine']);
  const names = async (query: string, options: object = {}) => {
    const { json, status, text } = await world.ask('GET', `/api/v1/upcoming${query}`, options);
    assert.equal(status, 200, text);
    return json.items.map(({ job }: { job: string }) => job);
  };
  assert.deepEqual((await names('')).sort(), ['a', 'b']);
  assert.deepEqual(await names('?group=theirs'), ['b']);
  assert.deepEqual(await names('', { token }), ['a']);
  assert.deepEqual(await names('?group=theirs', { token }), []);
  const { json: all } = await world.ask('GET', '/api/v1/upcoming?within=10m&allTicks=true');
  // What a minute's end has made due by then is one more.
  for (const name of ['a', 'b']) {
    const ticks = all.items.filter(({ job }: { job: string }) => job === name);
    assert.equal(ticks.length, ticksUntil(all, ticks[0]));
  }
  const first = await world.ask('GET', '/api/v1/upcoming?limit=1');
  const after = encodeURIComponent(first.json.next);
  const second = await world.ask('GET', `/api/v1/upcoming?limit=1&after=${after}`);
  const both = [first, second].map(({ json }) => json.items[0]?.job).sort();
  assert.deepEqual([both, second.json.next], [['a', 'b'], null]);
  const [item] = first.json.items;
  const { more, node, state, timezone, trigger } = item;
  assert.deepEqual([node, state, timezone, trigger], [null, 'idle', 'UTC', 'schedule']);
  assert.equal(more, ticksUntil(first.json, item) - 1);
});

/** Of a job of each minute, from the first that is shown until the end of what is shown. */
function ticksUntil(
  { until }: { readonly until: string },
  { at }: { readonly at: string },
): number {
  return Math.floor((Date.parse(until) - Date.parse(at)) / 60_000) + 1;
}

test('a timeline is of the jobs that its conditions name and the caller may see', async (t) => {
  const world = await makeWorld(t);
  const token = await world.token('viewer', ['mine']);
  await world.rows(`INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
      started_at, ended_at, result)
    SELECT job_id, 1, 'schedule', 1, NOW(3), NOW(3), NOW(3), 'failed' FROM job WHERE name = 'b'`);
  const read = async (query: string, options: object = {}) => {
    const { json, status, text } = await world.ask('GET', `/api/v1/timeline${query}`, options);
    assert.equal(status, 200, text);
    return json;
  };
  const [a, b] = (await read('?from=1h')).items;
  assert.deepEqual([a.job, a.runs, a.binned, a.next.length], ['a', [], false, 60]);
  assert.deepEqual([b.job, b.runs.length, b.runs[0]?.result], ['b', 1, 'failed']);
  assert.equal(a.revisions[0]?.revision, 1);
  const ofGroup = (await read('?from=1h', { token })).items;
  assert.deepEqual(
    ofGroup.map(({ job }: { job: string }) => job),
    ['a'],
  );
  assert.equal((await read('?from=1h&lastResult=failed')).items[0]?.job, 'b');
  assert.equal((await read('?limit=1')).next, 'a');
  const binned = await read('?from=2030-01-01T00:00:00Z&until=2030-01-02T00:00:00Z&bins=24');
  assert.equal(binned.binMs, 3_600_000);
});

test('a time that is no time is named', async (t) => {
  const world = await makeApiWorld(t);
  for (const [path, field] of [
    ['upcoming?within=soon', 'within'],
    ['upcoming?within=400d', 'within'],
    ['upcoming?after=x', 'after'],
    ['upcoming?allTicks=true&after=1:1:1:1:', 'after'],
    ['timeline?from=soon', 'from'],
    ['timeline?from=2030-01-02T00:00:00Z&until=2030-01-01T00:00:00Z', 'until'],
    ['timeline?from=2030-01-02T00:00:00Z&until=2032-01-01T00:00:00Z', 'from'],
    ['timeline?bins=0', 'bins'],
  ]) {
    const { json, status } = await world.ask('GET', `/api/v1/${path}`);
    assert.deepEqual([status, json.errors?.[0]?.field], [422, field], path);
  }
  assert.deepEqual(world.troubles, []);
});
