import type { GaugeReader, RunTotal } from '../../store/metrics/openGaugeReader.ts';

/** How often it is looked which jobs there are. */
const jobsPeriodMs = 60_000;
/** Jobs whose history is looked through in one statement, and for how long one scrape may. */
const chunkJobs = 50;
const seekMsMax = 500;

/**
 * When each job last succeeded, on whichever node: read once per job from its history, and after
 * that from the rows that are new. So many jobs have a series and no more, always the oldest ones,
 * since each costs whoever scrapes.
 */
export class JobSuccesses {
  readonly #reader: GaugeReader;
  readonly #jobsMax: number;
  #names: ReadonlyMap<number, string> = new Map();
  readonly #lastMs = new Map<number, number>();
  /** Jobs whose history was not looked through yet. */
  #unread: number[] = [];
  #jobsReadMs = Number.NEGATIVE_INFINITY;
  /** How many jobs have no series. */
  leftOut = 0;

  constructor(reader: GaugeReader, jobsMax: number) {
    this.#reader = reader;
    this.#jobsMax = jobsMax;
  }

  /** Name and time, in seconds, of each job that has succeeded at all, as far as is known. */
  *entries(): Iterable<readonly [name: string, lastSeconds: number]> {
    for (const [jobId, name] of this.#names) {
      const lastMs = this.#lastMs.get(jobId);
      if (lastMs !== undefined) yield [name, lastMs / 1_000];
    }
  }

  /** Takes what has ended since the last reading. */
  note(totals: readonly RunTotal[]): void {
    for (const { jobId, result, lastMs } of totals) {
      if (result === 'succeeded' && this.#names.has(jobId)) this.#keep(jobId, lastMs);
    }
  }

  /** Looks which jobs there are, and through the histories of those that are new to it. */
  async follow(nowMs: number): Promise<void> {
    if (nowMs - this.#jobsReadMs >= jobsPeriodMs) {
      const { jobs, all } = await this.#reader.jobLabels(this.#jobsMax);
      const names = new Map(jobs.map(({ jobId, name }) => [jobId, name]));
      for (const jobId of this.#names.keys()) if (!names.has(jobId)) this.#lastMs.delete(jobId);
      const unread = new Set(this.#unread);
      this.#unread = [...names.keys()].filter((jobId) => {
        return unread.has(jobId) || !this.#names.has(jobId);
      });
      this.#names = names;
      this.leftOut = all - jobs.length;
      this.#jobsReadMs = nowMs;
    }
    const beganMs = performance.now();
    while (this.#unread.length > 0 && performance.now() - beganMs < seekMsMax) {
      const chunk = this.#unread.slice(0, chunkJobs);
      for (const [jobId, lastMs] of await this.#reader.lastSuccess(chunk)) {
        this.#keep(jobId, lastMs);
      }
      this.#unread = this.#unread.slice(chunkJobs);
    }
  }

  #keep(jobId: number, lastMs: number): void {
    this.#lastMs.set(jobId, Math.max(lastMs, this.#lastMs.get(jobId) ?? 0));
  }
}
