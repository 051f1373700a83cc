import type { Role } from '../../domain/access/role.ts';
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
export function refusal(code: RefusalCode, message: string, hint: string = refusalHints[code]) {
  // A right that is missing is a matter of how the command is set up, as a missing token is.
  const exitCode = /^(role|person)_forbidden$/.test(code)
    ? exitCodes.configuration
    : exitCodes.usage;
  return new OperatorError({ code, message, hint, exitCode });
}

/**
 * @param role the one that is needed
 * @param person whom a proxy names, to whom tokens are nothing; null: a token's holder
 */
export function roleForbidden(message: string, role: Role, person: object | null): OperatorError {
  const ofToken = `Ask an administrator for a token with the role ${role}.`;
  const hint = person === null ? ofToken : refusalHints.person_forbidden;
  return refusal('role_forbidden', message, hint);
}

type RefusalCode = keyof typeof refusalHints;

const refusalHints = {
  body_too_large: 'Send less at once.',
  body_too_slow: 'Send the request again.',
  body_unwanted: 'Send it without a body.',
  host_unknown: 'Use its address, or start the node with --http-name NAME.',
  idempotency_held: 'Retry in a moment: the answer will be that of the first one.',
  idempotency_key_reused: 'Use a new key for a new request.',
  idempotency_key_wrong: 'Use a UUID, for example.',
  malformed: 'Correct it; /docs/reference describes what the route takes.',
  media_type_unknown: 'Send a header such as Content-Type: application/json.',
  method_wrong: 'Look the route up in /docs/reference.',
  origin_forbidden: 'Start the node with --http-origin for the address that browsers use.',
  path_missing: 'Look the route up in /docs/reference.',
  person_forbidden:
    'See --proxy-role, --proxy-user and --proxy-default-role: statecron docs production',
  role_forbidden: 'Ask an administrator for a token of that role.',
} as const;
