/** Told once for each revision that is left to others, until it is forgotten. */
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
