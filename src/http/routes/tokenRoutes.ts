import { createRoute } from '@hono/zod-openapi';
import { parseDuration } from '../../domain/duration.ts';
import { parseInstant } from '../../domain/parseInstant.ts';
import { checkToken } from '../../store/tokens/checkToken.ts';
import { type Api, needs } from '../api.ts';
import {
  addedTokenSchema,
  revokedTokenSchema,
  tokenBody,
  tokenListSchema,
  tokenPath,
} from '../schemas/accessSchemas.ts';
import { answers, jsonBody } from '../schemas/answers.ts';
import { tokenView } from '../views/tokenView.ts';
import { badField } from './badField.ts';
import { requireAllGroups } from './jobAccess.ts';

const listRoute = createRoute({
  method: 'get',
  path: '/api/v1/tokens',
  operationId: 'listTokens',
  ...needs('admin'),
  tags: ['tokens'],
  summary: 'List the tokens that are not revoked',
  responses: answers(200, 'All of them, without their secrets.', tokenListSchema),
});

const addRoute = createRoute({
  method: 'post',
  path: '/api/v1/tokens',
  operationId: 'addToken',
  ...needs('admin', 'secret'),
  tags: ['tokens'],
  summary: 'Make a token',
  description: 'The token itself is in this answer and nowhere else.',
  request: { body: jsonBody(tokenBody) },
  responses: answers(201, 'It is made.', addedTokenSchema),
});

const revokeRoute = createRoute({
  method: 'delete',
  path: '/api/v1/tokens/{token}',
  operationId: 'revokeToken',
  ...needs('admin'),
  tags: ['tokens'],
  summary: 'Revoke a token',
  description: 'From the answer on no node lets it in.',
  request: { params: tokenPath },
  responses: answers(200, 'It is revoked.', revokedTokenSchema),
});

/** `/api/v1/tokens`. Tokens are the whole cluster's: one for some groups makes none. */
export function addTokenRoutes(api: Api): void {
  api.openapi(listRoute, async (c) => {
    requireAllGroups(c.var.caller);
    const tokens = await c.var.operate((operator) => operator.listTokens());
    return c.json({ items: tokens.map(tokenView) }, 200);
  });
  api.openapi(addRoute, async (c) => {
    const { name, role, groups = null, expires } = c.req.valid('json');
    requireAllGroups(c.var.caller);
    const [fault] = checkToken({ name, groups });
    if (fault !== undefined) throw badField(fault.field, fault.message);
    const expiresMs = readExpiry(expires);
    const wishes = { name, role, groups, expiresMs };
    const added = await c.var.operate((operator) => operator.addToken(wishes));
    return c.json({ ...added }, 201);
  });
  api.openapi(revokeRoute, async (c) => {
    const { token } = c.req.valid('param');
    requireAllGroups(c.var.caller);
    const revoked = await c.var.operate((operator) => operator.revokeToken(token));
    return c.json({ ...revoked }, 200);
  });
}

/** An instant with its zone, or a time from now on by this node's clock. */
function readExpiry(expires: string | undefined): number | null {
  if (expires === undefined) return null;
  const instantMs = parseInstant(expires);
  if (instantMs !== null && instantMs > Date.now()) return instantMs;
  const forMs = parseDuration(expires);
  if (typeof forMs === 'number' && forMs > 0) return Date.now() + forMs;
  throw badField('expires', 'write an instant to come as 2030-01-31T09:30:00Z, or 90d');
}
