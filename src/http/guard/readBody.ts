import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import type { RouteConfig } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../authentication/api.ts';
import { refusal } from '../problems/refusals.ts';
import { networkOf } from '../server/networkOf.ts';
import { bodyMsMax, patienceMs } from '../server/patience.ts';
import type { GuardEnv } from './authorize.ts';
import type { GuardParts } from './guardParts.ts';

/** The most that a request may bring, counted as it comes in. */
const bodyBytesMax = 256 * 1024;
const firstBytes = 1024;
/** What is taken from somebody who has shown no token. */
const openBytesMax = 4 * 1024;

/**
 * Takes a request's body in, within bounds, when its kind is one that the route takes: those that
 * it declares, or JSON where it declares none. It is read, and worked on, when it is the turn of
 * its token: what waits for that is held by the client. Nothing is as good as `{}` where a body may
 * be left out, whatever type the client names for it.
 * @throws OperatorError `body_too_large`, `body_too_slow`, `media_type_unknown`, `malformed`;
 * RetryLater.
 */
export function readBody(
  { bodies, openBodies }: Pick<GuardParts, 'bodies' | 'openBodies'>,
  { content, required = false }: DeclaredBody = { content: {} },
): MiddlewareHandler<ApiEnv> {
  const mediaTypes = Object.keys(content);
  const wanted = mediaTypes.length === 0 ? ['application/json'] : mediaTypes;
  return async (c, next) => {
    const coding = c.req.header('content-encoding');
    if (coding !== undefined && coding !== 'identity') {
      // Little that comes in may become much.
      throw refusal(
        'media_type_unknown',
        'The body is compressed; only uncompressed ones are taken.',
      );
    }
    const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== undefined && !wanted.includes(type)) {
      throw refusal('media_type_unknown', `The Content-Type has to be ${wanted.join(' or ')}.`);
    }
    const { incoming } = c.env as { incoming: Incoming };
    const { holder } = (c as unknown as Context<GuardEnv>).var;
    const isOpen = holder === undefined;
    const bytesMax = isOpen ? openBytesMax : bodyBytesMax;
    requireSize(incoming, bytesMax);
    const share = isOpen ? networkOf(c.var.client.address) : holder.tokenId;
    await (isOpen ? openBodies : bodies).run(share, async () => {
      const body = await takeBody(incoming, bytesMax);
      incoming.rawBody = body.length === 0 && !required && type !== undefined ? emptyObject : body;
      if (type?.endsWith('json')) await requirePlainKeys(c);
      await next();
    });
  };
}

/** The body of a route as it is declared. */
type DeclaredBody = NonNullable<NonNullable<RouteConfig['request']>['body']>;

const emptyObject = Buffer.from('{}');

/** The adapter of the framework takes a body from there that was read before. */
type Incoming = IncomingMessage & { rawBody?: Buffer };

/** A GET with a body is a mistake, or somebody who sends something past somebody else. */
export function refuseBody(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { incoming } = c.env as { incoming: Incoming };
    const { 'content-length': length = '0', 'transfer-encoding': coding } = incoming.headers;
    if (length !== '0' || coding) {
      throw refusal('body_unwanted', 'A request of this method cannot have a body.');
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
    throw refusal('malformed', 'The body is not valid JSON.');
  }
}

const foreignKeys = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * The body of a request, from the connection itself: the streams that the framework would make of
 * it cost half a millisecond a request, and bodies come by the hundred when somebody sends them
 * slowly. Bytes are put together as they come, since each may come by itself.
 * @throws OperatorError `body_too_large`, `body_too_slow`; `malformed` when it is cut short.
 */
async function takeBody(incoming: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let body: Buffer = Buffer.alloc(0);
    let size = 0;
    const take = (chunk: Buffer): void => {
      const end = size + chunk.length;
      if (end > bytesMax) {
        leave(tooLarge(bytesMax));
        return;
      }
      if (end > body.length) body = grown(body, end, bytesMax);
      chunk.copy(body, size);
      size = end;
    };
    const leave = (fault: Error): void => {
      clearTimeout(slow);
      incoming.off('data', take).pause();
      reject(fault);
    };
    const slow = setTimeout(() => leave(tooSlow()), patienceMs(bodyMsMax));
    incoming.on('data', take);
    finished(incoming, { writable: false }, (error) => {
      clearTimeout(slow);
      if (error) reject(refusal('malformed', 'The body is cut short.'));
      else resolve(body.subarray(0, size));
    });
  });
}

/** @throws OperatorError `body_too_large` when a request says itself that it is. */
function requireSize({ headers }: IncomingMessage, bytesMax: number): void {
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax);
}

function grown(body: Buffer, wanted: number, bytesMax: number): Buffer {
  const size = Math.max(wanted, 2 * body.length, firstBytes);
  return Buffer.concat([body], Math.min(bytesMax, size));
}

function tooLarge(bytesMax: number) {
  return refusal('body_too_large', `The body is larger than ${bytesMax} bytes.`);
}

function tooSlow() {
  return refusal('body_too_slow', `The body did not arrive within ${bodyMsMax / 1_000} s.`);
}
