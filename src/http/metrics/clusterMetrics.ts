import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import type { GaugeReader } from '../../store/metrics/openGaugeReader.ts';
import { type ClusterMeters, makeClusterMeters } from './clusterMeters.ts';
import { JobSuccesses } from './jobSuccesses.ts';

interface ClusterMetricsParts {
  readonly registry: Registry;
  readonly reader: GaugeReader;
  /** Jobs that have a series of their own. */
  readonly jobLabelsMax: number;
  readonly trouble: (what: string, error: unknown) => void;
  readonly nowMs?: () => number;
}

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
  readonly #nowMs: () => number;
  readonly #meters: ClusterMeters;
  readonly #successes: JobSuccesses;
  #readMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;
  /** Up to where the history was counted; null: nothing was. */
  #runId: number | null = null;

  constructor(parts: ClusterMetricsParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? (() => performance.now());
    this.#successes = new JobSuccesses(parts.reader, parts.jobLabelsMax);
    this.#meters = makeClusterMeters(parts.registry, {
      ageMs: () => (this.#readMs < 0 ? null : this.#nowMs() - this.#readMs),
      successes: this.#successes,
    });
  }

  /** Reads the figures unless they are fresh; waits for a database that is slow, but not long. */
  async refresh(): Promise<void> {
    if (this.#nowMs() - this.#readMs < freshMs) return;
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
    const { slots, up } = this.#meters;
    try {
      const cluster = await reader.cluster();
      const live = cluster.sessions.filter(({ state }) => state === 'live');
      const sum = (of: 'prepared' | 'executing') =>
        cluster.sessions.reduce((total, session) => total + session[of], 0);
      slots.set({ state: 'prepare' }, sum('prepared'));
      slots.set({ state: 'executing' }, sum('executing'));
      slots.set({ state: 'idle' }, await reader.idleSlots(idleSlotsMax));
      this.#meters.overdue.set(cluster.overdue);
      this.#meters.live.set(live.length);
      this.#meters.jobs.set(cluster.jobs);
      this.#meters.unrunnable.set(cluster.unrunnable.jobs);
      await this.#countRuns();
      await this.#successes.follow(this.#nowMs());
      up.set(1);
      this.#readMs = this.#nowMs();
    } catch (error) {
      up.set(0);
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
    for (const { result, rows } of totals) this.#meters.runs.inc({ result }, rows);
    this.#successes.note(totals);
  }
}
