import type { Hook, RouteConfig } from '@hono/zod-openapi';
import type { ErrorHandler, NotFoundHandler } from 'hono';
import { routePath } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { FieldError, type FieldFault } from '../../domain/errors/errors.ts';
import { didYouMean } from '../../domain/text/didYouMean.ts';
import { PacedRefusals } from '../admission/pacedRefusals.ts';
import type { Api, ApiEnv } from '../authentication/api.ts';
import { isInternal, problemOf } from '../problems/problem.ts';
import { refusal } from '../problems/refusals.ts';
import { RetryLater } from '../problems/retryLater.ts';
import { authenticate } from './authorize.ts';
import type { GuardParts } from './guardParts.ts';

const retryAfterMsDefault = 2_000;

/** Answers every error as `application/problem+json`; what is a bug of ours is logged, too. */
export function answerFault({ trouble }: GuardParts): ErrorHandler<ApiEnv> {
  const refusals = new PacedRefusals();
  return async (error, c) => {
    if (error instanceof RetryLater) await refusals.turn();
    const problem = problemOf(error);
    const requestId = c.get('requestId');
    // A client that leaves in the middle of its request is no trouble.
    if (isInternal(problem) && !c.req.raw.signal.aborted) {
      trouble(`${c.req.method} ${routePath(c, -1)} failed`, withRequestId(error, requestId));
    }
    const { status } = problem;
    const headers: Record<string, string> = { 'content-type': 'application/problem+json' };
    if (status === 401) headers['www-authenticate'] = 'Bearer realm="statecron"';
    const retryAfterMs = retryAfterMsOf(error, problem);
    if (retryAfterMs !== null) headers['retry-after'] = `${Math.ceil(retryAfterMs / 1_000)}`;
    if (status === 408 || status === 413) headers.connection = 'close';
    const body = JSON.stringify({ ...problem, requestId });
    return c.body(body, status as ContentfulStatusCode, headers);
  };
}

/** When to retry; null: it is refused for ever. */
function retryAfterMsOf(error: Error, { code, status }: ReturnType<typeof problemOf>) {
  if (error instanceof RetryLater) return error.retryAfterMs;
  return status === 503 || code === 'idempotency_held' ? retryAfterMsDefault : null;
}

/** The log has a line per kind of trouble: the request, and where it broke, are in its text. */
function withRequestId(error: Error, requestId: string): Error {
  const lines = (error.stack ?? error.message).split('\n', stackLinesMax);
  const where = lines.map((line) => line.trim()).join(' ');
  return new Error(`request ${requestId}: ${where}`, { cause: error });
}

const stackLinesMax = 4;

/**
 * Answers what no route matches. Which paths there are is not for those who have no token, so that
 * they get 401, whatever the path is.
 */
export function answerUnknownPath(api: Api, parts: GuardParts): NotFoundHandler<ApiEnv> {
  return async (c) => {
    await authenticate(c, parts);
    const { method, path } = c.req;
    const allowed = methods.filter((each) => hasRoute(api, each, path));
    if (allowed.length === 0) throw refusal('path_missing', 'There is no such path.');
    if (allowed.includes('GET')) allowed.push('HEAD');
    c.header('allow', allowed.join(', '));
    throw refusal('method_wrong', `This path does not have the method ${method.slice(0, 20)}.`);
  };
}

const methods: string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function hasRoute(api: Api, method: string, path: string): boolean {
  const [matched] = api.router.match(method, path);
  return matched.some(([[, route]]) => route.path !== '/*');
}

/** So many fields are named; each message is cut to what a line can show. */
const faultsMax = 50;
const messageCharactersMax = 300;

/** Refuses what the schema of a route does not take, naming each field as the client wrote it. */
export function refuseInvalid({ request }: RouteConfig): Hook<unknown, ApiEnv, string, undefined> {
  return (result) => {
    if (result.success) return;
    const { error, target } = result;
    const taken = target === 'query' ? request?.query : bodyOf(request);
    const errors = error.issues.flatMap((issue) => faultsOf(issue, taken)).slice(0, faultsMax);
    const [first] = errors;
    const what = first === undefined ? '' : `: ${first.field}: ${first.message}`;
    const end = what.endsWith('?') ? '' : '.';
    throw new FieldError({
      code: 'invalid',
      message: `The ${partNames[target] ?? 'request'} is not valid${what}${end}`,
      hint: 'Correct it; /docs/reference describes what the route takes.',
      errors,
    });
  };
}

function bodyOf(request: RouteConfig['request']): unknown {
  const media = request?.body?.content['application/json'];
  return media !== undefined && 'schema' in media ? media.schema : undefined;
}

const partNames: Record<string, string> = {
  json: 'body',
  form: 'body',
  query: 'query',
  param: 'path',
  header: 'header',
};

interface Shaped {
  readonly shape: object;
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

/** @param taken the schema of the part of the request that has the issue */
function faultsOf(issue: Issue, taken: unknown): FieldFault[] {
  const { code, keys, message, path } = issue;
  const at = (more: readonly PropertyKey[]) => [...path, ...more].map(String).join('.');
  if (code === 'unrecognized_keys' && keys !== undefined) {
    const known = path.length === 0 ? Object.keys((taken as Partial<Shaped>)?.shape ?? {}) : [];
    return keys.slice(0, faultsMax).map((key) => {
      const meant = didYouMean(key, known);
      const message = meant === '' ? 'There is no such field' : `There is no such field.${meant}`;
      return { field: cut(at([key])), message };
    });
  }
  return [{ field: cut(at([])), message: cut(message) }];
}

function cut(text: string): string {
  return text.length <= messageCharactersMax ? text : `${text.slice(0, messageCharactersMax)}…`;
}
