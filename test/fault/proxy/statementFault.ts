/**
 * What happens to the statement that a fault waits for. Lost and torn ones cut both connections;
 * to the client all of them look the same.
 */
export type StatementFault =
  /** Cut before the server got any of it: never done. */
  | 'request lost'
  /** Cut when the server had half of it: never done. */
  | 'request torn'
  /** Cut when the server had done it and said so, and the client had heard none of that. */
  | 'reply lost'
  /** Cut when the client had half of the reply. */
  | 'reply torn'
  /** Held, and sent later, even when the client is gone by then: the delayed COMMIT. */
  | 'request delayed'
  /** The server has done it; its whole reply is held and sent later. */
  | 'reply delayed'
  /** Never reaches the server; from then on both sides hear nothing, of an end neither. */
  | 'half-open'
  /** The server does it; the client never hears of that, and from then on both hear nothing. */
  | 'half-open after';

export interface FaultRequest {
  readonly kind: StatementFault;
  /** What the statement's text contains, e.g. its name: `commitBatch commit`. */
  readonly statement: string;
  /** Of the delayed kinds; without it they are held until `release`. */
  readonly delayMs?: number;
  /** So many matching statements pass first. */
  readonly skip?: number;
}

/** A fault that waits for its statement. */
export interface ArmedFault {
  /** True when it was done (a delayed thing: is held); false when it was cancelled before. */
  readonly hit: Promise<boolean>;
  /** Resolves when nothing more comes of it: a held request was answered, a held reply went on. */
  readonly settled: Promise<void>;
  /** Lets the held request or reply go now. */
  release(): void;
  /** Waits no longer; what was hit stays hit. */
  cancel(): void;
}
