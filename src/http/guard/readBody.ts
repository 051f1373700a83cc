import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../authentication/api.ts';
import { connectionOf } from '../authentication/credentials.ts';
import { refusal } from '../problems/refusals.ts';
import { bringsBody } from '../server/bringsBody.ts';
import { networkOf } from '../server/networkOf.ts';
import type { GuardEnv } from './authorize.ts';
import type { GuardParts } from './guardParts.ts';
import { bodyBytesMax, requireSize, takeBody } from './takeBody.ts';

/** What is taken from somebody who has shown no token. */
const openBytesMax = 4 * 1024;

/**
 * Takes a request's body in, within bounds, when its kind is one that the route takes:
 * `mediaTypes`, or JSON where it declares none. It is read, and worked on, when it is the turn of
 * its token: what waits for that is held by the client.
 * @throws OperatorError `body_too_large`, `body_too_slow`, `media_type_unknown`, `malformed`;
 * RetryLater.
 */
export function readBody(
  { bodies, openBodies }: Pick<GuardParts, 'bodies' | 'openBodies'>,
  mediaTypes: readonly string[],
): MiddlewareHandler<ApiEnv> {
  const wanted = mediaTypes.length === 0 ? ['application/json'] : mediaTypes;
  return async (c, next) => {
    const coding = c.req.header('content-encoding');
    if (coding !== undefined && coding !== 'identity') {
      // Little that comes in may become much.
      throw refusal('media_type_unknown', 'A body is taken as it is, not compressed.');
    }
    const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== undefined && !wanted.includes(type)) {
      throw refusal('media_type_unknown', `This takes ${wanted.join(' or ')}.`);
    }
    const { incoming } = c.env as { incoming: Incoming };
    const { holder } = (c as unknown as Context<GuardEnv>).var;
    const isOpen = holder === undefined;
    const bytesMax = isOpen ? openBytesMax : bodyBytesMax;
    requireSize(incoming, bytesMax);
    const share = isOpen ? networkOf(connectionOf(c).address) : holder.tokenId;
    await (isOpen ? openBodies : bodies).run(share, async () => {
      incoming.rawBody = await takeBody(incoming, bytesMax);
      if (type?.endsWith('json')) await requirePlainKeys(c);
      await next();
    });
  };
}

/** The adapter of the framework takes a body from there that was read before. */
type Incoming = IncomingMessage & { rawBody?: Buffer };

/** A GET with a body is a mistake, or somebody who sends something past somebody else. */
export function refuseBody(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { incoming } = c.env as { incoming: Incoming };
    if (bringsBody(incoming)) {
      throw refusal('body_unwanted', 'A request of this method has no body.');
    }
    return next();
  };
}

/**
 * Refuses keys that mean something to every object of the language, wherever they stand, before
 * anybody copies them. What cannot have one in it is not read twice.
 */
async function requirePlainKeys(c: Context<ApiEnv>): Promise<void> {
  const text = await c.req.text();
  if (!/__proto__|constructor|prototype|\\u/.test(text)) return;
  const waiting = [parseJson(text)];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Array.isArray(value) ? [] : Object.keys(value)) {
      if (foreignKeys.has(key)) throw refusal('malformed', `The key ${key} is not allowed.`);
    }
    for (const inner of Object.values(value)) if (typeof inner === 'object') waiting.push(inner);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Too deep for a reader, or no JSON at all.
    throw refusal('malformed', 'The body is no JSON.');
  }
}

const foreignKeys = new Set(['__proto__', 'constructor', 'prototype']);
