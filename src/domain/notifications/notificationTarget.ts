import { randomBytes } from 'node:crypto';
import { type NotificationEvent, notificationEvents } from './notification.ts';

export const targetKinds = ['mail', 'webhook', 'ping'] as const;

/** `ping`: a URL that is requested at each start and end, as healthchecks.io has it. */
export type TargetKind = (typeof targetKinds)[number];

/**
 * Where notifications go: named, so that jobs name it and its address and secret stand in one
 * place.
 */
export interface NotificationTarget {
  readonly name: string;
  readonly kind: TargetKind;
  /** A mail address, or a URL. */
  readonly address: string;
  /** Signs webhooks; never shown again. Null: it has none. */
  readonly secret: string | null;
  /** The events that it is sent of every job, those that do not name it, too. */
  readonly events: readonly NotificationEvent[];
  /** How long a run is, for `long-running` of every job; null: nothing is too long. */
  readonly longMs: number | null;
  /** At most about so many messages a minute; what is more comes together in one. */
  readonly minuteMax: number;
}

export const targetBounds = {
  nameCharactersMax: 64,
  addressCharactersMax: 2_000,
  minuteMax: 10_000,
  longMsMin: 1_000,
  longMsMax: 366 * 24 * 3_600_000,
  targetsMax: 200,
} as const;

/** A ping says how one job is, so that a digest of many would say nothing. */
export const minuteDefaults: Record<TargetKind, number> = { mail: 10, webhook: 60, ping: 300 };

/** What is wrong with a target, and with which part of it. */
interface TargetFault {
  readonly field: 'name' | 'address' | 'events' | 'longMs' | 'minuteMax' | 'secret';
  readonly message: string;
}

/** Everything that is wrong with a target; a URL's host is looked at when something is sent. */
export function checkNotificationTarget(target: NotificationTarget): TargetFault[] {
  const { events, kind, longMs, minuteMax, secret } = target;
  const bounds = targetBounds;
  const fault = (field: TargetFault['field'], message: string | null): TargetFault[] =>
    message === null ? [] : [{ field, message }];
  const unknown = events.find((event) => !notificationEvents.includes(event));
  const isLong = events.includes('long-running');
  return [
    ...fault('name', checkTargetName(target.name)),
    ...fault('address', checkAddress(kind, target.address)),
    ...fault('events', unknown === undefined ? null : `${unknown} is none of ${listed}`),
    ...fault('events', kind === 'ping' && events.length > 0 ? onlyByName : null),
    ...fault('longMs', isLong && longMs === null ? 'is missing: long-running needs it' : null),
    ...fault(
      'longMs',
      longMs === null ? null : checkWhole(longMs, bounds.longMsMin, bounds.longMsMax),
    ),
    ...fault('minuteMax', checkWhole(minuteMax, 1, bounds.minuteMax)),
    ...fault('secret', kind === 'webhook' ? checkSecret(secret) : null),
    ...fault('secret', kind !== 'webhook' && secret !== null ? 'is for webhooks alone' : null),
  ];
}

const listed = notificationEvents.join(', ');
const onlyByName = 'are not for a ping, which says how one job is: name it in the job instead';

/** What is wrong with the name of a target, or null. */
export function checkTargetName(name: string): string | null {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name) && name.length <= targetBounds.nameCharactersMax) {
    return null;
  }
  const most = targetBounds.nameCharactersMax;
  return `${JSON.stringify(name)} is no name: 1 to ${most} letters, digits, dots, _ and -`;
}

function checkAddress(kind: TargetKind, address: string): string | null {
  if (address.length > targetBounds.addressCharactersMax) return 'is too long';
  // Before anything else reads it: what breaks a line makes headers.
  if (/[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(address)) return 'has a control character in it';
  return kind === 'mail' ? checkMailAddress(address) : checkUrl(address);
}

/** One plain address: no name beside it, no list, nothing that a header would read otherwise. */
export function checkMailAddress(address: string): string | null {
  const isPlain = /^[^\s@<>(),;:"\\[\]]{1,64}@[^\s@<>(),;:"\\[\]]{1,255}$/u.test(address);
  return isPlain ? null : `${JSON.stringify(address)} is no mail address such as ops@example.com`;
}

function checkUrl(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return `${JSON.stringify(address)} is no URL`;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is neither https nor http';
  if (url.username !== '' || url.password !== '') return 'has a user or password in it';
  return url.hash === '' ? null : 'has a # in it, which is never sent';
}

/** As standardwebhooks has it: `whsec_` and base64 of 24 to 64 bytes. */
function checkSecret(secret: string | null): string | null {
  if (secret === null) return 'is missing';
  const text = secret.replace(/^whsec_/, '');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
  const bytes = isBase64 ? (text.length / 4) * 3 - (text.match(/=/g)?.length ?? 0) : 0;
  return bytes >= 24 && bytes <= 64 ? null : 'is not whsec_ and base64 of 24 to 64 bytes';
}

/** A new secret to sign webhooks with: 256 random bits. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function checkWhole(value: number, least: number, most: number): string | null {
  const fits = Number.isInteger(value) && value >= least && value <= most;
  return fits ? null : `is ${value}; ${least} to ${most} are allowed`;
}
