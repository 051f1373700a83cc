import type { ClockSample } from './history.ts';

/** An instant that is known to lie between two, both included; equal when it is known exactly. */
export interface Between {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** A stretch in which the database's clock was not stepped. */
interface Stretch {
  readonly samples: readonly ClockSample[];
  /** The instants between which it began and ended; the step lies in the gaps. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** The database's clock less the boot clock, when all samples agree on it. */
  readonly offsetMs: number | null;
}

interface Offsets {
  readonly leastMs: number;
  readonly mostMs: number;
}

/**
 * Tells the database's clock by the host's boot clock and the other way round, through any steps.
 * What cannot be told exactly (inside a step, or an instant that came twice) comes as a range, and
 * a rule takes the end of it that speaks for the accused.
 */
export class HostClock {
  readonly #stretches: readonly Stretch[];

  constructor(samples: readonly ClockSample[]) {
    this.#stretches = cutAtSteps([...samples].sort((a, b) => a.atMs - b.atMs));
  }

  /** What the database's clock said at an instant of the boot clock. */
  databaseAt(atMs: number): Between {
    const place = this.#stretches.findLastIndex(({ fromMs }) => fromMs <= atMs);
    const stretch = this.#stretches[Math.max(place, 0)] as Stretch;
    const { leastMs, mostMs } = offsetsAt(stretch, 'atMs', atMs);
    const next = atMs > stretch.untilMs ? this.#stretches[place + 1]?.samples[0] : undefined;
    const nextMs = next === undefined ? leastMs : next.databaseMs - next.atMs;
    return {
      earliestMs: atMs + Math.min(leastMs, nextMs),
      latestMs: atMs + Math.max(mostMs, nextMs),
    };
  }

