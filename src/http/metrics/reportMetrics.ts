import { Counter, Histogram, type Registry } from 'prom-client';
import type { NodeReports } from '../../actors/runtime/runtime.ts';

/**
 * Counts what the actors of a node report, and passes it on. A report costs a few additions; who
 * scrapes pays for the rest.
 */
export function countReports(
  registry: Registry,
  inner: NodeReports,
  nowMs: () => number = () => performance.now(),
): NodeReports {
  const meters = makeMeters(registry);
  /** Since when some request has found its stripe held; null: none waits. */
  let busySinceMs: number | null = null;
  let isBusy = false;
  return {
    ...inner,
    runStarted: (launch, lateMs) => {
      meters.lateness.observe(Math.max(0, lateMs) / 1_000);
      inner.runStarted?.(launch, lateMs);
    },
    runEnded: (launch, execution, tookMs) => {
      meters.runs.inc({ result: execution.result });
      meters.duration.observe(tookMs / 1_000);
      inner.runEnded(launch, execution, tookMs);
    },
    recordedLate: (launchId, execution) => {
      meters.recordedLate.inc();
      inner.recordedLate?.(launchId, execution);
    },
    batchEnded: (slots) => {
      meters.slotsMoved.inc(slots);
      inner.batchEnded(slots);
    },
    stripesBusy: (requests) => {
      meters.busyRequests.inc(requests);
      isBusy = true;
      busySinceMs ??= nowMs();
      inner.stripesBusy?.(requests);
    },
    batchSettled: (batch) => {
      meters.batches.inc({ outcome: batch.report });
      meters.batchRequests.observe(batch.requests);
      meters.batchDuration.observe(batch.tookMs / 1_000);
      // The first batch in which everybody had their stripe ends the wait.
      if (!isBusy && busySinceMs !== null && batch.report === 'committed') {
        meters.lockWait.observe((nowMs() - busySinceMs) / 1_000);
        busySinceMs = null;
      }
      isBusy = false;
      inner.batchSettled?.(batch);
    },
    trouble: (what, error) => {
      meters.troubles.inc();
      inner.trouble(what, error);
    },
  };
}

const latenessBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const durationBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600, 14_400];
const waitBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const sizeBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];

function makeMeters(registry: Registry) {
  const registers = [registry];
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers });
  const histogram = (name: string, help: string, buckets: number[]): Histogram =>
    new Histogram({ name, help, buckets, registers });
  return {
    runs: new Counter({
      name: 'statecron_runs_total',
      help: 'Runs that ended on this node, by how the command ended',
      labelNames: ['result'],
      registers,
    }),
    lateness: histogram(
      'statecron_run_lateness_seconds',
      'How much later than it ought to a launch started, by the clock of the database',
      latenessBuckets,
    ),
    duration: histogram(
      'statecron_run_duration_seconds',
      'How long commands took on this node',
      durationBuckets,
    ),
    recordedLate: counter(
      'statecron_results_recorded_late_total',
      'Lost runs that were completed with the result that an earlier process had spooled',
    ),
    slotsMoved: counter('statecron_slots_moved_total', 'Slots that committed batches have moved'),
    busyRequests: counter(
      'statecron_lock_busy_requests_total',
      'Requests of a batch that found their stripe held by somebody else',
    ),
    lockWait: histogram(
      'statecron_lock_wait_seconds',
      'How long some request has waited for a stripe that somebody else held',
      waitBuckets,
    ),
    batches: new Counter({
      name: 'statecron_batches_total',
      help: 'Transactions of the committer, by their outcome',
      labelNames: ['outcome'],
      registers,
    }),
    batchRequests: histogram(
      'statecron_batch_requests',
      'Requests in a transaction of the committer',
      sizeBuckets,
    ),
    batchDuration: histogram(
      'statecron_batch_duration_seconds',
      'How long a transaction of the committer took',
      waitBuckets,
    ),
    troubles: counter('statecron_troubles_total', 'Troubles that the node has logged'),
  };
}
