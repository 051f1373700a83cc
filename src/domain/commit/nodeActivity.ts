/** One actor of a node and the state of its machine. */
export interface ActorShown {
  readonly actor: string;
  readonly machine: string;
  /** As a path, e.g. `prepare.waiting`. */
  readonly state: string;
}

/** How often the actors of a machine have taken one of its transitions. */
export interface TransitionCount {
  readonly machine: string;
  /** Both as they are named in the drawing: `slot.prepare.waiting`. `to`: null: it stays inside. */
  readonly from: string;
  readonly to: string | null;
  /** What made it happen: a message, `after DELAY`, `done ACTOR`, `error ACTOR` or `always`. */
  readonly event: string;
  /** The condition that the transition has, if any. */
  readonly guard: string | null;
  readonly count: number;
}

/** How often a guard of a machine has allowed a transition, and how often not. */
export interface GuardCount {
  readonly machine: string;
  readonly guard: string;
  readonly allowed: number;
  readonly refused: number;
}

/** A message about a launch that an actor of its node was sent. */
export interface LaunchMessage {
  /** By the database's clock. */
  readonly atMs: number;
  /** Null: from outside, a timer or a promise. */
  readonly from: string | null;
  readonly to: string;
  readonly event: string;
  /** Where it took the machine of the slot; null: it is for another one, or changed nothing. */
  readonly state: string | null;
}

/** Whether it took the slot's machine to where a launch is over. */
export function isLaunchEnd({ state }: LaunchMessage): boolean {
  return state === 'idle' || state === 'reset';
}

/** The messages of a launch while somebody looked at what nodes do. */
export interface WatchedLaunch {
  readonly launchId: string;
  readonly messages: readonly LaunchMessage[];
}

/** What the actors of one node are doing and have done since its session began. */
export interface NodeActivity {
  readonly actors: readonly ActorShown[];
  /** How many actors of slots are in each state. */
  readonly slots: Readonly<Record<string, number>>;
  readonly transitions: readonly TransitionCount[];
  readonly guards: readonly GuardCount[];
  /** Absent: it is of a version that keeps none. */
  readonly launches?: readonly WatchedLaunch[];
}
