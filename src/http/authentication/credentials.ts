import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { ApiEnv } from './api.ts';
import type { Credentials } from './authenticator.ts';

/** The names of the cookie of a login: with https no other name of the site may set the first. */
export const loginCookies = { https: '__Host-statecron', http: 'statecron' } as const;

/** The connection that a request came by. */
export function connectionOf(c: Context): {
  readonly address: string;
  readonly localAddress: string | undefined;
} {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
  const socket = incoming?.socket;
  return { address: socket?.remoteAddress ?? 'unknown', localAddress: socket?.localAddress };
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
