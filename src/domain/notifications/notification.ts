/** What a job, or a target for every job, can be notified of. */
export const notificationEvents = [
  'failure',
  'recovery',
  'missed',
  'long-running',
  'node-lost',
] as const;

export type NotificationEvent = (typeof notificationEvents)[number];

/**
 * All that a notification may be about. `start` and `success` are for those alone that a job
 * pings; `digest` stands for many notifications of one target that came at once; `test` is sent by
 * hand.
 */
export type NotificationKind = NotificationEvent | 'start' | 'success' | 'digest' | 'test';

/** Of a notification. `digested`: it was said in another one; `dropped`: it had become moot. */
export const notificationStates = [
  'waiting',
  'sent',
  'digested',
  'dropped',
  'muted',
  'given_up',
] as const;

export type NotificationState = (typeof notificationStates)[number];

/**
 * What a notification says, as it is stored and sent: names, times and ends, but never the
 * command, its variables or its output, which may hold secrets.
 */
export interface NotificationFacts {
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
  /** How long it may run before somebody is notified. */
  readonly longMs?: number;
  /** Of a digest: how many notifications of each kind, and the first of them. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly first?: readonly NotificationLine[];
}

/** A notification inside a digest. */
export type NotificationLine = Pick<NotificationMessage, 'id' | 'event'> &
  Pick<NotificationFacts, 'job' | 'node' | 'launchId' | 'result'>;

/** A notification before it is written. */
export interface NotificationDraft {
  readonly target: string;
  readonly event: NotificationKind;
  /**
   * What it is about, the same whichever node writes it: with event and target it makes the id by
   * which the notification is written once and by which its receiver knows it again.
   */
  readonly subject: string;
  readonly facts: NotificationFacts;
  /** Of the launch that takes it back by ending; absent: nothing does. */
  readonly launchId?: string;
  /** How long after now it is due; absent: it is due now. */
  readonly delayMs?: number;
}

/** A notification on its way. */
export interface NotificationMessage {
  readonly notificationId: number;
  /** Stable: a notification that is sent twice has it twice. */
  readonly id: string;
  readonly event: NotificationKind;
  readonly facts: NotificationFacts;
  /** How often it was tried before. */
  readonly tries: number;
  readonly createdMs: number;
}
