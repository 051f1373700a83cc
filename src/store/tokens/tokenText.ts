import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A token's public part and the hash of the whole: all that is ever stored of it. */
interface TokenKey {
  readonly tokenId: string;
  readonly hash: Uint8Array;
}

export interface NewToken {
  readonly text: string;
  readonly key: TokenKey;
}

const secretBytes = 32;

/**
 * Makes a token: `statecron_ID_SECRET`. The prefix lets scanners of sources know it, the id lets
 * people distinguish tokens, the secret has 256 random bits.
 */
export function makeTokenText(): NewToken {
  const tokenId = randomBytes(6).toString('hex');
  const text = `statecron_${tokenId}_${makeSecret()}`;
  return { text, key: { tokenId, hash: hashSecret(text) } };
}

/** Reads what a client sends as its token; null when it cannot be one. */
export function readTokenText(text: string): TokenKey | null {
  const match = /^statecron_([0-9a-f]{12})_[A-Za-z0-9_-]{43}$/.exec(text);
  return match === null ? null : { tokenId: match[1] as string, hash: hashSecret(text) };
}

/** 256 random bits as 43 characters that need no quoting anywhere. */
export function makeSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/**
 * A plain SHA-256: what has 256 random bits needs no slow hash, since nobody can try them all.
 */
export function hashSecret(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

/** Compares hashes in constant time. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
