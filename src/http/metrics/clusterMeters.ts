import { Counter, Gauge, type Registry } from 'prom-client';
import { addGauge, addLabelledGauge } from './addGauge.ts';
import type { JobSuccesses } from './jobSuccesses.ts';

/** The one metric that names jobs: who sees some groups only does not see it. */
const jobMetric = 'job_last_success_timestamp_seconds';
export const jobMetricName = `statecron_${jobMetric}`;

export interface ClusterMeters {
  readonly slots: Gauge<'state'>;
  readonly overdue: Gauge;
  readonly live: Gauge;
  readonly jobs: Gauge;
  readonly unrunnable: Gauge;
  readonly runs: Counter<'result'>;
  readonly up: Gauge;
}

/** Makes the meters of the whole cluster. */
export function makeClusterMeters(
  registry: Registry,
  source: { readonly ageMs: () => number | null; readonly successes: JobSuccesses },
): ClusterMeters {
  const registers = [registry];
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `statecron_${name}`, help, registers });
  const age = {
    name: 'cluster_read_age_seconds',
    help: 'Age of the figures about the whole cluster',
  };
  addGauge(registry, age, () => {
    const ageMs = source.ageMs();
    return ageMs === null ? null : ageMs / 1_000;
  });
  // Not `job`: Prometheus keeps that for what it scrapes and would call ours exported_job.
  const success = { name: jobMetric, help: 'When the job last succeeded, on whichever node' };
  addLabelledGauge(registry, { ...success, label: 'job_name' }, function* () {
    for (const [name, lastMs] of source.successes.entries()) yield [name, lastMs / 1_000];
  });
  const leftOut = {
    name: 'job_labels_left_out',
    help: 'Jobs that have no series of their own, since there are more than may have one',
  };
  addGauge(registry, leftOut, () => source.successes.leftOut);
  return {
    slots: new Gauge({
      name: 'statecron_cluster_slots',
      help: 'Slots of all nodes by state; idle ones are counted up to 100,000',
      labelNames: ['state'],
      registers,
    }),
    overdue: gauge('cluster_slots_overdue', 'Idle slots that a live node may run, late by 10 s'),
    live: gauge('cluster_sessions_live', 'Nodes that are live'),
    jobs: gauge('cluster_jobs', 'Jobs that there are'),
    unrunnable: gauge('cluster_jobs_unrunnable', 'Jobs that no live node may run'),
    runs: new Counter({
      name: 'statecron_cluster_run_rows_total',
      help: 'History rows of all nodes since the first scrape of this one, by result',
      labelNames: ['result'],
      registers,
    }),
    up: gauge('database_up', 'One when the last reading of the whole cluster was answered'),
  };
}
