import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { Api, ApiEnv, Needs } from '../authentication/api.ts';
import { isSafe } from '../authentication/credentials.ts';
import { problemSchema } from '../schemas/problemSchema.ts';
import { answerFault, answerUnknownPath, refuseInvalid } from './answerFault.ts';
import { answerOnce } from './answerOnce.ts';
import { authorize, limitChanges } from './authorize.ts';
import type { GuardParts } from './guardParts.ts';
import { readBody, refuseBody } from './readBody.ts';
import { checkHost, checkRoom, HostNames, readClient, secureAnswer } from './secureAnswer.ts';

/** The only ones that change something without a token: the token is in the body. */
const openChanges = new Set(['POST /api/v1/login']);

/**
 * Makes the API, and puts a guard before each route that `addRoutes` adds to it by
 * `api.openapi(createRoute({ …, ...needs('viewer') }), handler)`. A route that was added in any
 * other way, or that does not say whom it is for, is a mistake of ours: nothing is served then.
 */
export function createApi(parts: GuardParts, addRoutes: (api: Api) => void): Api {
  const api: Api = new OpenAPIHono<ApiEnv>();
  api.use('*', secureAnswer(parts.settings));
  api.use('*', readClient(parts.settings));
  api.use('*', checkRoom());
  api.use('*', checkHost(new HostNames(parts.settings)));
  api.onError(answerFault(parts));
  api.notFound(answerUnknownPath(api, parts));
  const guarded = new Set<string>();
  const add = api.openapi as unknown as AddRoute;
  api.openapi = ((route: GuardedRoute, handler: unknown) => {
    const name = nameOf(route);
    const role = route['x-role'];
    if (role === undefined) throw new Error(`${name} does not say whom it is for`);
    if (role === 'anyone' && !isSafe(route.method.toUpperCase()) && !openChanges.has(name)) {
      throw new Error(`${name} changes something and is for anyone`);
    }
    guarded.add(name);
    const middleware = guardOf(route, parts);
    const responses = { ...retryAnswers, ...route.responses };
    return add(
      { ...route, ...parametersOf(route), responses, middleware },
      handler,
      refuseInvalid(route),
    );
  }) as unknown as typeof api.openapi;
  addRoutes(api);
  for (const { method, path } of api.routes) {
    const isOurs = method === 'ALL' && path === '/*';
    if (!isOurs && !guarded.has(`${method} ${path}`)) {
      throw new Error(`${method} ${path} has no guard: add it by api.openapi`);
    }
  }
  return api;
}

type GuardedRoute = RouteConfig & Partial<Needs>;
type AddRoute = (route: RouteConfig, handler: unknown, hook: unknown) => unknown;

/** As the router has it. */
function nameOf({ method, path }: RouteConfig): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\/{(.+?)}/g, '/:$1')}`;
}

function guardOf(route: GuardedRoute, parts: GuardParts): MiddlewareHandler<ApiEnv>[] {
  const role = route['x-role'] ?? 'admin';
  const allowed = authorize(role, parts);
  if (isSafe(route.method.toUpperCase())) return [refuseBody(), allowed];
  const taken = readBody(parts, route.request?.body);
  if (!isRepeatable(route)) return [allowed, taken];
  return [allowed, limitChanges(parts), taken, answerOnce(parts, route['x-answer'] !== 'secret')];
}

/** Every change; one by an open route is nobody's whose key could be kept. */
function isRepeatable(route: GuardedRoute): boolean {
  const isLook = isSafe(route.method.toUpperCase()) || route['x-answer'] === 'look';
  return !isLook && route['x-role'] !== 'anyone';
}

/** For the document; the guard reads the header itself. */
function parametersOf(route: GuardedRoute): object {
  if (!isRepeatable(route)) return {};
  return { parameters: [...(route.parameters ?? []), idempotencyKey] };
}

/** What any route may answer before it is called. */
const retryAnswers = {
  429: retryAnswer('The token or the address has as many requests under way as it may have.'),
  503: retryAnswer('The node has no capacity left, or the database does not answer.'),
};

function retryAnswer(description: string) {
  return {
    description,
    headers: {
      'Retry-After': {
        description: 'The number of seconds to wait before a retry.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
    content: { 'application/problem+json': { schema: problemSchema } },
  } as const;
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key that the client chooses, such as a UUID. A repeat of the request with the same key ' +
    'gets the answer of the first one, and the change is made once.',
  schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$' },
} as const;
