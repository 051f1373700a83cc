/** A slot that a session holds according to the database. */
export interface HeldSlot {
  readonly slotId: number;
  readonly stripe: number;
  readonly launchId: string;
  /** An operator requested that the run be stopped. */
  readonly stopRequested: boolean;
  /** It executes, and the next tick of its job has come by the database's clock. */
  readonly isOverlapped: boolean;
  /** That tick was due before it started: it is of a backlog that is made up for in order. */
  readonly isBehind: boolean;
}

/**
 * What the compensator compares: the own session's rows, and prepared ones that others let pass.
 */
export interface HeldLook {
  readonly own: readonly HeldSlot[];
  readonly overdue: readonly HeldSlot[];
  /** Own launches whose output somebody follows. */
  readonly followed: readonly string[];
}

/** Which of the three a look is to read; what it does not is empty. */
export interface HeldParts {
  readonly own: boolean;
  readonly overdue: boolean;
  readonly followed: boolean;
}

export const allHeldParts: HeldParts = { own: true, overdue: true, followed: true };

/** What an unlocked look for work found: stripes with something due, and how many slots it saw. */
export interface DueLook {
  readonly stripes: readonly number[];
  readonly slots: number;
}
