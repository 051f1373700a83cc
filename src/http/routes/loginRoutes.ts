import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { ChangedBy } from '../../domain/access/changedBy.ts';
import { addLogin, endLogin, loginHours } from '../../store/tokens/changeLogin.ts';
import type { Api, ApiEnv } from '../authentication/api.ts';
import {
  checkOrigin,
  connectionOf,
  credentialsOf,
  loginCookies,
} from '../authentication/credentials.ts';
import { loginContract } from '../contract/nodeContract.ts';
import type { GuardParts } from '../guard/guardParts.ts';
import { tooManyRequests } from '../problems/retryLater.ts';
import { addRoutes } from './handling/addRoutes.ts';

/** `POST /api/v1/login`, `POST /api/v1/logout`, `GET /api/v1/caller`. */
export function addLoginRoutes(
  api: Api,
  { authenticator, logins, pool, settings }: GuardParts,
): void {
  addRoutes(api, loginContract, {
    'POST /login': async ({ token }, c) => {
      // Nobody else's page logs a browser in, not even as somebody else.
      checkOrigin(c, settings.origins);
      const { address } = connectionOf(c);
      const holder = await authenticator.check({ kind: 'bearer', text: token }, address);
      const { groups, name, role, tokenId } = holder;
      const waitMs = logins.take(tokenId);
      if (waitMs > 0) throw tooManyRequests('Too many browsers log in with this token.', waitMs);
      const by = byName(c, name);
      const cookie = await pool.use(by, (channel) => addLogin(channel, tokenId), tokenId);
      const secure = c.req.header('origin')?.startsWith('https://') === true;
      setCookie(c, secure ? loginCookies.https : loginCookies.http, cookie, {
        ...{ path: '/', httpOnly: true, sameSite: 'Strict', secure },
        maxAge: loginHours * 3_600,
      });
      return { name, role, groups };
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

/** A login is of no group, and its holder's own affair. */
function byName(c: Context<ApiEnv>, actor: string): ChangedBy {
  return { actor, via: 'api', requestId: c.var.requestId, address: connectionOf(c).address };
}
