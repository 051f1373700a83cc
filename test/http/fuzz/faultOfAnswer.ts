import type { HeardAnswer } from '../world/askRaw.ts';
import type { FuzzRequest } from './fuzzRequest.ts';

/**
 * What is wrong with an answer, whatever the request was; null: nothing. A 503 is right when the
 * node says that it has as much to do as it may, which only a few of its routes ever say.
 */
export function faultOfAnswer(
  { method, target }: FuzzRequest,
  { headers, json, status, text }: HeardAnswer,
): string | null {
  const { pathname } = new URL(`http://localhost${target}`);
  const isBusy = status === 503 && json?.code === 'busy' && busyPaths.test(pathname);
  if (status >= 500 && !isBusy) return `${status}: ${text.slice(0, 500)}`;
  if (status < 200) return `the status ${status}`;
  if (text.includes('node_modules') || /\n {4}at .+:\d+:\d+/.test(text)) return 'it has a stack';
  if (status === 204 && text !== '') return 'a 204 has a body';
  if (status < 400 || method === 'HEAD') return null;
  // What is no request at all is refused by the parser, which has no problems to tell.
  if (status === 400 && headers['x-request-id'] === undefined) return null;
  if (status === 431 || status === 408) return null;
  const type = headers['content-type'] ?? '';
  if (type !== 'application/problem+json') return `a refusal of the type ${type}`;
  const isTold = typeof json.code === 'string' && typeof json.detail === 'string';
  if (!isTold || json.status !== status || json.code === 'internal') return `no problem: ${text}`;
  if (status === 422 && json.code === 'invalid' && !Array.isArray(json.errors)) {
    return `it names no field: ${text}`;
  }
  return null;
}

/** Streams, and what reads all there is. */
const busyPaths = /^\/api\/v1\/(verify|events|runs\/.*\/follow)$/;
