import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { GaugeReader } from '../../store/metrics/openGaugeReader.ts';
import { JobSuccesses } from './jobSuccesses.ts';
import { addReadMetrics } from './readMetrics.ts';

interface ClusterMetricsParts {
  readonly registry: Registry;
  readonly reader: GaugeReader;
  /** Jobs that have a series of their own. */
  readonly jobLabelsMax: number;
  readonly trouble: (what: string, error: unknown) => void;
}

/** The one metric that names jobs: who sees some groups only does not see it. */
export const jobMetricName = 'statecron_job_last_success_timestamp_seconds';

/** However often it is scraped, the database is read no more often than this. */
const freshMs = 15_000;
/** Who scrapes waits no longer for the database; it then gets what was true before. */
const waitMsMax = 2_000;
/** A million idle slots are not counted four times a minute. */
const idleSlotsMax = 100_000;

/**
 * What the whole cluster looks like, by a few cheap statements that are sent only when somebody
 * scrapes. Every node has the same figures: take `max`, not `sum`, over the nodes.
 */
export class ClusterMetrics {
  readonly #parts: ClusterMetricsParts;
  readonly #successes: JobSuccesses;
  #figures = {
    slots: new Map<string, number>(),
    overdue: 0,
    live: 0,
    cordoned: 0,
    jobs: 0,
    unrunnable: 0,
  };
  readonly #runs = new Map<string, number>();
  #isUp = false;
  #readMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  /** Up to where the history was counted; null: nothing was. */
  #runId: number | null = null;

  constructor(parts: ClusterMetricsParts) {
    this.#parts = parts;
    this.#successes = new JobSuccesses(parts.reader, parts.jobLabelsMax);
    const slots = 'Slots of all nodes by state; idle ones are counted up to 100,000';
    const runs = 'History rows of all nodes since the first scrape of this one, by result';
    const leftOut = 'Jobs that have no series of their own, since there are more than may have one';
    addReadMetrics(parts.registry, {
      statecron_cluster_read_age_seconds: [
        'Age of the figures about the whole cluster',
        () => (this.#readMs < 0 ? null : (performance.now() - this.#readMs) / 1_000),
      ],
      // Not `job`: Prometheus keeps that for what it scrapes and would call ours exported_job.
      [jobMetricName]: [
        'When the job last succeeded, on whichever node',
        () => this.#successes.entries(),
        'job_name',
      ],
      statecron_job_labels_left_out: [leftOut, () => this.#successes.leftOut],
      statecron_cluster_slots: [slots, () => this.#figures.slots, 'state'],
      statecron_cluster_slots_overdue: [
        'Idle slots that a live node may run, late by 10 s',
        () => this.#figures.overdue,
      ],
      statecron_cluster_sessions_live: ['Nodes that are live', () => this.#figures.live],
      statecron_cluster_sessions_cordoned: [
        'Nodes that are live and that an operator keeps from new work',
        () => this.#figures.cordoned,
      ],
      statecron_cluster_jobs: [
        'Jobs that there are; above 10,000 as last counted, mostly up to a minute ago',
        () => this.#figures.jobs,
      ],
      statecron_cluster_jobs_unrunnable: [
        'Jobs that no live node may run, counted up to 10,000',
        () => this.#figures.unrunnable,
      ],
      statecron_cluster_run_rows_total: [runs, () => this.#runs, 'result'],
      statecron_database_up: [
        'One when the last reading of the whole cluster was answered',
        () => Number(this.#isUp),
      ],
    });
  }

  /** Reads the figures unless they are fresh; waits for a database that is slow, but not long. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#readMs < freshMs) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    const clock = new AbortController();
    const late = sleep(waitMsMax, undefined, { signal: clock.signal }).catch(() => undefined);
    await Promise.race([this.#reading, late]);
    clock.abort();
  }

  async #read(): Promise<void> {
    const { reader, trouble } = this.#parts;
    try {
      const { sessions, overdue, jobs, unrunnable } = await reader.cluster();
      const slots = new Map<string, number>();
      const sum = (of: 'prepared' | 'executing') =>
        sessions.reduce((total, session) => total + session[of], 0);
      slots.set('prepare', sum('prepared')).set('executing', sum('executing'));
      slots.set('idle', await reader.idleSlots(idleSlotsMax));
      const lives = sessions.filter(({ state }) => state === 'live');
      const [live, cordoned] = [lives, lives.filter(({ isCordoned }) => isCordoned)];
      const nodes = { live: live.length, cordoned: cordoned.length };
      this.#figures = { slots, overdue, ...nodes, jobs, unrunnable: unrunnable.jobs };
      await this.#countRuns();
      await this.#successes.follow(performance.now());
      this.#isUp = true;
      this.#readMs = performance.now();
    } catch (error) {
      this.#isUp = false;
      trouble('the metrics of the cluster could not be read', error);
    }
  }

  async #countRuns(): Promise<void> {
    const { reader } = this.#parts;
    if (this.#runId === null) {
      this.#runId = await reader.settledRunId();
      return;
    }
    const { until, totals } = await reader.runTotals(this.#runId);
    this.#runId = until;
    for (const { result, rows } of totals) {
      this.#runs.set(result, (this.#runs.get(result) ?? 0) + rows);
    }
    this.#successes.note(totals);
  }
}
