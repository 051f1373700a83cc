import {
  isOfEveryRequest,
  type ProblemCode,
  problemGuide,
} from '../../../src/http/problems/problemGuide.ts';
import type { HeardAnswer } from '../world/askRaw.ts';
import type { ApiDescription } from '../world/openApiDocument.ts';
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

/** A problem of which the document says nothing for this route; null: there is none. */
export function undocumentedProblem(
  { method, target }: FuzzRequest,
  { json, status }: HeardAnswer,
  { operations }: ApiDescription,
): string | null {
  if (status < 400 || json?.code === undefined) return null;
  const { pathname } = new URL(`http://localhost${target}`);
  const operation = operations.find(
    (each) => each.method === method && patternOf(each.path).test(pathname),
  );
  if (operation?.problems === undefined) return null;
  const code = knownCode(json.code);
  if (problemGuide[code]?.status !== status) return `${status} ${code} is not in the guide`;
  if (isOfEveryRequest(code) || operation.problems.includes(code)) return null;
  return `${method} ${operation.path} says nothing of the problem ${code}`;
}

/** Faults of one field have codes of their own, which name it. */
function knownCode(code: string): ProblemCode {
  if (Object.hasOwn(problemGuide, code)) return code as ProblemCode;
  return code.startsWith('bad_') ? 'bad_FIELD' : (code as ProblemCode);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]*')}$`);
}
