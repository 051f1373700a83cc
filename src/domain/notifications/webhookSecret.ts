import { randomBytes } from 'node:crypto';

/** A new secret to sign webhooks with, as standardwebhooks writes them: 256 random bits. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
