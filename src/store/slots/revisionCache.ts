import { whyNotUnderstood } from '../../domain/definitionFormat.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { ticksOfRevision } from '../../domain/revisionTicks.ts';
import type { TickSource } from '../../domain/tickSource.ts';
import type { ChannelConnection, Row } from '../channel.ts';
import { ForeignJobs, type OnForeign } from './foreignJobs.ts';

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

  /** The revisions of rows with `job_id` and `job_revision`, in their order. */
  async load(connection: ChannelConnection, rows: readonly Row[]): Promise<Revision[]> {
    const missing = rows.filter((row) => !this.#revisions.has(keyOf(row)));
    for (let from = 0; from < missing.length; from += rowsMax) {
      await this.#read(connection, missing.slice(from, from + rowsMax));
    }
    const loaded = rows.map((row) => {
      const revision = this.#revisions.get(keyOf(row));
      if (revision === undefined) throw new Error(`revision ${keyOf(row)} is not in the database`);
      return revision;
    });
    this.#trim();
    return loaded;
  }

  async #read(connection: ChannelConnection, rows: readonly Row[]): Promise<void> {
    const pairs = rows.map((row) => [row.job_id as number, row.job_revision as number]);
    const found = await connection.query<Row[]>(readRevisions, [pairs]);
    for (const row of found) {
      const definition = JSON.parse(row.definition as string) as JobDefinition;
      const inForceFromMs = (row.in_force_from as Date).getTime();
      const whyNot = whyNotUnderstood(definition);
      const ticks = ticksOfRevision(definition, inForceFromMs);
      this.#revisions.set(`${row.job_id}:${row.revision}`, { definition, ticks, whyNot });
    }
  }

  #trim(): void {
    for (const key of this.#revisions.keys()) {
      if (this.#revisions.size <= this.#entriesMax) return;
      this.#revisions.delete(key);
    }
  }
}

function keyOf(row: Row): string {
  return `${row.job_id}:${row.job_revision}`;
}

const rowsMax = 500;
const readRevisions = `/* readRevisions */ SELECT job_id, revision, definition, in_force_from
  FROM job_revision WHERE (job_id, revision) IN (?)`;
