/** A start that is owed within a span, both ends included. */
export interface Target {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A span in which more starts were owed than came: why no matching can exist. */
export interface HallViolator {
  readonly fromMs: number;
  readonly untilMs: number;
  /** The targets whose whole span lies inside. */
  readonly targets: readonly number[];
  readonly runs: number;
}

/**
 * Gives each target a run of its own inside its span, if that can be done (convex bipartite
 * matching): runs are taken in their order, each for the open target that closes first, which is
 * optimal for spans of any widths. O((n + m) log n).
 * @returns null when every target has a run, or the shortest counterexample found.
 */
export function matchTargets(
  targets: readonly Target[],
  runsMs: readonly number[],
): HallViolator | null {
  const order = targets.map((_, place) => place);
  order.sort((a, b) => (targets[a]?.fromMs ?? 0) - (targets[b]?.fromMs ?? 0));
  const runs = [...runsMs].sort((a, b) => a - b);
  const open = new Heap((place) => targets[place]?.untilMs ?? 0);
  let next = 0;
  for (const runMs of runs) {
    while (next < order.length && (targets[order[next] as number]?.fromMs ?? 0) <= runMs) {
      open.push(order[next] as number);
      next += 1;
    }
    const first = open.pop();
    if (first === null) continue;
    if ((targets[first]?.untilMs ?? 0) < runMs) return violatorOf(targets, runs, first);
  }
  const unmatched = open.pop() ?? order[next];
  return unmatched === undefined ? null : violatorOf(targets, runs, unmatched);
}

/**
 * The shortest span that ends where the unmatched target's does and holds more targets than runs.
 * Widening it to the left, one target at a time, must find one: else that target had found a run.
 */
function violatorOf(
  targets: readonly Target[],
  runs: readonly number[],
  unmatched: number,
): HallViolator {
  const { fromMs: latestMs, untilMs } = targets[unmatched] as Target;
  const inside = targets
    .map((target, place) => ({ ...target, place }))
    .filter((target) => target.untilMs <= untilMs)
    .sort((a, b) => b.fromMs - a.fromMs);
  const held: number[] = [];
  let runsInside = 0;
  let after = countUpTo(runs, untilMs);
  for (const { fromMs, place } of inside) {
    held.push(place);
    while (after > 0 && (runs[after - 1] as number) >= fromMs) {
      after -= 1;
      runsInside += 1;
    }
    if (fromMs <= latestMs && held.length > runsInside) {
      return { fromMs, untilMs, targets: held.reverse(), runs: runsInside };
    }
  }
  throw new Error('an unmatched target without a span that shows why');
}

function countUpTo(runs: readonly number[], untilMs: number): number {
  const place = runs.findIndex((runMs) => runMs > untilMs);
  return place < 0 ? runs.length : place;
}

/** A binary heap of places, the least key first. */
class Heap {
  readonly #keyOf: (place: number) => number;
  readonly #places: number[] = [];

  constructor(keyOf: (place: number) => number) {
    this.#keyOf = keyOf;
  }

  push(place: number): void {
    const places = this.#places;
    let at = places.length;
    places.push(place);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#key(parent) <= this.#key(at)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): number | null {
    const places = this.#places;
    const first = places[0];
    const last = places.pop();
    if (first === undefined || last === undefined) return null;
    if (places.length === 0) return first;
    places[0] = last;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      let least = at;
      if (left < places.length && this.#key(left) < this.#key(least)) least = left;
      if (right < places.length && this.#key(right) < this.#key(least)) least = right;
      if (least === at) return first;
      this.#swap(at, least);
      at = least;
    }
  }

  #key(at: number): number {
    return this.#keyOf(this.#places[at] as number);
  }

  #swap(a: number, b: number): void {
    const place = this.#places[a] as number;
    this.#places[a] = this.#places[b] as number;
    this.#places[b] = place;
  }
}
