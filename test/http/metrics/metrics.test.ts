import assert from 'node:assert/strict';
import test from 'node:test';
import type { NodeReports } from '../../../src/actors/runtime/runtime.ts';
import type { NodeLoad, NodeView } from '../../../src/actors/view/nodeView.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import { ReadinessCheck } from '../../../src/http/health/readiness.ts';
import { NodeMetrics } from '../../../src/http/metrics/nodeMetrics.ts';
import type { GaugeReader } from '../../../src/store/metrics/openGaugeReader.ts';
import { succeeded } from '../../support/testNode.ts';
import { within } from '../../support/until.ts';

const load: NodeLoad = {
  ...{ held: 3, capacity: 100, running: 2, queueing: 1, concurrency: 4, statements: 42 },
  pool: { running: 2, threads: 1 },
};

const arrow = {
  ...{ machine: 'slot', from: 'slot.a', to: 'slot.b', event: 'go', guard: null },
} as const;

function viewOf(more: Partial<NodeView> = {}): NodeView {
  return {
    ...{ nodeName: 'a', sessionId: 's', version: '1.2.3', ttlMs: 45_000 },
    state: () => 'live.serving',
    leaseLeftMs: () => 30_000,
    silentMs: () => 1_000,
    clockOffsetMs: () => -2_500,
    load: () => load,
    activity: () => ({
      ...{ actors: [], slots: { 'prepare.waiting': 1, 'executing.running': 2 } },
      transitions: [
        { ...arrow, count: 5 },
        { ...arrow, to: null, guard: 'isDue', count: 7 },
      ],
      guards: [{ machine: 'slot', guard: 'isDue', allowed: 3, refused: 4 }],
    }),
    watch: () => () => undefined,
    ...more,
  };
}

/** A cluster with so many jobs, each of which succeeded once; `asked` counts the readings. */
function readerOf(jobs: number, more: Partial<GaugeReader> = {}) {
  const asked = { cluster: 0 };
  const sessions = [{ state: 'live', prepared: 5, executing: 7 }];
  const shown = { sessions, jobs, overdue: 2, unrunnable: { jobs: 1 } };
  const reader: GaugeReader = {
    cluster: async () => {
      asked.cluster += 1;
      return shown as never;
    },
    idleSlots: async () => 9,
    settledRunId: async () => 0,
    runTotals: async (after) => ({ until: after, totals: [] }),
    jobLabels: async (jobsMax) => ({
      jobs: Array.from({ length: Math.min(jobs, jobsMax) }, (_, jobId) => {
        return { jobId, name: `job ${jobId}` };
      }),
      all: jobs,
    }),
    watchActivity: async () => undefined,
    readActivity: async () => [],
    lastSuccess: async (jobIds) => new Map(jobIds.map((jobId) => [jobId, 1_700_000_000_000])),
    schemaFit: async () => 'fits',
    close: async () => undefined,
    ...more,
  };
  return { asked, reader };
}

function metricsOf(reader: GaugeReader, jobLabelsMax = 500) {
  const troubles: string[] = [];
  const trouble = (what: string): void => void troubles.push(what);
  return { metrics: new NodeMetrics({ reader, jobLabelsMax, trouble }), troubles };
}

const silent: NodeReports = {
  serving: () => undefined,
  draining: () => undefined,
  waitingForName: () => undefined,
  runEnded: () => undefined,
  batchEnded: () => undefined,
  trouble: () => undefined,
};

/** The value of one series; null: it is not told. */
function seriesOf(text: string, series: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? null : Number(line.slice(series.length + 1));
}

const noHub = () => ({ clients: 0, ended: { left: 1, cut: 2, closed: 3 } });

test('what actors report is counted and passed on', async () => {
  const { metrics } = metricsOf(readerOf(0).reader);
  const ended: number[] = [];
  const counted = metrics.count({ ...silent, runEnded: (_, __, tookMs) => ended.push(tookMs) });
  const launch = {} as Launch;
  counted.runStarted?.(launch, 120);
  counted.runStarted?.(launch, -3);
  counted.runEnded(launch, succeeded, 2_000);
  counted.runEnded(launch, { ...succeeded, result: 'timed_out' }, 20);
  counted.batchSettled?.({ report: 'committed', requests: 30, tookMs: 9 });
  counted.stripesBusy?.(4);
  counted.batchSettled?.({ report: 'busy', requests: 4, tookMs: 3 });
  counted.batchSettled?.({ report: 'committed', requests: 4, tookMs: 3 });
  counted.trouble('the name of a job stands here', new Error('no'));
  const text = await metrics.text(true);
  assert.deepEqual(ended, [2_000, 20]);
  const expected = {
    'statecron_runs_total{result="succeeded"}': 1,
    'statecron_runs_total{result="timed_out"}': 1,
    'statecron_run_lateness_seconds_bucket{le="0.005"}': 1,
    statecron_run_lateness_seconds_count: 2,
    'statecron_run_duration_seconds_bucket{le="5"}': 2,
    'statecron_batches_total{outcome="committed"}': 2,
    'statecron_batches_total{outcome="busy"}': 1,
    statecron_batch_requests_sum: 38,
    statecron_lock_busy_requests_total: 4,
    statecron_lock_wait_seconds_count: 1,
    statecron_troubles_total: 1,
  };
  for (const [series, value] of Object.entries(expected)) {
    assert.equal(seriesOf(text, series), value, series);
  }
  assert.ok(!text.includes('stands here'));
  assert.ok(text.includes('nodejs_eventloop_lag_p99_seconds'));
  assert.ok(text.includes('process_resident_memory_bytes'));
});

