import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnv } from '../authentication/api.ts';
import { ClientReader } from '../authentication/client.ts';
import { connectionOf, incomingOf } from '../authentication/credentials.ts';
import { refusal } from '../problems/refusals.ts';
import { refusalOf } from '../server/connectionBounds.ts';
import type { HttpSettings } from '../server/httpSettings.ts';

/** On every answer; a page that needs more of the policy says so itself. */
export const secureHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

const corsMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const corsRequestHeaders = 'authorization, content-type, idempotency-key, if-match, last-event-id';
const corsExposedHeaders = 'etag, location, retry-after, x-request-id';

/**
 * Gives each request its id and each answer its headers. Other sites get no CORS header
 * at all unless they were named.
 */
export function secureAnswer({ corsOrigins }: HttpSettings): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const requestId = `r${randomBytes(8).toString('hex')}`;
    c.set('requestId', requestId);
    c.set('creationId', requestId);
    const origin = c.req.header('origin');
    const isNamed = origin !== undefined && corsOrigins.includes(origin);
    if (isNamed && isPreflight(c)) c.res = c.body(null, 204);
    else await next();
    for (const [name, value] of Object.entries(secureHeaders)) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
    c.res.headers.set('x-request-id', requestId);
    if (isNamed) allowOrigin(c.res.headers, origin);
  };
}

/** Says where a request comes from. */
export function readClient({ proxy }: HttpSettings): MiddlewareHandler<ApiEnv> {
  const reader = new ClientReader(proxy);
  return (c, next) => {
    c.set('client', reader.read(incomingOf(c)));
    return next();
  };
}

/**
 * Refuses a request whose connection is one too many.
 * @throws RetryLater `too_many_requests` (429), `busy` (503).
 */
export function checkRoom(): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const incoming = incomingOf(c);
    const why = incoming === undefined ? undefined : refusalOf(incoming.socket);
    if (why === undefined) return next();
    c.header('connection', 'close');
    throw why;
  };
}

/**
 * Refuses a request for a name that is none of ours, in its Host header or in its URL.
 * @throws OperatorError `host_unknown` (421).
 */
export function checkHost(names: HostNames): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { localAddress } = connectionOf(c);
    const hosts = [c.req.header('host') ?? '', hostOf(c.req.url)];
    if (hosts.every((host) => names.has(host, localAddress))) return next();
    throw refusal('host_unknown', 'This node does not have the host name of the request.');
  };
}

/** Empty, which is nobody's name, when no URL has such a host: `xn--` with no name in its code. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

function isPreflight(c: Context): boolean {
  const wanted = c.req.header('access-control-request-method');
  return c.req.method === 'OPTIONS' && wanted !== undefined;
}

function allowOrigin(headers: Headers, origin: string): void {
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-allow-methods', corsMethods);
  headers.set('access-control-allow-headers', corsRequestHeaders);
  headers.set('access-control-expose-headers', corsExposedHeaders);
  headers.set('access-control-max-age', '600');
  headers.set('cross-origin-resource-policy', 'cross-origin');
  headers.append('vary', 'Origin');
}

/**
 * By which names a request may reach this node. A page of another site that makes its own name
 * lead here (DNS rebinding) is the same site as we are to the browser; its name gives it away.
 */
export class HostNames {
  readonly #names: ReadonlySet<string>;

  constructor({ host, names, origins }: Pick<HttpSettings, 'host' | 'names' | 'origins'>) {
    const ofOrigins = origins.map((origin) => new URL(origin).hostname);
    const own = ['localhost', '127.0.0.1', '[::1]', hostname(), host, `[${host}]`];
    this.#names = new Set([...own, ...names, ...ofOrigins].map((name) => name.toLowerCase()));
  }

  /**
   * @param host of the URL or the Host header, with or without its port
   * @param localAddress where the connection came in: a request for that very address names no name
   */
  has(host: string, localAddress: string | undefined): boolean {
    const match = /^(\[[0-9a-f:.]+\]|[^:@/?#\s]+)(:\d{1,5})?$/.exec(host.toLowerCase());
    const name = match?.[1]?.replace(/\.$/, '');
    if (name === undefined) return false;
    if (this.#names.has(name)) return true;
    const address = localAddress?.replace(/^::ffff:/, '');
    return address !== undefined && (name === address || name === `[${address}]`);
  }
}
