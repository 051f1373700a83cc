/** The promises of the system by number, in the words of the table that people read. */
export const promises = {
  P1: 'of two overlapping transactions with the same lock at most one commits',
  P2: 'only the arrows of the lifecycle happen, guarded by state, launch id and session',
  P3: 'a slot that is not idle has a launch and a session row',
  P4: 'a child is spawned only after its acknowledged start, with a good lease, checked last',
  P5: "a tick's attempt starts at most once",
  P6: 'the process trees of two launches of one slot never live at once',
  P7: 'of an ended session nothing writes and nothing lives',
  P8: 'kill comes before reap',
  P9: 'launch ids are never used again',
  P10: 'exactly one run row per started launch, with the slot in one transaction',
  P11: "a dead node's slots and unknown launches are idle again within their bounds",
  P12: 'no tick starts early; missed ticks cost the same whatever their number',
  P13: 'a silent lock holder blocks for a bounded time, and a heartbeat never',
  P14: 'after an acknowledged pause, edit or removal nothing starts against it',
  P15: 'memory changes only after an acknowledged commit',
  P16: 'output, queues, batches and children are bounded',
  P17: 'steps of the wall clock touch none of this',
  P18: 'two versions run side by side on one database',
  P19: 'every tick is accounted for, once',
  P20: 'nobody who asks over HTTP is let in further than a token in force says',
  P21: 'what a client sends is bounded, and is data',
  P22: 'a change of an operator is in the audit log, and a repeat of it is not made',
  P23: 'who asks to be told is told at least once by one id, and nothing inside is spoken to',
} as const;

export type PromiseNumber = keyof typeof promises;

/** One exchange of text in one file of the checkout; the text must stand there exactly once. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * How a mutation is caught. `assertion`: a test's assertion fails. `deadline`: what the test waits
 * for never comes. Else the test fails with an error that says this.
 */
export type Shown = 'assertion' | 'deadline' | { readonly says: string };

/** A change of the code that breaks a promise, and the test that has to fail of it. */
export interface Mutation extends Edit {
  readonly id: string;
  readonly promise: PromiseNumber;
  /** What the broken code does, for the table: "the launcher does not look at the lease". */
  readonly what: string;
  /** What else has to change for the mutation to be whole. */
  readonly more?: readonly Edit[];
  /** `title`: a piece of the test's title as it stands in its file. */
  readonly test: { readonly file: string; readonly title: string };
  /** `assertion` by default. */
  readonly shown?: Shown;
  /** How the promise would be broken in life. */
  readonly why: string;
}

export function editsOf(mutation: Mutation): readonly Edit[] {
  return [mutation, ...(mutation.more ?? [])];
}
