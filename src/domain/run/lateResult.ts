import type { Outcome } from '../errors/outcome.ts';
import type { Execution } from './run.ts';

/** What a launch came to, kept outside of the database until its run row has it. */
export interface LateResult {
  readonly launchId: string;
  readonly execution: Execution;
  /** When it ended by the database's clock, as far as its host knew it; null: it did not. */
  readonly endedMs: number | null;
}

/**
 * Where the database has a launch. `held`: a slot holds it still, so its row is somebody's to
 * write. `lost`: its node was lost, and its result is not recorded. `ended`: there is nothing more
 * to record. `nowhere`: the member that was queried has neither slot nor run of it.
 */
export type LaunchPlace = 'held' | 'lost' | 'ended' | 'nowhere';

/** What the database is queried for results that come after their node was lost. */
export interface LateStore {
  /** By launch id; rejects with the driver's error. */
  findLaunches(launchIds: readonly string[]): Promise<ReadonlyMap<string, LaunchPlace>>;
  /**
   * Completes a `lost` run once, and returns the name of its job; refused when its row says
   * anything else by now.
   */
  recordLate(result: LateResult): Promise<Outcome<string>>;
}

/** The results that one node name of one host keeps on disk. Every function may reject. */
export interface ResultSpool {
  write(result: LateResult): Promise<void>;
  /** One that is not there is no error. */
  remove(launchId: string): Promise<void>;
  /** The launch ids that are there, sorted. */
  list(): Promise<readonly string[]>;
  /** Null: it is gone, or `damage` says why it cannot be read. */
  read(launchId: string): Promise<LateResult | { readonly damage: string } | null>;
  /** How long ago it was written, by the host's wall clock; null: it is gone. */
  ageMs(launchId: string): Promise<number | null>;
}
