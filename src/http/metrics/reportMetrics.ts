import { Counter, Histogram, type Registry } from 'prom-client';
import type { NodeReports } from '../../actors/runtime/runtime.ts';

const counters = {
  statecron_runs_total: 'Runs that ended on this node, by how the command ended',
  statecron_results_recorded_late_total:
    'Lost runs that were completed with the result that an earlier process had spooled',
  statecron_slots_moved_total: 'Slots that committed batches have moved',
  statecron_lock_busy_requests_total:
    'Requests of a batch that found their stripe held by somebody else',
  statecron_batches_total: 'Transactions of the committer, by their outcome',
  statecron_troubles_total: 'Troubles that the node has logged',
} as const;

const waitBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const histograms = {
  statecron_run_lateness_seconds: {
    help: 'How much later than it ought to a launch started, by the clock of the database',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  },
  statecron_run_duration_seconds: {
    help: 'How long commands took on this node',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400],
  },
  statecron_lock_wait_seconds: {
    help: 'How long some request has waited for a stripe that somebody else held',
    buckets: waitBuckets,
  },
  statecron_batch_requests: {
    help: 'Requests in a transaction of the committer',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000],
  },
  statecron_batch_duration_seconds: {
    help: 'How long a transaction of the committer took',
    buckets: waitBuckets,
  },
} as const;

const labels: Partial<Record<keyof typeof counters, string>> = {
  statecron_runs_total: 'result',
  statecron_batches_total: 'outcome',
};

/**
 * Counts what the actors of a node report, and passes it on. A report costs a few additions; who
 * scrapes pays for the rest.
 */
export function countReports(registry: Registry, inner: NodeReports): NodeReports {
  const { count, observe } = makeMeters(registry);
  /** Since when some request has found its stripe held; null: none waits. */
  let busySinceMs: number | null = null;
  let isBusy = false;
  return {
    ...inner,
    runStarted: (launch, lateMs) => {
      observe('statecron_run_lateness_seconds', Math.max(0, lateMs) / 1_000);
      inner.runStarted?.(launch, lateMs);
    },
    runEnded: (launch, execution, tookMs) => {
      count('statecron_runs_total', 1, execution.result);
      observe('statecron_run_duration_seconds', tookMs / 1_000);
      inner.runEnded(launch, execution, tookMs);
    },
    recordedLate: (launchId, job, execution) => {
      count('statecron_results_recorded_late_total');
      inner.recordedLate?.(launchId, job, execution);
    },
    batchEnded: (slots) => {
      count('statecron_slots_moved_total', slots);
      inner.batchEnded(slots);
    },
    stripesBusy: (requests) => {
      count('statecron_lock_busy_requests_total', requests);
      isBusy = true;
      busySinceMs ??= performance.now();
      inner.stripesBusy?.(requests);
    },
    batchSettled: (batch) => {
      count('statecron_batches_total', 1, batch.report);
      observe('statecron_batch_requests', batch.requests);
      observe('statecron_batch_duration_seconds', batch.tookMs / 1_000);
      // The first batch in which everybody had their stripe ends the wait.
      if (!isBusy && busySinceMs !== null && batch.report === 'committed') {
        observe('statecron_lock_wait_seconds', (performance.now() - busySinceMs) / 1_000);
        busySinceMs = null;
      }
      isBusy = false;
      inner.batchSettled?.(batch);
    },
    trouble: (what, error) => {
      count('statecron_troubles_total');
      inner.trouble(what, error);
    },
  };
}

function makeMeters(registry: Registry) {
  const registers = [registry];
  const counted = new Map<string, Counter>();
  for (const [name, help] of Object.entries(counters)) {
    const label = labels[name as keyof typeof counters];
    const labelNames = label === undefined ? [] : [label];
    counted.set(name, new Counter({ name, help, labelNames, registers }));
  }
  const observed = new Map<string, Histogram>();
  for (const [name, { help, buckets }] of Object.entries(histograms)) {
    observed.set(name, new Histogram({ name, help, buckets: [...buckets], registers }));
  }
  return {
    count: (name: keyof typeof counters, more = 1, labelValue = ''): void => {
      const label = labels[name];
      counted.get(name)?.inc(label === undefined ? {} : { [label]: labelValue }, more);
    },
    observe: (name: keyof typeof histograms, value: number): void => {
      observed.get(name)?.observe(value);
    },
  };
}
