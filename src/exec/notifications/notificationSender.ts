import { setTimeout as sleep } from 'node:timers/promises';
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import type {
  NotificationOutcome,
  NotificationSender,
} from '../../domain/notifications/notificationStore.ts';
import type {
  NotificationTarget,
  TargetKind,
} from '../../domain/notifications/notificationTarget.ts';
import { makeAddressRules } from './addressRules.ts';
import { type MailServer, sendMail } from './mailSender.ts';
import { sendPing, sendWebhook } from './webhookSender.ts';

/** How a node may send. */
export interface SenderSettings {
  /** Null: it sends no mail, and leaves that to nodes that do. May change while it runs. */
  mailServer: MailServer | null;
  /** Addresses and ranges inside that webhooks and pings may go to. */
  readonly webhookAllow: readonly string[];
}

/** Whatever a mail server or a resolver does: the lease of a target is longer. */
const sendMsMax = 35_000;

/** Makes what sends the notifications of a node; nothing is opened before the first of them. */
export function createNotificationSender(
  settings: SenderSettings = { mailServer: null, webhookAllow: [] },
  version: string,
): NotificationSender {
  const parts = { rules: makeAddressRules(settings.webhookAllow), version };
  const send = async (target: NotificationTarget, message: NotificationMessage): Promise<void> => {
    if (target.kind === 'webhook') return sendWebhook(target, message, parts);
    if (target.kind === 'ping') return sendPing(target, message, parts);
    const { mailServer } = settings;
    if (mailServer === null) throw new Error('this node has no mail server');
    return sendMail(mailServer, target.address, message);
  };
  return {
    get kinds(): readonly TargetKind[] {
      return settings.mailServer === null ? ['webhook', 'ping'] : ['mail', 'webhook', 'ping'];
    },
    send: (target, message) => outcomeOf(send(target, message)),
  };
}

async function outcomeOf(sending: Promise<void>): Promise<NotificationOutcome> {
  const clock = new AbortController();
  const late = sleep(sendMsMax, undefined, { signal: clock.signal, ref: false }).then(() => {
    throw new Error(`not sent within ${sendMsMax / 1000} s`);
  });
  try {
    await Promise.race([sending, late]);
    return { sent: true };
  } catch (error) {
    return { sent: false, error: oneLine(error) };
  } finally {
    clock.abort();
    late.catch(() => undefined); // it was only a clock
  }
}

/** Answers of mail servers come from outside: no control character of theirs is kept. */
function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 300);
}
