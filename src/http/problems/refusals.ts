import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { RetryLater } from './retryLater.ts';

/** Many invalid tokens: whoever tries them has to wait. */
export function tooManyFailures(waitMs: number): RetryLater {
  return new RetryLater(
    {
      code: 'too_many_failures',
      message: 'Too many invalid tokens came from this address.',
      hint: `Try again in ${Math.ceil(waitMs / 1_000)} s, with a valid token.`,
    },
    waitMs,
  );
}

/** What a request is refused for before its route is called. */
export function refusal(code: RefusalCode, message: string, hint = refusalHints[code]) {
  return new OperatorError({ code, message, hint, exitCode: exitCodes.usage });
}

type RefusalCode = keyof typeof refusalHints;

const refusalHints = {
  body_too_large: 'Send less at once.',
  body_too_slow: 'Send it again, all of it at once.',
  body_unwanted: 'Leave the body out.',
  host_unknown: 'Start the node with --http-name, once for each name that it is reached by.',
  idempotency_held: 'Retry in a moment: it is answered as the first one is.',
  idempotency_key_reused: 'Take another key for another request.',
  idempotency_key_wrong: 'Take 1 to 200 visible ASCII characters, e.g. a UUID.',
  malformed: 'Send JSON as the route describes it: /openapi.json',
  media_type_unknown: 'See what the route takes: /openapi.json',
  method_wrong: 'See the routes: /openapi.json',
  origin_forbidden: 'Start the node with --http-origin for the address that browsers use.',
  path_missing: 'See the routes: /openapi.json',
  role_forbidden: 'Use a token of a higher role: statecron token add --role',
} as const;
