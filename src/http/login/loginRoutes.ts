import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
import type { ChangedBy } from '../../domain/access/changedBy.ts';
import { roles } from '../../domain/access/role.ts';
import { addLogin, endLogin, loginHours } from '../../store/tokens/changeLogin.ts';
import { type Api, type ApiEnv, type Caller, needs } from '../authentication/api.ts';
import { checkOrigin } from '../authentication/checkOrigin.ts';
import { connectionOf, credentialsOf, loginCookies } from '../authentication/credentials.ts';
import type { GuardParts } from '../guard/guardParts.ts';
import { tooManyRequests } from '../problems/retryLater.ts';
import { answers, jsonBody, problems } from '../schemas/answers.ts';

const callerSchema = z
  .object({
    name: z.string(),
    role: z.enum(roles),
    groups: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'The only groups whose jobs it sees; null: every job.' }),
  })
  .openapi('Caller');

const loginRoute = createRoute({
  method: 'post',
  path: '/api/v1/login',
  ...needs('anyone'),
  tags: ['logins'],
  summary: 'Log a browser in by a token',
  description: 'For a page of this very node: the cookie is not for other sites, nor for scripts.',
  request: { body: jsonBody(z.strictObject({ token: z.string().max(200) })) },
  responses: answers(200, 'It is logged in, for some hours.', callerSchema),
});

const logoutRoute = createRoute({
  method: 'post',
  path: '/api/v1/logout',
  ...needs('viewer'),
  tags: ['logins'],
  summary: 'Log a browser out',
  responses: { 204: { description: 'It is logged out.' }, ...problems },
});

const callerRoute = createRoute({
  method: 'get',
  path: '/api/v1/caller',
  ...needs('viewer'),
  tags: ['logins'],
  summary: 'Who asks, as the token says',
  responses: answers(200, 'What the token may do.', callerSchema),
});

/** `POST /api/v1/login`, `POST /api/v1/logout`, `GET /api/v1/caller`. */
export function addLoginRoutes(
  api: Api,
  { authenticator, logins, pool, settings }: GuardParts,
): void {
  api.openapi(loginRoute, async (c) => {
    // Nobody else's page logs a browser in, not even as somebody else.
    checkOrigin(c.req, settings.origins);
    const { address } = connectionOf(c);
    const { token } = c.req.valid('json');
    const holder = await authenticator.check({ kind: 'bearer', text: token }, address);
    const { name, tokenId } = holder;
    const waitMs = logins.take(tokenId);
    if (waitMs > 0) throw tooManyRequests('Too many browsers log in with this token.', waitMs);
    const by = byName(c, name);
    const cookie = await pool.use(by, (channel) => addLogin(channel, tokenId), tokenId);
    const secure = c.req.header('origin')?.startsWith('https://') === true;
    setCookie(c, secure ? loginCookies.https : loginCookies.http, cookie, {
      ...{ path: '/', httpOnly: true, sameSite: 'Strict', secure },
      maxAge: loginHours * 3_600,
    });
    return c.json(callerView(holder), 200);
  });
  api.openapi(logoutRoute, async (c) => {
    const credentials = credentialsOf(c);
    if (credentials?.kind === 'cookie') {
      const by = byName(c, c.var.caller.name);
      await pool.use(by, (channel) => endLogin(channel, credentials.text));
    }
    deleteCookie(c, loginCookies.http, { path: '/' });
    deleteCookie(c, loginCookies.https, { path: '/', secure: true });
    return c.body(null, 204);
  });
  api.openapi(callerRoute, (c) => c.json(callerView(c.var.caller), 200));
}

function callerView({ groups, name, role }: Caller) {
  return { name, role, groups: groups === null ? null : [...groups] };
}

/** A login is of no group, and its holder's own affair. */
function byName(c: Context<ApiEnv>, actor: string): ChangedBy {
  return { actor, via: 'api', requestId: c.var.requestId, address: connectionOf(c).address };
}
