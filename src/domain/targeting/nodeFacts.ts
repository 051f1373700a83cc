/** What targeting needs of a node: a live session, as its own row describes it. */
export interface NodeFacts {
  readonly nodeName: string;
  /**
   * 1: it takes the work while it lives; 2, 3 …: while nobody of a lower number lives; 0: never;
   * -1: it takes no part in the choice, and executes every tick itself. Compared as numbers.
   */
  readonly level: number;
  /** `name` or `name=value`. */
  readonly labels: readonly string[];
  /** The newest definition format that it understands. */
  readonly definitionFormat: number;
  /** It is about to leave and claims nothing more, so it stands in nobody's way. */
  readonly isDraining: boolean;
  /** That is so since an operator cordoned it, and it stays; absent: it is not. */
  readonly isCordoned?: boolean;
  /** Those that it runs jobs as which name a user; null: it does not say, and is to be tried. */
  readonly users: readonly string[] | null;
}

/** A live session, as the claims of all others see it. */
export interface LiveNode extends NodeFacts {
  readonly sessionId: string;
}

/** The members of every group, by the group's name, as edited at run time. */
export type NodeGroups = ReadonlyMap<string, ReadonlySet<string>>;

/** What a node is that says nothing of itself, as those of the first releases. */
export const plainNode = {
  level: 1,
  labels: [],
  definitionFormat: 2,
  isDraining: false,
  users: null,
} as const satisfies Partial<NodeFacts>;

interface Renewal {
  readonly renewedAgoMs: number;
  readonly ttlMs: number;
}

/**
 * Whether it has missed renewals, which come 15 times in its time to live: if it is dead, others
 * take its place when its session is over.
 */
export function isQuiet({ renewedAgoMs, ttlMs }: Renewal): boolean {
  return renewedAgoMs > ttlMs / 5;
}

/** Whether it has not renewed its session for half of its time to live. */
export function isSilent(session: Renewal): boolean {
  return session.renewedAgoMs > session.ttlMs / 2;
}
