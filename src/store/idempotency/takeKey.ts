import type { KeyClaim } from '../../domain/access/changedBy.ts';
import type { Channel } from '../connection/channel.ts';
import { bytes, flag, integer, jsonOf, nullable, rowOf } from '../rows/row.ts';

/** An answer as it is kept for repeats. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * `taken`: the request is the key's holder and does its work. `answered`: it was done, with this
 * answer. `held`: another request does it now. `other`: the key came with another request before.
 */
type KeyTaken =
  | { readonly found: 'taken'; readonly claim: KeyClaim }
  | { readonly found: 'answered'; readonly answer: KeptAnswer }
  | { readonly found: 'held' }
  | { readonly found: 'other' };

/**
 * A holder that is silent for so long is believed gone. It need not be: its changes name its number
 * in the key's row (`writeAudit`), and that number is not the holder's any more.
 */
const heldSecondsMax = 60;

/** Takes an idempotency key for a request, on whichever node either of them arrives. */
export async function takeKey(
  channel: Channel,
  keyHash: Uint8Array,
  requestHash: Uint8Array,
): Promise<KeyTaken> {
  if ((await channel.change(insertKey, [keyHash, requestHash])) === 1) {
    return { found: 'taken', claim: { keyHash, takenNo: 1 } };
  }
  const [row] = await channel.rows(keyFound, selectKey, [heldSecondsMax, keyHash]);
  // The cleaner took it away just now; a repeat finds it free.
  if (row === undefined) return { found: 'held' };
  const { status, headers, body, isHeld, takenNo } = row;
  if (!row.requestHash.equals(requestHash)) return { found: 'other' };
  if (status !== null && headers !== null && body !== null) {
    return { found: 'answered', answer: { status, headers, body } };
  }
  if (isHeld) return { found: 'held' };
  if ((await channel.change(takeOver, [keyHash, takenNo])) !== 1) return { found: 'held' };
  return { found: 'taken', claim: { keyHash, takenNo: takenNo + 1 } };
}

/** Keeps the answer for repeats, if the key is still this request's. */
export async function keepAnswer(
  channel: Channel,
  { keyHash, takenNo }: KeyClaim,
  { status, headers, body }: KeptAnswer,
): Promise<void> {
  const values = [status, JSON.stringify(headers), body, keyHash, takenNo];
  await channel.change(writeAnswer, values);
}

/**
 * Lets go of a key whose request was answered with nothing worth keeping: a fault, of which nobody
 * may know what came of it. The next repeat takes it over at once, and finds what was committed.
 */
export async function releaseKey(channel: Channel, claim: KeyClaim): Promise<void> {
  await channel.change(letGo, [claim.keyHash, claim.takenNo]);
}

/**
 * Forgets a key whose request was refused or a dry run, so that no row is left of it and a repeat
 * is a new request. One that was taken over keeps its row: by it the earlier holder sees that.
 */
export async function forgetKey(channel: Channel, claim: KeyClaim): Promise<void> {
  if (claim.takenNo > 1) return releaseKey(channel, claim);
  await channel.change(deleteKey, [claim.keyHash]);
}

const deleteKey = `/* forgetKey */ DELETE FROM idempotency_key
  WHERE key_hash = ? AND taken_no = 1 AND status IS NULL`;
const insertKey = `/* takeKey */ INSERT IGNORE INTO idempotency_key
    (key_hash, request_hash, made_at, taken_at) VALUES (?, ?, NOW(3), NOW(3))`;
const keyFound = rowOf({
  requestHash: bytes,
  status: nullable(integer),
  headers: nullable(jsonOf<KeptAnswer['headers']>()),
  body: nullable(bytes),
  takenNo: integer,
  isHeld: flag,
});
const selectKey = `/* takeKey read */ SELECT request_hash, status, headers, body, taken_no,
    taken_at > NOW(3) - INTERVAL ? SECOND AS is_held
  FROM idempotency_key WHERE key_hash = ?`;
const takeOver = `/* takeKey over */ UPDATE idempotency_key
  SET taken_no = taken_no + 1, taken_at = NOW(3)
  WHERE key_hash = ? AND taken_no = ? AND status IS NULL`;
const writeAnswer = `/* keepAnswer */ UPDATE idempotency_key SET status = ?, headers = ?, body = ?
  WHERE key_hash = ? AND taken_no = ?`;
const letGo = `/* releaseKey */ UPDATE idempotency_key SET taken_at = '2000-01-01'
  WHERE key_hash = ? AND taken_no = ? AND status IS NULL`;
