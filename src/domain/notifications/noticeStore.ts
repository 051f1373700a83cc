import type { NoticeMessage } from './notice.ts';
import type { NoticeTarget, TargetKind } from './noticeTarget.ts';

/** What this node has to send to one target: nobody else sends to it meanwhile. */
export interface NoticeBatch {
  readonly target: NoticeTarget;
  readonly messages: readonly NoticeMessage[];
  /** How often in a row it has failed. */
  readonly failures: number;
}

export interface NoticesTaken {
  readonly batches: readonly NoticeBatch[];
  /** How long the targets are this node's, from when it asked. */
  readonly leaseMs: number;
}

/** What became of a message; `error` says what was wrong and holds nothing of an answer's text. */
export type NoticeOutcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly error: string };

export interface NoticesSettled {
  readonly target: string;
  /** How often in a row it had failed before. */
  readonly failures: number;
  /** Those that were tried, in order; after a failure the others wait for the next round. */
  readonly tried: readonly { readonly message: NoticeMessage; readonly outcome: NoticeOutcome }[];
}

/** What a node asks of the outbox of notices. Every function rejects with the driver's error. */
export interface NoticeStore {
  /**
   * Takes targets that have something due, for a while and against other nodes, and what is due of
   * each, bounded. Also learns what is to be told of every job from now on.
   */
  takeNotices(kinds: readonly TargetKind[]): Promise<NoticesTaken>;
  /** Writes down what was sent and what was not, and lets the targets go. May be asked twice. */
  settleNotices(settled: readonly NoticesSettled[]): Promise<void>;
}

/** Sends one message; resolves, within a bounded time, whatever happens. */
export interface NoticeSender {
  /** What it can send: mail only with a mail server. */
  readonly kinds: readonly TargetKind[];
  send(target: NoticeTarget, message: NoticeMessage): Promise<NoticeOutcome>;
}
