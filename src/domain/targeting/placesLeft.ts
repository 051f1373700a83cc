/** How many more launches a node may hold, prepared or executing. */
export function placesLeft(capacity: number, held: number): number {
  return capacity - held;
}

/** Whether one more of its launches may execute. */
export function hasPermit(concurrency: number, executing: number): boolean {
  return executing < concurrency;
}

/** What a node holds, and what it knows of how long that takes. */
export interface HeldWork {
  readonly concurrency: number;
  /** How long runs took lately. */
  readonly meanMs: number;
  /** Of each launch with a permit: how long it has had it. */
  readonly lastedMs: readonly number[];
  /** Of each other launch: how long until its tick; 0 or less: that has come. */
  readonly untilTickMs: readonly number[];
}

/** Of how many runs the mean is, at most. */
const runsMax = 100;
/** Longer ones differ in nothing: they make room for nothing that is claimed now. */
const longMs = 30_000;

/**
 * How long runs take: a moving mean. It begins with one long run, so that a node that has seen none
 * hoards none: short ones are known after a few of them, long ones only when they are over.
 */
export class RunTimes {
  #runs = 1;
  #meanMs = longMs;
  readonly #runsMax: number;

  /** @param concurrency as many runs as go at once are the mean's memory */
  constructor(concurrency: number) {
    this.#runsMax = Math.min(concurrency, runsMax);
  }

  get meanMs(): number {
    return this.#meanMs;
  }

  add(tookMs: number): void {
    this.#runs = Math.min(this.#runs + 1, this.#runsMax);
    this.#meanMs += (Math.min(longMs, tookMs) - this.#meanMs) / this.#runs;
  }
}

/** What a node may claim, so that it starts in time. */
export interface Room {
  /** How many launches more. */
  readonly places: number;
  /** How far ahead of their ticks, of its own share. */
  readonly aheadMs: number;
  /** It may take what others have left over, shortly before its tick, as well. */
  readonly isForOthers: boolean;
}

/**
 * What a node can start about in time, second by second of its horizon, as if all that it holds ran
 * for the mean. A launch that is due soon is never refused for those that it holds for later, since
 * there may be nobody else. Further ahead it claims up to where half as much room is left, and
 * nothing that would still run then: what does not fit is left to nodes that can start it. A run
 * that has lasted longer than the mean is expected to go on for as long again, and lets the mean
 * grow, so that longer runs are seen at once. For runs of some milliseconds there is more room than
 * any capacity.
 */
export function roomAhead(work: HeldWork, soonMs: number, horizonMs: number): Room {
  const { meanMs, room } = roomBySecond(work, Math.ceil(horizonMs / secondMs));
  const until = (ms: number): number => Math.min(...room.slice(0, Math.ceil(ms / secondMs) + 1));
  /** Until when a run could begin that is over before there is less room. */
  const freeUntilMs = (least: number): number => {
    const fullAt = room.findIndex((places, at) => at * secondMs > soonMs && places < least);
    return fullAt === -1 ? Number.POSITIVE_INFINITY : (fullAt - 1) * secondMs - meanMs;
  };
  const aheadMs = Math.min(horizonMs, Math.max(soonMs, freeUntilMs(until(soonMs) / 2)));
  const places = Math.max(0, Math.floor(until(aheadMs)));
  return { places, aheadMs, isForOthers: freeUntilMs(1) >= soonMs };
}

const secondMs = 1_000;

/** How many launches more could start in each second or the next. */
function roomBySecond(work: HeldWork, seconds: number): { meanMs: number; room: number[] } {
  const { concurrency, lastedMs, untilTickMs } = work;
  const beyondMs = lastedMs.map((ms) => (ms < longMs ? Math.max(0, ms - work.meanMs) : 0));
  const meanMs = Math.max(1, work.meanMs + sum(beyondMs) / concurrency);
  const due = new Array<number>(seconds + 1).fill(0);
  for (const ms of untilTickMs) add(due, Math.min(seconds, Math.max(0, ms / secondMs)), 1);
  /** Permits that come free in each second. */
  const free = new Array<number>(seconds + 2).fill(0);
  add(free, 0, concurrency - lastedMs.length);
  for (const ms of lastedMs) add(free, (ms > work.meanMs ? ms : meanMs - ms) / secondMs, 1);
  const turns = Math.max(1, secondMs / meanMs);
  let permits = 0;
  let waiting = 0;
  const room = due.map((launches, second) => {
    permits += free[second] ?? 0;
    const wanted = waiting + launches;
    const used = Math.min(permits, wanted / turns);
    permits -= used;
    add(free, second + Math.max(1, meanMs / secondMs), used);
    waiting = wanted - used * turns;
    return (permits + (free[second + 1] ?? 0)) * turns - waiting;
  });
  return { meanMs, room };
}

/** Adds to the place that a number falls into, if there is one. */
function add(places: number[], at: number, count: number): void {
  const place = Math.floor(at);
  if (place < places.length) places[place] = (places[place] ?? 0) + count;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
