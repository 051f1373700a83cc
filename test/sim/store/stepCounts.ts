/** What a step of the store comes upon: the statements that it stands for depend on it. */
export type Counted =
  | ('openSessions' | 'isOnly' | 'liveSessions' | 'openNodes' | 'isFirstLook' | 'looksForDue')
  | ('newTargeting' | 'newRevisions')
  | ('stripes' | 'stripesTaken')
  | ('parts' | 'scanned' | 'due' | 'isDueFull' | 'held' | 'overdue' | 'followed')
  | ('claims' | 'pendingPlaces' | 'pending' | 'ranges' | 'missed' | 'launched' | 'cursors')
  | ('starts' | 'startsRefused' | 'finishes' | 'finished' | 'failures')
  | ('resets' | 'found' | 'putBack' | 'unfinished' | 'released')
  | ('reaps' | 'reapedStripes' | 'reaped' | 'outputs' | 'launches' | 'firstRound');

/** The counts of one step. */
export class StepCounts {
  readonly #counts = new Map<Counted, number>();

  add(what: Counted, by = 1): void {
    this.#counts.set(what, this.of(what) + by);
  }

  of(what: Counted): number {
    return this.#counts.get(what) ?? 0;
  }
}

/** Counts what is taken of something. */
export function* countEach<T>(all: Iterable<T>, counts: StepCounts, what: Counted): Generator<T> {
  for (const each of all) {
    counts.add(what);
    yield each;
  }
}
