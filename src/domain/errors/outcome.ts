/**
 * What a write came to (ARCHITECTURE.md, rule (e)). `committed`: acknowledged by the database.
 * `refused`: the row no longer allows it, itself read under the lock and committed. `unknown`: no
 * reply that says which; only a later read under the lock can settle it.
 */
export type Outcome<T> = Committed<T> | Refused | ReturnType<typeof unknown>;

export interface Committed<T> {
  readonly outcome: 'committed';
  readonly value: T;
}

export interface Refused {
  readonly outcome: 'refused';
  readonly reason: string;
}

export const committed = <T>(value: T): Committed<T> => ({ outcome: 'committed', value });
export const refused = (reason: string): Refused => ({ outcome: 'refused', reason });
export const unknown = (cause: Error) => ({ outcome: 'unknown', cause }) as const;
