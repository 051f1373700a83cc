import type { NotificationMessage } from './notification.ts';
import type { NotificationTarget, TargetKind } from './notificationTarget.ts';

/** What this node has to send to one target: nobody else sends to it meanwhile. */
export interface NotificationBatch {
  readonly target: NotificationTarget;
  readonly messages: readonly NotificationMessage[];
  /** How often in a row it has failed. */
  readonly failures: number;
}

export interface NotificationsTaken {
  readonly batches: readonly NotificationBatch[];
  /** How long the targets are this node's, from its request on. */
  readonly leaseMs: number;
}

/** What became of a message; `error` says what was wrong and holds nothing of an answer's text. */
export type NotificationOutcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly error: string };

export interface NotificationsSettled {
  readonly target: string;
  /** How often in a row it had failed before. */
  readonly failures: number;
  /** Those that were tried, in order; after a failure the others wait for the next round. */
  readonly tried: readonly {
    readonly message: NotificationMessage;
    readonly outcome: NotificationOutcome;
  }[];
}

/**
 * What a node needs of the outbox of notifications. Every function rejects with the driver's error.
 */
export interface NotificationStore {
  /**
   * Takes targets that have something due, for a while and against other nodes, and what is due of
   * each, bounded. Also reads the rules for every job anew.
   */
  takeNotifications(kinds: readonly TargetKind[]): Promise<NotificationsTaken>;
  /** Writes down what was sent and what was not, and lets the targets go. May be repeated. */
  settleNotifications(settled: readonly NotificationsSettled[]): Promise<void>;
}

/** Sends one message; resolves, within a bounded time, whatever happens. */
export interface NotificationSender {
  /** What it can send: mail only with a mail server. */
  readonly kinds: readonly TargetKind[];
  send(target: NotificationTarget, message: NotificationMessage): Promise<NotificationOutcome>;
}
