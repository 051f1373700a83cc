/** What a job, or a target for every job, asks to be told of. */
export const noticeEvents = ['failure', 'recovery', 'missed', 'long-running', 'node-lost'] as const;

export type NoticeEvent = (typeof noticeEvents)[number];

/**
 * All that a notice may be about. `start` and `success` are told to those alone that a job pings;
 * `digest` stands for many notices of one target that came at once; `test` was asked for by hand.
 */
export type NoticeKind = NoticeEvent | 'start' | 'success' | 'digest' | 'test';

/**
 * What a notice tells, as it is stored and sent: names, times and ends, but never the command, its
 * variables or its output, which may hold secrets.
 */
export interface NoticeFacts {
  readonly job?: string;
  readonly group?: string;
  /** The node that had it. */
  readonly node?: string;
  readonly launchId?: string;
  readonly sessionId?: string;
  readonly result?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly reason?: string | null;
  readonly attempt?: number;
  readonly trigger?: string;
  /** ISO instants, as the rest of them. */
  readonly scheduledFor?: string;
  /** The last tick of a range. */
  readonly scheduledUntil?: string;
  readonly ticks?: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** How long it may run before somebody is told. */
  readonly longMs?: number;
  /** Of a digest: how many notices of each kind, and the first of them. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly first?: readonly NoticeLine[];
}

/** A notice that is told of inside a digest. */
export interface NoticeLine {
  readonly id: string;
  readonly event: NoticeKind;
  readonly job?: string;
  readonly node?: string;
  readonly launchId?: string;
  readonly result?: string;
}

/** A notice before it is written. */
export interface NoticeDraft {
  readonly target: string;
  readonly event: NoticeKind;
  /**
   * What it is about, the same whoever tells it: with event and target it makes the id by which the
   * notice is written once and by which its receiver knows it again.
   */
  readonly subject: string;
  readonly facts: NoticeFacts;
  /** Of the launch that takes it back by ending; absent: nothing does. */
  readonly launchId?: string;
  /** How long after now it is due; absent: it is due now. */
  readonly delayMs?: number;
}

/** A notice on its way. */
export interface NoticeMessage {
  readonly noticeId: number;
  /** Stable: a notice that is sent twice has it twice. */
  readonly id: string;
  readonly event: NoticeKind;
  readonly facts: NoticeFacts;
  /** How often it was tried before. */
  readonly tries: number;
  readonly createdMs: number;
}