  /** The first instant, not before the given one, at which the database's clock had come so far. */
  firstReachedMs(databaseMs: number, notBeforeMs = Number.NEGATIVE_INFINITY): number {
    for (let index = 0; index < this.#stretches.length; index += 1) {
      const stretch = this.#stretches[index] as Stretch;
      const endMs = this.#stretches[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
      if (endMs <= notBeforeMs) continue;
      const startMs = index === 0 ? Number.NEGATIVE_INFINITY : stretch.fromMs;
      const reachedMs = Math.max(bootIn(stretch, databaseMs).latestMs, startMs, notBeforeMs);
      if (reachedMs < endMs) return reachedMs;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The last instant at which the database's clock came so far: later only after a step back. */
  lastReachedMs(databaseMs: number): number {
    for (let index = this.#stretches.length - 1; index >= 0; index -= 1) {
      const stretch = this.#stretches[index] as Stretch;
      const reachedMs = bootIn(stretch, databaseMs).latestMs;
      if (index === 0 || reachedMs >= stretch.fromMs) return reachedMs;
      const before = this.#stretches[index - 1] as Stretch;
      // A step forward came over it in the very gap; a step back leaves it to what was before.
      if (stretch.fromMs + offsetAtEnd(before) < databaseMs) return stretch.fromMs;
    }
    return Number.POSITIVE_INFINITY;
  }

  /**
   * When rows were written of which only their order and the database's time are known. A walk from
   * either end finds the first and the last stretch that each can belong to.
   */
  placeRows(rows: readonly { readonly databaseMs: number }[]): Between[] {
    const only = this.#stretches[0] as Stretch;
    if (this.#stretches.length === 1) return rows.map((row) => bootIn(only, row.databaseMs));
    const first = this.#walk(rows, 1);
    const last = this.#walk([...rows].reverse(), -1).reverse();
    // In the gap of a step forward the stretch before it is the later instant.
    return rows.map(({ databaseMs }, index) => {
      const [one, other] = [first[index], last[index]].map((place = 0) =>
        bootIn(this.#stretches[place] as Stretch, databaseMs),
      ) as [Between, Between];
      return {
        earliestMs: Math.min(one.earliestMs, other.earliestMs),
        latestMs: Math.max(one.latestMs, other.latestMs),
      };
    });
  }

  /**
   * The place of the nearest stretch, in one direction, that had a row's time on its clock; the
   * next one when this one would turn the order of two rows round.
   */
  #walk(rows: readonly { readonly databaseMs: number }[], direction: 1 | -1): number[] {
    let place = direction === 1 ? 0 : this.#stretches.length - 1;
    let beforeMs = direction * Number.NEGATIVE_INFINITY;
    return rows.map(({ databaseMs }) => {
      for (let at = place; at in this.#stretches; at += direction) {
        const { earliestMs } = bootIn(this.#stretches[at] as Stretch, databaseMs);
        const isInOrder = (earliestMs - beforeMs) * direction >= -disorderMs;
        if (!this.#could(at, databaseMs) || !isInOrder) continue;
        place = at;
        beforeMs = earliestMs;
        break;
      }
      return place;
    });
  }

  #could(place: number, databaseMs: number): boolean {
    const stretch = this.#stretches[place] as Stretch;
    const { earliestMs, latestMs } = bootIn(stretch, databaseMs);
    const nextMs = this.#stretches[place + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const beforeMs = this.#stretches[place - 1]?.untilMs ?? Number.NEGATIVE_INFINITY;
    return latestMs >= beforeMs - slackMs && earliestMs <= nextMs + slackMs;
  }
}

/** A statement that waited has an older time than rows that were written before it. */
const disorderMs = 1_000;

/** A statement's time may be a little older than that of the row before it. */
const slackMs = 5;

/** Two samples that differ by more than this were not noise of taking them. */
const stepMs = 100;

function cutAtSteps(samples: readonly ClockSample[]): Stretch[] {
  if (samples.length === 0) throw new Error('a history needs a sample of the clock');
  const groups: ClockSample[][] = [];
  let beforeMs: number | null = null;
  for (const sample of samples) {
    const offsetMs = sample.databaseMs - sample.atMs;
    const isStep = beforeMs === null || Math.abs(offsetMs - beforeMs) > stepMs;
    if (isStep) groups.push([sample]);
    else groups.at(-1)?.push(sample);
    beforeMs = offsetMs;
  }
  return groups.map(stretchOf);
}

function stretchOf(samples: readonly ClockSample[]): Stretch {
  const offsets = samples.map(({ atMs, databaseMs }) => databaseMs - atMs);
  const [offsetMs = 0] = offsets;
  const agree = offsets.every((each) => Math.abs(each - offsetMs) < sameMs);
  return {
    samples,
    fromMs: samples[0]?.atMs ?? 0,
    untilMs: samples.at(-1)?.atMs ?? 0,
    offsetMs: agree ? offsetMs : null,
  };
}

/** Simulated clocks agree but for what a floating number cannot hold. */
const sameMs = 0.005;

/** The offsets of the samples on both sides of an instant of the one clock or the other. */
function offsetsAt(stretch: Stretch, clock: keyof ClockSample, instantMs: number): Offsets {
  const { samples, offsetMs } = stretch;
  if (offsetMs !== null) return { leastMs: offsetMs, mostMs: offsetMs };
  let low = 0;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((samples[middle] as ClockSample)[clock] <= instantMs) low = middle + 1;
    else high = middle;
  }
  const before = offsetOf((samples[low - 1] ?? samples[low]) as ClockSample);
  const after = offsetOf((samples[low] ?? samples[low - 1]) as ClockSample);
  return { leastMs: Math.min(before, after), mostMs: Math.max(before, after) };
}

function offsetOf({ atMs, databaseMs }: ClockSample): number {
  return databaseMs - atMs;
}

function bootIn(stretch: Stretch, databaseMs: number): Between {
  const { leastMs, mostMs } = offsetsAt(stretch, 'databaseMs', databaseMs);
  return { earliestMs: databaseMs - mostMs, latestMs: databaseMs - leastMs };
}

function offsetAtEnd(stretch: Stretch): number {
  return offsetOf(stretch.samples.at(-1) as ClockSample);
}
