import assert from 'node:assert/strict';
import { test } from 'node:test';
import { succeeded } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';
import { type ApiWorld, makeApiWorld } from '../world/apiWorld.ts';

/** One tick is due at once, and however slow a machine is, no other becomes so meanwhile. */
const yearly = '0 0 1 1 *';

/** Runs each due job once on a node of its own; resolves to the ids of the launches. */
async function runDue(world: ApiWorld, text = ''): Promise<string[]> {
  const node = await world.join(`node-${Math.random().toString(36).slice(2)}`);
  const launches = await node.claim();
  const output = Buffer.from(text);
  for (const launch of launches) {
    assert.deepEqual(await node.start(launch), { verdict: 'done' }, 'started');
    if (text !== '') await node.store.writeOutputs([{ launchId: launch.launchId, output }]);
    await node.finish(launch, { ...succeeded, output, outputBytes: output.length });
  }
  return launches.map(({ launchId }) => launchId);
}

test('a list says what runs wrote last that failed, where it is asked for', async (t) => {
  const world = await makeApiWorld(t);
  for (const name of ['fails', 'runs']) await world.addJob(name, { schedule: yearly });
  const node = await world.join('web1');
  const output = Buffer.from('one\r\n\x1b[31mno route to x\x1b[0m\n \n');
  for (const launch of await node.claim()) {
    await node.start(launch);
    await node.store.writeOutputs([{ launchId: launch.launchId, output }]);
    const isGood = launch.definition.name === 'runs';
    const end = isGood ? succeeded : { ...succeeded, result: 'failed' as const, exitCode: 2 };
    await node.finish(launch, { ...end, output, outputBytes: output.length });
  }
  const linesOf = async (query: string) => {
    const { json } = await world.ask('GET', `/api/v1/runs${query}`);
    const items: { job: string; lastLine?: string }[] = json.items;
    return Object.fromEntries(items.map(({ job, lastLine = null }) => [job, lastLine]));
  };
  assert.deepEqual(await linesOf(''), { fails: null, runs: null });
  assert.deepEqual(await linesOf('?lastLine=true'), { fails: 'no route to x', runs: null });
});

test('the history is read page by page, newest first, each run once', async (t) => {
  const world = await makeApiWorld(t);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await world.addJob(name, { schedule: yearly });
  const launched = await runDue(world);
  assert.equal(launched.length, 5);
  const seen: string[] = [];
  let path = '/api/v1/runs?limit=2';
  for (;;) {
    const page = await world.ask('GET', path);
    assert.equal(page.status, 200, page.text);
    seen.push(...page.json.items.map(({ launchId }: { launchId: string }) => launchId));
    const link = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    assert.equal(link === undefined, page.json.next === null);
    if (link === undefined) break;
    path = link;
  }
  assert.deepEqual([...seen].sort(), [...launched].sort());
  const one = await world.ask('GET', '/api/v1/runs?job=c&result=succeeded&final=true&since=1h');
  assert.deepEqual(
    one.json.items.map(({ job }: { job: string }) => job),
    ['c'],
  );
  const rows: [string, number][] = [
    ['result=failed', 0],
    ['result=failed&result=succeeded', 5],
    ['until=2001-01-01T00:00:00Z', 0],
    ['node=nobody', 0],
    ['running=true', 0],
    ['request=nothing', 0],
  ];
  for (const [query, count] of rows) {
    const { json } = await world.ask('GET', `/api/v1/runs?${query}`);
    assert.equal(json.items.length, count, query);
  }
  for (const query of ['result=odd', 'after=x', 'limit=0', 'limit=1001', 'since=then', 'x=1']) {
    const answer = await world.ask('GET', `/api/v1/runs?${query}`);
    assert.equal(answer.status, 422, query);
    assert.equal(answer.json.errors[0].field, query.split('=')[0], query);
  }
});

