import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { refusal } from '../problems/refusals.ts';
import type { ApiEnv } from './api.ts';
import type { Credentials } from './authenticator.ts';

/** The names of the cookie of a login: with https no other name of the site may set the first. */
export const loginCookies = { https: '__Host-statecron', http: 'statecron' } as const;

/** The request as Node has it; undefined: it came from within the process. */
export function incomingOf(c: Context): IncomingMessage | undefined {
  return ((c.env ?? {}) as { incoming?: IncomingMessage }).incoming;
}

/** The connection that a request came by. */
export function connectionOf(c: Context): {
  readonly localAddress: string | undefined;
  readonly isEncrypted: boolean;
} {
  const socket = incomingOf(c)?.socket;
  return {
    localAddress: socket?.localAddress,
    isEncrypted: socket !== undefined && 'encrypted' in socket,
  };
}

/** What a request says of who sends it; null: nothing. A header is believed before a cookie. */
export function credentialsOf(c: Context<ApiEnv>): Credentials | null {
  const header = c.req.header('authorization');
  if (header !== undefined) {
    const text = /^bearer +(\S+)$/i.exec(header)?.[1];
    return { kind: 'bearer', text: text ?? header };
  }
  const cookie = getCookie(c, loginCookies.https) ?? getCookie(c, loginCookies.http);
  return cookie === undefined ? null : { kind: 'cookie', text: cookie };
}

/** Whether a method may change anything. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/**
 * Refuses a change that a browser requests with its cookie unless the page is our own. SameSite
 * keeps the cookie from other sites, not from other ports and subdomains of this one; old browsers
 * know neither it nor Sec-Fetch-Site; so all three have to agree. An Origin is sent with every POST
 * by every browser that has cookies of this kind.
 * @param origins where browsers reach this node through a proxy
 * @throws OperatorError `origin_forbidden` (403).
 */
export function checkOrigin(c: Context, origins: readonly string[]): void {
  const request = c.req;
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') throw forbidden(`from a ${site} page`);
  const origin = request.header('origin');
  if (origin === undefined) throw forbidden('without an Origin header');
  if (origins.includes(origin)) return;
  const host = request.header('host')?.toLowerCase();
  const scheme = connectionOf(c).isEncrypted ? 'https' : 'http';
  if (origin.toLowerCase() !== `${scheme}://${host}`) throw forbidden(`from a page of ${origin}`);
}

/**
 * The same of a request that its proxy answers for, by a cookie of its own, which other sites may
 * well be sent with: they read nothing here either, as SameSite=Strict has it for our cookie.
 * @throws OperatorError `origin_forbidden` (403).
 */
export function checkSite(c: Context, origins: readonly string[]): void {
  if (!isSafe(c.req.method)) checkOrigin(c, origins);
  const isForeign = c.req.header('sec-fetch-site') === 'cross-site';
  if (isForeign) throw forbidden('from a cross-site page');
}

function forbidden(where: string) {
  return refusal('origin_forbidden', `A login allows no requests ${where.slice(0, 200)}.`);
}
