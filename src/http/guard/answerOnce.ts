import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import type { KeyClaim } from '../../domain/access/changedBy.ts';
import type { Channel } from '../../store/connection/channel.ts';
import {
  forgetKey,
  type KeptAnswer,
  keepAnswer,
  releaseKey,
  takeKey,
} from '../../store/idempotency/takeKey.ts';
import type { ApiEnv } from '../authentication/api.ts';
import { refusal } from '../problems/refusals.ts';
import type { GuardEnv } from './authorize.ts';
import type { GuardParts } from './guardParts.ts';

const keyCharactersMax = 200;

/**
 * Makes the change that comes with an Idempotency-Key once, however often and at whichever nodes it
 * arrives: a repeat is given the answer that the first was given. When that was lost with its node,
 * the repeat does the request again, and the store finds what is committed of it: by the creation
 * id, which comes from the key, or in the audit log.
 * @param isKept false: the answer holds a secret; a repeat is answered anew, without it
 * @throws OperatorError `idempotency_key_wrong`, `idempotency_key_reused`, `idempotency_held`.
 */
export function answerOnce(parts: GuardParts, isKept: boolean): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    const c = context as unknown as Context<GuardEnv>;
    const key = c.req.header('idempotency-key');
    if (key === undefined) return next();
    const { tokenId } = c.get('holder');
    const keyHash = hashOf([tokenId, requireKey(key)]);
    const { pathname, search } = new URL(c.req.url);
    const body = new Uint8Array(await c.req.arrayBuffer());
    const requestHash = hashOf([c.req.method, pathname + search, body]);
    const take = (channel: Channel) => takeKey(channel, keyHash, requestHash);
    const taken = await parts.pool.use(null, take, tokenId);
    if (taken.found === 'answered') return replay(taken.answer);
    if (taken.found === 'held') {
      throw refusal(
        'idempotency_held',
        'The first request with this Idempotency-Key is still being answered.',
      );
    }
    if (taken.found === 'other') {
      throw refusal(
        'idempotency_key_reused',
        'This Idempotency-Key came with another request before.',
      );
    }
    c.set('keyClaim', taken.claim);
    c.set('creationId', Buffer.from(keyHash).toString('hex').slice(0, 32));
    await next();
    await settle(c, parts, taken.claim, isKept);
  };
}

function requireKey(key: string): string {
  if (key.length <= keyCharactersMax && /^[\x21-\x7e]+$/.test(key)) return key;
  const wanted = `1 to ${keyCharactersMax} visible ASCII characters`;
  throw refusal('idempotency_key_wrong', `The Idempotency-Key must be ${wanted}.`);
}

function hashOf(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest();
}

function replay({ body, headers, status }: KeptAnswer): Response {
  const all = { ...headers, 'idempotency-replayed': 'true' };
  return new Response(status === 204 ? null : new Uint8Array(body), { status, headers: all });
}

/**
 * Keeps the answer before it is given. An answer that cannot be kept is given nevertheless: the
 * change is made, and a repeat finds it.
 */
async function settle(
  c: Context<GuardEnv>,
  { pool, trouble }: GuardParts,
  claim: KeyClaim,
  isKept: boolean,
): Promise<void> {
  const { tokenId } = c.get('holder');
  const { ok, status } = c.res;
  try {
    if (c.get('isDry') || (status >= 400 && status < 500)) {
      await pool.use(null, (channel) => forgetKey(channel, claim), tokenId);
      return;
    }
    if (!ok || !isKept) {
      await pool.use(null, (channel) => releaseKey(channel, claim), tokenId);
      return;
    }
    const body = new Uint8Array(await c.res.clone().arrayBuffer());
    const headers: Record<string, string> = {};
    for (const name of keptHeaders) {
      const value = c.res.headers.get(name);
      if (value !== null) headers[name] = value;
    }
    const answer = { status, headers, body };
    await pool.use(null, (channel) => keepAnswer(channel, claim, answer), tokenId);
  } catch (error) {
    trouble('an answer was not kept for repeats of its request', error);
  }
}

const keptHeaders = ['content-type', 'location', 'etag'] as const;
