import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type Api, type ApiEnv, needs } from '../../authentication/api.ts';
import {
  type AnswerOf,
  type Contract,
  type PartOf,
  type PathInput,
  pathParameters,
  type RouteContract,
} from '../../contract/routeContract.ts';
import { problems } from '../../schemas/problemSchema.ts';
import { requireAllGroups } from './jobAccess.ts';

/** The function of each route of a contract, by the same names. */
export type Handlers<Routes extends Contract> = {
  readonly [Key in keyof Routes]: Handler<Key, Routes[Key]>;
};

/**
 * Gets all that a request says, read as the contract has it, as one object: its body's fields, its
 * query, its headers and what its path names. Its answer is sent as it is.
 */
type Handler<Key, Route> = (
  input: PartOf<Route, 'body', 'output'> &
    PartOf<Route, 'query', 'output'> &
    PartOf<Route, 'headers', 'output'> &
    PathInput<Key>,
  c: Context<ApiEnv>,
) => Promise<AnswerOf<Route> | Response>;

/** Adds every route of a contract to the API; its paths begin behind `prefix`. */
export function addRoutes<Routes extends Contract>(
  api: Api,
  contract: Routes,
  handlers: Handlers<Routes>,
  prefix = '/api/v1',
): void {
  for (const [key, route] of Object.entries(contract)) {
    const handle = handlers[key as keyof Routes] as unknown as AnyHandler;
    api.openapi(declared(key, route, prefix), async (c) => {
      const input = inputOf(c as unknown as Validated);
      if (route.scope === 'cluster') requireAllGroups(c.var.caller);
      const answer = await handle(input, c as Context<ApiEnv>);
      if (answer instanceof Response) return answer as never;
      if (route.query && 'after' in route.query.shape) nextLink(c, answer);
      return c.json(answer, (route.status ?? 200) as ContentfulStatusCode) as never;
    });
  }
}

type AnyHandler = (input: object, c: Context<ApiEnv>) => Promise<object>;
type Validated = { readonly req: { valid(part: 'json' | 'query' | 'header' | 'param'): object } };

/** What stands in the path comes last: no body can say anything else. */
function inputOf({ req }: Validated): object {
  const parts = (['json', 'query', 'header', 'param'] as const).map((part) => req.valid(part));
  return Object.assign({}, ...parts);
}

function declared(key: string, route: RouteContract, prefix: string) {
  const [method = '', path = ''] = key.split(' ');
  const { id, role, kept, tag, summary, description, status = 200, answers } = route;
  const content = contentOf(route);
  const answer = { description: answers, ...(content && { content }) };
  return createRoute({
    method: method.toLowerCase() as 'get',
    path: `${prefix}${path}`,
    operationId: id,
    ...needs(role, kept),
    ...{ tags: [tag], summary, hide: route.isHidden === true },
    ...(description === undefined ? {} : { description }),
    request: requestOf(path, route),
    responses: { [status]: answer, ...route.otherAnswers, ...problems },
  });
}

function requestOf(path: string, { query, headers, body, file, isBodyOptional }: RouteContract) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const shape = Object.fromEntries(names.map((name) => [name, parameterOf(name)]));
  const content = body && { 'application/json': { schema: body } };
  return {
    ...(names.length === 0 ? {} : { params: z.object(shape) }),
    ...(query && { query }),
    ...(headers && { headers }),
    ...(content && { body: isBodyOptional ? { content } : { required: true, content } }),
    ...(file && { body: file }),
  };
}

function parameterOf(name: string): z.ZodType {
  const schema = Object.entries(pathParameters).find(([each]) => each === name)?.[1];
  if (schema === undefined) throw new Error(`{${name}} is in a path and not in pathParameters`);
  return schema;
}

function contentOf({ answer, content }: RouteContract) {
  const json = answer && { 'application/json': { schema: answer } };
  return (content || json) && { ...content, ...json };
}

/** Says where the next page is (RFC 8288), for clients that follow links. */
function nextLink(c: Context, { next = null }: { readonly next?: string | null }): void {
  if (next === null) return;
  const url = new URL(c.req.url);
  url.searchParams.set('after', next);
  // Relative: the name that the request came by may be a proxy's.
  c.header('link', `<${url.pathname}${url.search}>; rel="next"`);
}
