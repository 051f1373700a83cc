/** The rules of the judge, files of test/checkers/rules; P19 is C6, policies are C11 and C12. */
export type Rule = `C${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12}`;

/** A broken promise with the smallest counterexample that shows it. */
export interface Violation {
  readonly rule: Rule;
  /** The promise of the design that is broken, e.g. `P6`. */
  readonly promise: string;
  /** One sentence as a person would tell it. */
  readonly what: string;
  /** When it was broken, by the host's boot clock. */
  readonly atMs: number;
  readonly job: string | null;
  readonly launchId: string | null;
  /** All launches that it is about, the accused one among them. */
  readonly launches: readonly string[];
  readonly node: string | null;
  /** What led to it, in the order of time. */
  readonly timeline: readonly TimelineEntry[];
}

export interface TimelineEntry {
  readonly atMs: number;
  readonly text: string;
}