test('the node and the cluster are told of; what nobody knows has no value', async () => {
  const { metrics } = metricsOf(readerOf(2).reader);
  const unknown = { state: () => 'joining', clockOffsetMs: () => null };
  let view = viewOf();
  const late: NodeView = {
    ...viewOf(),
    state: () => view.state(),
    clockOffsetMs: () => view.clockOffsetMs(),
  };
  metrics.show(late, noHub);
  const text = await metrics.text(true);
  const expected = {
    'statecron_node_info{node="a",version="1.2.3"}': 1,
    statecron_node_serving: 1,
    statecron_lease_left_seconds: 30,
    statecron_clock_offset_seconds: -2.5,
    'statecron_slot_actors{state="executing.running"}': 2,
    'statecron_transitions_total{machine="slot",from="slot.a",to="slot.b",event="go"}': 5,
    'statecron_transitions_total{machine="slot",from="slot.a",to="",event="go"}': 7,
    'statecron_guards_total{machine="slot",guard="isDue",answer="refused"}': 4,
    statecron_pool_running: 2,
    statecron_pool_queue: 1,
    statecron_statements_total: 42,
    'statecron_event_clients_ended_total{why="cut"}': 2,
    'statecron_cluster_slots{state="prepare"}': 5,
    'statecron_cluster_slots{state="idle"}': 9,
    statecron_cluster_slots_overdue: 2,
    statecron_cluster_sessions_live: 1,
    statecron_cluster_jobs_unrunnable: 1,
    statecron_database_up: 1,
    'statecron_job_last_success_timestamp_seconds{job_name="job 1"}': 1_700_000_000,
    statecron_job_labels_left_out: 0,
  };
  for (const [series, value] of Object.entries(expected)) {
    assert.equal(seriesOf(text, series), value, series);
  }
  view = viewOf(unknown);
  const before = await metrics.text(true);
  assert.equal(seriesOf(before, 'statecron_lease_left_seconds'), null);
  assert.equal(seriesOf(before, 'statecron_clock_offset_seconds'), null);
  assert.equal(seriesOf(before, 'statecron_node_serving'), 0);
});

test('jobs up to a number have a series, others are counted, a group is told none', async () => {
  const { metrics } = metricsOf(readerOf(700).reader, 120);
  const text = await metrics.text(true);
  assert.equal(text.match(/^statecron_job_last_success\S*\{/gm)?.length, 120);
  assert.equal(seriesOf(text, 'statecron_job_labels_left_out'), 580);
  const narrow = await metrics.text(false);
  assert.ok(!narrow.includes('{job_name='));
  assert.equal(seriesOf(narrow, 'statecron_cluster_jobs'), 700);
});

test('however often and by however many it is scraped, the database is asked once', async () => {
  const { asked, reader } = readerOf(3);
  const { metrics } = metricsOf(reader);
  await Promise.all(Array.from({ length: 20 }, () => metrics.text(true)));
  await metrics.text(true);
  assert.equal(asked.cluster, 1);
});

test('a database that does not answer, or fails, holds up no scrape', async () => {
  const { metrics } = metricsOf(
    readerOf(0, { cluster: () => new Promise(() => undefined) }).reader,
  );
  metrics.show(viewOf(), noHub);
  const text = await within('the text', metrics.text(true));
  assert.equal(seriesOf(text, 'statecron_lease_left_seconds'), 30);
  assert.equal(seriesOf(text, 'statecron_cluster_read_age_seconds'), null);
  const failing = readerOf(0, { cluster: () => Promise.reject(new Error('gone')) }).reader;
  const { metrics: others, troubles } = metricsOf(failing);
  assert.equal(seriesOf(await others.text(true), 'statecron_database_up'), 0);
  assert.equal(troubles.length, 1);
});

test('a node is ready while it serves, its lease is good, its database fits', async () => {
  const readSchemaFit = async () => 'fits' as const;
  const check = (more: Partial<NodeView>) =>
    new ReadinessCheck({ view: viewOf(more), readSchemaFit }).check();
  const good = await check({});
  assert.equal(good.isReady, true);
  const bad = {
    serving: await check({ state: () => 'live.draining' }),
    lease: await check({ leaseLeftMs: () => -1 }),
    database: await check({ silentMs: () => 9_000 }),
    schema: await new ReadinessCheck({
      view: viewOf(),
      readSchemaFit: async () => 'newer',
    }).check(),
  };
  for (const [name, { isReady, checks }] of Object.entries(bad)) {
    assert.equal(isReady, false, name);
    const failed = Object.entries(checks).filter(([, { isOk }]) => !isOk);
    assert.deepEqual(
      failed.map(([check]) => check),
      [name],
    );
  }
});

test('a schema that cannot be read is what it was, and is asked for again', async () => {
  let [asked, nowMs, isAway] = [0, 0, true];
  const readiness = new ReadinessCheck({
    view: viewOf(),
    nowMs: () => nowMs,
    readSchemaFit: async () => {
      asked += 1;
      if (isAway) throw new Error('away');
      return 'fits';
    },
  });
  assert.deepEqual((await readiness.check()).checks.schema, { isOk: false, fit: 'unknown' });
  isAway = false;
  nowMs = 6_000;
  assert.equal((await readiness.check()).isReady, true);
  isAway = true;
  nowMs = 70_000;
  assert.equal((await readiness.check()).isReady, true);
  assert.equal(asked, 3);
});
