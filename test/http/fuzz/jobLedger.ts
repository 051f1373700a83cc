import type { HeardAnswer } from '../world/askRaw.ts';
import type { FuzzRequest } from './fuzzRequest.ts';

interface Told {
  readonly job: string;
  readonly isThere: boolean;
}

/**
 * Which jobs there must be, by what the API has answered: those that it said were added, less those
 * that it said were removed. What was asked for at once, of one job, may have happened in either
 * order, and a file that failed in the middle may have got anywhere: then the API is asked.
 */
export class JobLedger {
  readonly #jobs = new Set<string>();
  #told: Told[] = [];
  #isInDoubt = false;
  /** How often the API had to be asked. */
  doubts = 0;

  get jobs(): readonly string[] {
    return [...this.#jobs].sort();
  }

  note({ method, target }: FuzzRequest, answer: HeardAnswer): void {
    const { headers, json, status } = answer;
    // Nothing was done for it: it is the answer to another request.
    if (headers['idempotency-replayed'] !== undefined) return;
    const { pathname } = new URL(`http://localhost${target}`);
    const isApply = method === 'POST' && pathname === '/api/v1/apply';
    if (status === 201 && method === 'POST' && pathname === '/api/v1/jobs') {
      this.#told.push({ job: json.job, isThere: true });
    } else if (status === 200 && method === 'DELETE' && /^\/api\/v1\/jobs\//.test(pathname)) {
      this.#told.push({ job: json.job, isThere: false });
    } else if (status === 200 && isApply) {
      for (const { action, job } of json.plan as { action: string; job: string }[]) {
        if (action === 'add') this.#told.push({ job, isThere: true });
        if (action === 'remove') this.#told.push({ job, isThere: false });
      }
    } else if (isApply && ![400, 401, 403, 405, 413, 415, 422, 429].includes(status)) {
      this.#isInDoubt = true;
    }
  }

  /** Settles what was told since the last time; `readJobs`: all that there are. */
  async settle(readJobs: () => Promise<readonly string[]>): Promise<void> {
    const told = this.#told.splice(0);
    for (const { job, isThere } of told) this.#set(job, isThere);
    const names = told.filter((one) => told.some((other) => isOpposite(one, other)));
    if (!this.#isInDoubt && names.length === 0) return;
    this.doubts += 1;
    const there = new Set(await readJobs());
    // What nobody was told of must be as it was, unless a file may have touched anything.
    const known = this.#isInDoubt ? [...this.#jobs, ...there] : [];
    const doubtful = new Set([...known, ...names.map(({ job }) => job)]);
    for (const job of doubtful) this.#set(job, there.has(job));
    this.#isInDoubt = false;
  }

  #set(job: string, isThere: boolean): void {
    if (isThere) this.#jobs.add(job);
    else this.#jobs.delete(job);
  }
}

function isOpposite(one: Told, other: Told): boolean {
  return one.job === other.job && one.isThere !== other.isThere;
}
