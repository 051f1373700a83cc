import { whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { TickSource } from '../../domain/run/tickSource.ts';
import { ticksOfRevision } from '../../domain/schedule/read/revisionTicks.ts';
import type { ChannelConnection } from '../connection/channel.ts';
import { instantMs, integer, jsonOf, rowOf } from '../rows/row.ts';

/** One revision of a job, read and understood once. */
export interface Revision {
  readonly definition: JobDefinition;
  readonly ticks: TickSource;
  /** Why it is left to nodes of another version; null: it is not. */
  readonly whyNot: string | null;
}

/**
 * The revisions that were lately claimed. A revision never changes once it is written, so a cached
 * one is never stale; which revision is in force is read under the lock each time.
 */
export class RevisionCache {
  readonly #revisions = new Map<string, Revision>();
  readonly #entriesMax: number;

  /** Those that this version leaves to others. */
  readonly foreign: ForeignJobs;

  constructor(entriesMax = 20_000, onForeign: OnForeign = () => undefined) {
    this.#entriesMax = entriesMax;
    this.foreign = new ForeignJobs(onForeign);
  }

  /** Makes sure that the revisions in force are known; resolves to what looks one up. */
  async load(
    connection: ChannelConnection,
    slots: readonly InForce[],
  ): Promise<(slot: InForce) => Revision> {
    const missing = slots
      .filter((slot) => !this.#revisions.has(keyOf(slot)))
      .map(({ jobId, jobRevision }) => [jobId, jobRevision]);
    for (const row of await connection.rowsOf(revisionRow, readRevisions, missing)) {
      const { definition, inForceFromMs } = row;
      const whyNot = whyNotUnderstood(definition);
      const ticks = ticksOfRevision(definition, inForceFromMs);
      this.#revisions.set(keyOf(row), { definition, ticks, whyNot });
    }
    const loaded = new Map<string, Revision>();
    for (const key of slots.map(keyOf)) {
      const revision = this.#revisions.get(key);
      if (revision === undefined) throw new Error(`revision ${key} is not in the database`);
      loaded.set(key, revision);
    }
    this.#trim();
    return (slot) => {
      const revision = loaded.get(keyOf(slot));
      if (revision === undefined) throw new Error('RevisionCache: a revision was not loaded');
      return revision;
    };
  }

  #trim(): void {
    for (const key of this.#revisions.keys()) {
      if (this.#revisions.size <= this.#entriesMax) return;
      this.#revisions.delete(key);
    }
  }
}

/** A job, and which revision of it is in force. */
interface InForce {
  readonly jobId: number;
  readonly jobRevision: number;
}

function keyOf({ jobId, jobRevision }: InForce): string {
  return `${jobId}:${jobRevision}`;
}

const revisionRow = rowOf({
  jobId: integer,
  jobRevision: integer,
  definition: jsonOf<JobDefinition>(),
  inForceFromMs: instantMs,
});
const readRevisions = `/* readRevisions */ SELECT job_id, revision AS job_revision, definition,
    in_force_from
  FROM job_revision WHERE (job_id, revision) IN (?)`;

/** Called once for each revision that is left to others, until it is forgotten. */
export type OnForeign = (jobName: string, why: string) => void;

/**
 * Revisions that this version does not understand whole, as claims have met them. They are left for
 * nodes that do, and looks leave them out, so that they hide nothing else that is due. Bounded: of
 * more than that the oldest are met again, a claim at a time.
 */
export class ForeignJobs {
  readonly #pairs = new Map<string, readonly [jobId: number, revision: number]>();
  readonly #onForeign: OnForeign;
  readonly #jobsMax: number;

  constructor(onForeign: OnForeign, jobsMax = 1_000) {
    this.#onForeign = onForeign;
    this.#jobsMax = jobsMax;
  }

  add(jobId: number, revision: number, jobName: string, why: string): void {
    const key = `${jobId}:${revision}`;
    if (this.#pairs.has(key)) return;
    this.#pairs.set(key, [jobId, revision]);
    this.#onForeign(jobName, why);
    const [oldest] = this.#pairs.keys();
    if (this.#pairs.size > this.#jobsMax && oldest !== undefined) this.#pairs.delete(oldest);
  }

  /** Job and revision, for the WHERE of a look: an edit makes another pair. Never empty. */
  pairs(): (readonly [number, number])[] {
    return this.#pairs.size === 0 ? [[0, 0]] : [...this.#pairs.values()];
  }

  jobIds(): number[] {
    return [...new Set(this.pairs().map(([jobId]) => jobId))];
  }
}
