import type { JobPolicies } from '../../src/domain/job/jobPolicies.ts';

/** One simulated world as plain data: made from a seed, run, and made smaller by the shrinker. */
export interface Scenario {
  readonly seed: number;
  /** What the database takes for now when the world begins. */
  readonly epochMs: number;
  readonly nodes: readonly string[];
  readonly ttlMs: number;
  readonly concurrency: number;
  readonly capacity: number;
  readonly horizonMs: number;
  readonly drainTimeoutMs: number;
  /** One way between a client and the database, milliseconds: the least and the most. */
  readonly latencyMs: readonly [number, number];
  /** From the start until everything is healed. */
  readonly activeMs: number;
  readonly jobs: readonly PlannedJob[];
  readonly faults: readonly PlannedFault[];
  readonly operations: readonly PlannedOperation[];
  /** A bug that is planted, to see that it is found; null in every honest run. */
  readonly mutation: Mutation | null;
}

export interface PlannedJob {
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string;
  readonly lastsMs: readonly [number, number];
  readonly timeoutMs: number | null;
  /** Absent: none. */
  readonly policies?: JobPolicies;
}

export const faultKinds = [
  'partition',
  'reply lost',
  'request lost',
  'commit delayed',
  'commit conflicts',
  'statement refused',
  'node killed',
  'node frozen',
  'node drained',
  'guardian killed',
  'database stopped',
  'database crashed',
  'clock stepped',
  'stripes held',
  'session lock held',
  'lock row missing',
  'broken invariant',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/** Times are counted from the start of the world. */
export interface PlannedFault {
  readonly kind: FaultKind;
  /** A node, `database`, or `operator` for the operator's own way to the database. */
  readonly target: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** Of lost and refused statements: how many of them. Of a clock: the step in milliseconds. */
  readonly size: number;
}

export interface PlannedOperation {
  readonly kind: 'edit' | 'pause' | 'resume' | 'remove' | 'run' | 'stop' | 'add';
  readonly job: string;
  readonly atMs: number;
  /** What an edit sets, and the schedule of a job that is added. */
  readonly schedule: string;
}

/** Bugs that the simulation must find, each in its own way. */
export const mutations = [
  /** An unknown outcome of a start is taken for a yes. */
  'unknown start taken for yes',
  /** Sessions are ended whose beats stood still for half a second. */
  'reaper does not wait',
  /** Transactions take the locks that others hold. */
  'locks do not exclude',
  /** What is left of a dead process goes on. */
  'guardian does not sweep',
  /** A frozen process comes back after its lease. */
  'guardian does not watch',
  /** Memory knows slots, and not launches. */
  'set keyed by slot id',
  /** Whatever the slot holds is reset. */
  'reset without launch id',
] as const;

export type Mutation = (typeof mutations)[number];
