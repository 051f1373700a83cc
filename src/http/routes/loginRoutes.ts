import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { ChangedBy } from '../../domain/access/changedBy.ts';
import { addLogin, endLogin, loginHours } from '../../store/tokens/changeLogin.ts';
import type { TokenHolder } from '../../store/tokens/findHolder.ts';
import type { Api, ApiEnv } from '../authentication/api.ts';
import { unauthenticated } from '../authentication/authenticator.ts';
import {
  checkOrigin,
  connectionOf,
  credentialsOf,
  loginCookies,
} from '../authentication/credentials.ts';
import { isOfLink, type OneTimeLogin } from '../authentication/oneTimeLogin.ts';
import { loginContract } from '../contract/nodeContract.ts';
import type { GuardParts } from '../guard/guardParts.ts';
import { tooManyRequests } from '../problems/retryLater.ts';
import { isLoopback } from '../server/openListener.ts';
import { addRoutes } from './handling/addRoutes.ts';

/** `POST /api/v1/login`, `POST /api/v1/logout`, `GET /api/v1/caller`. */
export function addLoginRoutes(api: Api, parts: GuardParts, oneTime: OneTimeLogin | null): void {
  const { authenticator, pool, settings } = parts;
  addRoutes(api, loginContract, {
    'POST /login': async ({ token }, c) => {
      // Nobody else's page logs a browser in, not even as somebody else.
      checkOrigin(c, settings.origins);
      const { localAddress = '' } = connectionOf(c);
      const { address } = c.var.client;
      if (isOfLink(token)) {
        const isHere = isLoopback(address) && isLoopback(localAddress);
        const tokenId = isHere ? (oneTime?.take(token) ?? null) : null;
        return callerOf(await loginByLink(c, parts, tokenId));
      }
      const holder = await authenticator.check({ kind: 'bearer', text: token }, address);
      await giveCookie(c, parts, holder.tokenId, holder.name);
      return callerOf(holder);
    },
    'POST /logout': async (_, c) => {
      const credentials = credentialsOf(c);
      if (credentials?.kind === 'cookie') {
        const by = byName(c, c.var.caller.name);
        await pool.use(by, (channel) => endLogin(channel, credentials.text));
      }
      deleteCookie(c, loginCookies.http, { path: '/' });
      deleteCookie(c, loginCookies.https, { path: '/', secure: true });
      return c.body(null, 204);
    },
    'GET /caller': async (_, { var: { caller } }) => {
      return { name: caller.name, role: caller.role, groups: caller.groups };
    },
  });
}

/** Whose rights a link gives, in this machine's browser; it is good once. */
async function loginByLink(
  c: Context<ApiEnv>,
  parts: GuardParts,
  tokenId: string | null,
): Promise<TokenHolder> {
  const { address } = c.var.client;
  if (tokenId === null) throw unauthenticated('The link was used already, or it is too old.');
  const cookie = await giveCookie(c, parts, tokenId, 'first');
  // The token may have been revoked since the link was printed.
  return parts.authenticator.check({ kind: 'cookie', text: cookie }, address);
}

/** Makes a login of a token, and gives the browser its cookie. */
async function giveCookie(
  c: Context<ApiEnv>,
  { logins, pool }: GuardParts,
  tokenId: string,
  name: string,
): Promise<string> {
  const waitMs = logins.take(tokenId);
  if (waitMs > 0) throw tooManyRequests('Too many browsers log in with this token.', waitMs);
  const cookie = await pool.use(byName(c, name), (channel) => addLogin(channel, tokenId), tokenId);
  const secure = c.req.header('origin')?.startsWith('https://') === true;
  setCookie(c, secure ? loginCookies.https : loginCookies.http, cookie, {
    ...{ path: '/', httpOnly: true, sameSite: 'Strict', secure },
    maxAge: loginHours * 3_600,
  });
  return cookie;
}

function callerOf({ groups, name, role }: TokenHolder) {
  return { name, role, groups };
}

/** A login is of no group, and its holder's own affair. */
function byName(c: Context<ApiEnv>, actor: string): ChangedBy {
  return { actor, via: 'api', requestId: c.var.requestId, address: c.var.client.address };
}