test('a run is found by launch and by number, and what it wrote is text to save', async (t) => {
  const world = await makeApiWorld(t);
  await world.addJob('job', { schedule: yearly });
  const [launchId] = await runDue(world, '<script>alert(1)</script>\u0000ü');
  const run = await world.ask('GET', `/api/v1/runs/${launchId}`);
  assert.deepEqual(
    [run.json.job, run.json.result, run.json.group],
    ['job', 'succeeded', 'default'],
  );
  const same = await world.ask('GET', `/api/v1/runs/${run.json.runId}`);
  assert.deepEqual(same.json, run.json);
  const log = await world.ask('GET', `/api/v1/runs/${launchId}/log`);
  assert.equal(log.text, '<script>alert(1)</script>\u0000ü');
  assert.equal(log.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(log.headers.get('x-content-type-options'), 'nosniff');
  assert.match(log.headers.get('content-disposition') ?? '', /^attachment/);
  const json = await world.ask('GET', `/api/v1/runs/${launchId}/log?format=json`);
  assert.equal(Buffer.from(json.json.base64, 'base64').toString(), log.text);
  for (const id of ['nothing', '..%2f..', '%00', 'a'.repeat(65), "1'--"]) {
    const answer = await world.ask('GET', `/api/v1/runs/${id}/log`);
    assert.ok([404, 422].includes(answer.status), `${id}: ${answer.status}`);
  }
});

test('a stop withdraws what waits, and is asked of the node for what executes', async (t) => {
  const world = await makeApiWorld(t);
  await world.addJob('job', { dueInMs: 3_600_000 });
  await world.ask('POST', '/api/v1/jobs/job/run', { body: { requestId: 'mine' } });
  const waiting = await world.ask('POST', '/api/v1/runs/mine/stop', {
    body: { waitingOnly: true },
  });
  assert.deepEqual(waiting.json, { launchId: null, answer: 'withdrawn', withdrawn: 1 });
  const ended = await world.ask('GET', '/api/v1/runs/mine');
  assert.equal(ended.json.result, 'stopped');
  await world.ask('POST', '/api/v1/jobs/job/run', { body: { requestId: 'two' } });
  const node = await world.join('n');
  const [launch] = await node.claim();
  assert.ok(launch !== undefined);
  await node.start(launch);
  const running = await world.ask('GET', '/api/v1/runs?running=true&job=job');
  assert.equal(running.json.items[0].launchId, launch.launchId);
  const stopped = await world.ask('POST', '/api/v1/runs/two/stop');
  assert.deepEqual(stopped.json, { launchId: launch.launchId, answer: 'asked', withdrawn: 0 });
  const early = await world.ask('POST', `/api/v1/runs/${launch.launchId}/retry`);
  assert.deepEqual([early.status, early.json.code], [409, 'run_goes_on']);
  await node.finish(launch, { ...succeeded, result: 'stopped', exitCode: null });
  const retried = await world.ask('POST', `/api/v1/runs/${launch.launchId}/retry`);
  assert.deepEqual([retried.status, retried.json.attempt, retried.json.isNew], [202, 2, true]);
  const late = await world.ask('POST', '/api/v1/runs/nothing/stop');
  assert.equal(late.status, 404);
});

test('a run is followed while it writes, and to its end', async (t) => {
  const world = await makeApiWorld(t);
  await world.addJob('job', { schedule: yearly });
  const node = await world.join('n');
  const [launch] = await node.claim();
  assert.ok(launch !== undefined);
  await node.start(launch);
  const { launchId } = launch;
  const token = await world.token('viewer');
  const response = await fetch(`${world.origin}/api/v1/runs/${launchId}/follow`, {
    ...{ method: 'POST', headers: { authorization: `Bearer ${token}` } },
  });
  assert.equal(response.status, 200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const first = reader.read();
  // It is asked for in the database before anything can be told.
  await until('somebody asks', async () => {
    return (await world.rows('SELECT 1 FROM run_live')).length === 1;
  });
  const tell = (text: string) => {
    const output = Buffer.from(text);
    return node.store.writeLive([{ launchId, output, outputBytes: output.length }]);
  };
  await tell('one ');
  assert.equal(Buffer.from((await first).value ?? []).toString(), 'one ');
  await tell('one two ');
  assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'two ');
  const look = await world.ask('POST', `/api/v1/runs/${launchId}/live`, { body: { seenBytes: 4 } });
  assert.equal(Buffer.from(look.json.base64, 'base64').toString(), 'one two ');
  const output = Buffer.from('one two three');
  await node.store.writeOutputs([{ launchId, output }]);
  await node.finish(launch, { ...succeeded, output, outputBytes: output.length });
  assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'three');
  assert.equal((await reader.read()).done, true);
  assert.deepEqual(world.troubles, []);
});
