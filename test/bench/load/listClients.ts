import http from 'node:http';
import type { ListReport, LoadPlan } from './loadPlan.ts';

const tickMs = 20;
const socketsMax = 64;
const limits = [20, 50, 50, 100] as const;

/** Asks for lists at a steady rate, whether or not those before were answered. */
export class ListClients {
  readonly #plan: ListPlan;
  readonly #draw: () => DrawnList;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: socketsMax });
  readonly #byKind = new Map<string, number[]>();
  readonly #faults = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  readonly #beganMs = performance.now();
  #asked = 0;
  #answered = 0;

  constructor(plan: ListPlan, draw: () => DrawnList) {
    this.#plan = plan;
    this.#draw = draw;
    this.#timer = setInterval(() => this.#askDue(), tickMs);
  }

  /** What was measured so far is forgotten: the load has settled. */
  measure(): void {
    this.#answered = 0;
    this.#byKind.clear();
    this.#faults.clear();
  }

  report(): ListReport {
    const byKind = Object.fromEntries(this.#byKind);
    return {
      answered: this.#answered,
      faults: Object.fromEntries(this.#faults),
      latenciesMs: Object.values(byKind).flat(),
      byKind,
    };
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#agent.destroy();
  }

  #askDue(): void {
    const elapsedMs = performance.now() - this.#beganMs;
    const due = Math.floor((elapsedMs / 1_000) * this.#plan.listsPerSecond);
    for (; this.#asked < due; this.#asked += 1) this.#ask();
  }

  #ask(): void {
    const [kind, path] = this.#draw();
    const { token, url } = this.#plan;
    const beganMs = performance.now();
    const failed = (word: string): void => {
      this.#faults.set(word, (this.#faults.get(word) ?? 0) + 1);
    };
    const request = http.request(`${url}/api/v1/${path}`, {
      agent: this.#agent,
      headers: { authorization: `Bearer ${token}` },
    });
    request.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
    request.on('response', (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => {
        if (response.statusCode !== 200 || bytes === 0) {
          failed(`${kind}: ${response.statusCode}`);
          return;
        }
        this.#answered += 1;
        const latencies = this.#byKind.get(kind) ?? [];
        latencies.push(performance.now() - beganMs);
        this.#byKind.set(kind, latencies);
      });
    });
    request.end();
  }
}

type ListPlan = Pick<LoadPlan, 'url' | 'token' | 'listsPerSecond'>;

/** A kind of list, and what is asked for, below `/api/v1/`. */
type DrawnList = readonly [kind: string, path: string];

/** Lists of jobs: pages that begin anywhere, in every order, and with every kind of filter. */
export function drawJobs(plan: LoadPlan): DrawnList {
  const { groups, jobs, tags } = plan;
  const share = Math.random();
  const limit = `${limits[below(limits.length)]}`;
  const name = `job-${1 + below(jobs)}`;
  const id = `${1 + below(jobs)}`;
  // By their shares of all.
  const kinds: [number, string, Record<string, string>][] = [
    [0.4, 'by name', { after: name }],
    [0.5, 'by name, backwards', { after: name, sort: '-name' }],
    [0.6, 'by age', { after: id, sort: below(2) === 0 ? 'created' : '-created' }],
    [0.7, 'prefix', { prefix: `job-${1 + below(99)}` }],
    [0.78, 'text', { text: `${100 + below(900)}`, after: name }],
    [0.86, 'group', { group: `group-${below(groups)}`, after: name }],
    [0.92, 'tag', { tag: `tag-${below(tags)}`, after: name }],
    [0.97, 'paused', { paused: 'true', after: name }],
    [1, 'with definitions', { full: 'true', after: name }],
  ];
  const [, kind, query] = kinds.find(([until]) => share < until) ?? [1, 'all', {}];
  return [kind, `jobs?${new URLSearchParams({ limit, ...query })}`];
}

function below(count: number): number {
  return Math.floor(Math.random() * count);
}
