import { Webhook } from 'standardwebhooks';
import type { NotificationMessage } from '../../domain/notifications/notification.ts';
import { pingRunId } from '../../domain/notifications/notificationId.ts';
import type { NotificationTarget } from '../../domain/notifications/notificationTarget.ts';
import { notificationText } from '../../domain/notifications/notificationText.ts';
import { type RequestParts, sendRequest } from './sendRequest.ts';

interface WebhookParts extends RequestParts {
  /** Of this program, for the user-agent header. */
  readonly version: string;
}

/**
 * Posts a notification as a CloudEvent (structured JSON, https://cloudevents.io, 1.0), signed as
 * standardwebhooks has it: `webhook-id` is the notification's own id.
 * @throws Error that says what was wrong.
 */
export async function sendWebhook(
  target: NotificationTarget,
  message: NotificationMessage,
  parts: WebhookParts,
): Promise<void> {
  const body = JSON.stringify(cloudEvent(message));
  const now = new Date();
  if (target.secret === null) throw new Error('the target has no secret to sign with');
  const signature = new Webhook(target.secret).sign(message.id, now, body);
  const status = await sendRequest(
    {
      url: new URL(target.address),
      method: 'POST',
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'user-agent': userAgent(parts.version),
        'webhook-id': message.id,
        'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
        'webhook-signature': signature,
      },
      body,
    },
    parts,
  );
  requireSuccess(status);
}

/**
 * Requests the URL of a ping, as healthchecks.io has it: `/start` at a start, the URL itself at a
 * success, `/fail` at anything else; `rid` says which start an end belongs to.
 * @throws Error that says what was wrong.
 */
export async function sendPing(
  target: NotificationTarget,
  message: NotificationMessage,
  parts: WebhookParts,
): Promise<void> {
  const headers = { 'user-agent': userAgent(parts.version) };
  const url = pingUrl(target.address, message);
  requireSuccess(await sendRequest({ url, method: 'GET', headers }, parts));
}

/** Exported for its test. */
export function pingUrl(address: string, { event, facts }: NotificationMessage): URL {
  const url = new URL(address);
  const end = event === 'start' ? '/start' : event === 'failure' ? '/fail' : '';
  if (end !== '') url.pathname = `${url.pathname.replace(/\/$/, '')}${end}`;
  if (facts.launchId !== undefined) url.searchParams.set('rid', pingRunId(facts.launchId));
  return url;
}

/** What people and programs get of a notification; exported for its test. */
function cloudEvent(message: NotificationMessage): Record<string, unknown> {
  const { id, event, facts, createdMs } = message;
  const about = facts.job ?? facts.node;
  return {
    specversion: '1.0',
    id,
    source: 'urn:statecron',
    type: `statecron.${facts.job === undefined ? '' : 'job.'}${event}`,
    ...(about === undefined ? {} : { subject: about }),
    time: new Date(createdMs).toISOString(),
    datacontenttype: 'application/json',
    data: { event, text: notificationText(message).subject, ...facts },
  };
}

function requireSuccess(status: number): void {
  if (status >= 200 && status < 300) return;
  const isRedirect = status >= 300 && status < 400;
  throw new Error(`the answer was ${status}${isRedirect ? ', which is not followed' : ''}`);
}

function userAgent(version: string): string {
  return `statecron/${version}`;
}
