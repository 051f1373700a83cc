import assert from 'node:assert/strict';
import test from 'node:test';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import { makeActorWorld } from '../../actors/actorWorld.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { until } from '../../support/until.ts';
import { type Watched, watchNode } from './watchNode.ts';

/** The value of one series; null: it is not told. */
function seriesOf(text: string, series: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

/** The metrics with those of the cluster, which a scrape waits for two seconds and no longer. */
function metricsOf(node: Watched): Promise<string> {
  return until('the cluster was read', async () => {
    const { text } = await node.get('/metrics');
    return seriesOf(text, 'statecron_database_up') === 1 && text;
  });
}

test('a node that works tells of its work, its machines and its messages', async (t) => {
  const world = await makeActorWorld(t);
  world.ledger.lastsMs = (launch: Launch) => (launch.definition.name === 'long' ? null : 5);
  await world.add('quick', '* * * * * *');
  await world.add('long', '* * * * * *');
  const node = await watchNode(world);
  const ready = await until('it is ready', async () => {
    const { status, text } = await node.get('/readyz', null);
    return status === 200 ? JSON.parse(text) : null;
  });
  assert.deepEqual([ready.node, ready.checks.schema.fit], ['a', 'fits']);
  const stream = await node.stream('?kinds=actor,run');
  await stream.event('stream.live');
  const ofQuick = (name: string | null) => name === 'quick';
  await stream.event(
    'actor.message',
    ({ event, job }) => event === 'start.committed' && ofQuick(job),
  );
  await stream.event(
    'actor.message',
    ({ to, event }) => to === 'committer' && event === 'commit.request',
  );
  await stream.event(
    'actor.changed',
    ({ state, job }) => state === 'executing.running' && ofQuick(job),
  );
  await stream.event('run.ended', ({ job, result }) => job === 'quick' && result === 'succeeded');

  const live = await until('the long one runs', async () => {
    const shown = JSON.parse((await node.get('/api/v1/machines/live')).text);
    return shown.slotActors['executing.running'] >= 1 ? shown : null;
  });
  const states = new Map<string, string>(
    live.actors.map((actor: { actor: string; state: string }) => [actor.actor, actor.state]),
  );
  assert.equal(states.get('node'), 'live.serving');
  for (const actor of ['heartbeat', 'committer', 'scheduler', 'compensator', 'reaper', 'cleaner']) {
    assert.ok(states.get(actor), actor);
  }
  assert.equal(live.nodes[0].node, 'a');
  assert.ok(live.nodes[0].slots.executing >= 1);

  const text = await metricsOf(node);
  assert.ok((seriesOf(text, 'statecron_runs_total{result="succeeded"}') ?? 0) >= 1);
  assert.ok((seriesOf(text, 'statecron_run_lateness_seconds_count') ?? 0) >= 2);
  assert.ok((seriesOf(text, 'statecron_run_duration_seconds_count') ?? 0) >= 1);
  assert.ok((seriesOf(text, 'statecron_batches_total{outcome="committed"}') ?? 0) >= 3);
  assert.ok((seriesOf(text, 'statecron_batch_requests_sum') ?? 0) >= 3);
  assert.ok((seriesOf(text, 'statecron_lease_left_seconds') ?? 0) > 0);
  assert.ok(Math.abs(seriesOf(text, 'statecron_clock_offset_seconds') ?? 99) < 5);
  assert.ok((seriesOf(text, 'statecron_slot_actors{state="executing.running"}') ?? 0) >= 1);
  assert.ok((seriesOf(text, 'statecron_cluster_slots{state="executing"}') ?? 0) >= 1);
  assert.equal(seriesOf(text, 'statecron_cluster_sessions_live'), 1);
  assert.equal(seriesOf(text, 'statecron_cluster_jobs'), 2);
  assert.equal(seriesOf(text, 'statecron_database_up'), 1);
  assert.equal(seriesOf(text, 'statecron_event_clients'), 1);
  assert.ok(text.includes('nodejs_eventloop_lag_p99_seconds'));
  assert.ok(text.includes('process_resident_memory_bytes'));
  const lastOf = (job: string): number | null =>
    seriesOf(text, `statecron_job_last_success_timestamp_seconds{job_name="${job}"}`);
  const last = lastOf('quick');
  assert.ok(Math.abs((last ?? 0) - Date.now() / 1_000) < 120, `${last}`);
  assert.equal(lastOf('long'), null);
});

test('metrics want a token unless they are open, and tell a group no names of jobs', async (t) => {
  const world = await makeActorWorld(t);
  world.ledger.lastsMs = () => 1;
  for (const name of ['one', 'two', 'three']) await world.add(name, '* * * * * *');
  const node = await watchNode(world, { metricsJobsMax: 2 });
  await until('it serves', async () => (await node.get('/readyz', null)).status === 200);
  const haveRun = async (): Promise<boolean> => {
    const ran = (await world.runs()).filter(({ result }) => result === 'succeeded');
    return new Set(ran.map((run) => run.job_id)).size === 3;
  };
  await until('all have run', haveRun, 60_000);
  assert.equal((await node.get('/metrics', null)).status, 401);
  const text = await metricsOf(node);
  const named = text.match(/^statecron_job_last_success_timestamp_seconds\{.*$/gm) ?? [];
  assert.deepEqual(named.map((line) => /job_name="(\w+)"/.exec(line)?.[1]).sort(), ['one', 'two']);
  assert.equal(seriesOf(text, 'statecron_job_labels_left_out'), 1);
  const wishes = { name: 'g', role: 'viewer', groups: ['g'], expiresMs: null } as const;
  const token = (await addToken(world.channel, wishes)).secret ?? '';
  const narrow = await node.get('/metrics', token);
  assert.equal(narrow.status, 200);
  assert.ok(!narrow.text.includes('job_name="'));
  assert.ok((seriesOf(narrow.text, 'statecron_runs_total{result="succeeded"}') ?? 0) >= 1);
});

test('a node out of contact is alive and not ready, and says why', async (t) => {
  const world = await makeActorWorld(t);
  const proxy = await startCutProxy(world.scope, world.url);
  const node = await watchNode(world, { databaseUrl: proxy.url, isMetricsOpen: true });
  await until('it is ready', async () => (await node.get('/readyz', null)).status === 200);
  const comeBack = proxy.goAway();
  const unready = await until(
    'it is not ready',
    async () => {
      const { status, text } = await node.get('/readyz', null);
      return status === 503 ? JSON.parse(text) : null;
    },
    60_000,
  );
  assert.equal(unready.checks.database.isOk, false);
  assert.equal((await node.get('/livez', null)).status, 200);
  const { status, text } = await node.get('/metrics', null);
  assert.equal(status, 200);
  assert.ok(seriesOf(text, 'statecron_session_silent_seconds') !== null);
  comeBack();
});
