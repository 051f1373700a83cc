import { createHash } from 'node:crypto';
import type { NotificationDraft } from './notification.ts';

/**
 * The id of a notification: the same for the same event of the same launch (or range, or session)
 * to the same target, whichever node writes or sends it. A hash, since ids go into headers and
 * URLs.
 */
export function notificationId(
  draft: Pick<NotificationDraft, 'subject' | 'event' | 'target'>,
): string {
  const { subject, event, target } = draft;
  return `ntc_${digestOf([subject, event, target])}`;
}

/** The id of a digest: that of what it stands for. */
export function digestId(target: string, ids: readonly string[]): string {
  return `ntc_${digestOf([target, ...ids])}`;
}

/** A launch as a UUID, by which the receiver of pings knows the start of an end. */
export function pingRunId(launchId: string): string {
  const hex = createHash('sha256').update(`ping ${launchId}`).digest('hex');
  // Version 8 (what makes it is our own), variant 2, as RFC 9562 has it.
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

function digestOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
