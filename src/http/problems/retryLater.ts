import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

/** A refusal that says when to retry. */
export class RetryLater extends OperatorError {
  readonly retryAfterMs: number;

  constructor(
    what: { readonly code: string; readonly message: string; readonly hint: string },
    retryAfterMs: number,
  ) {
    super({ ...what, exitCode: exitCodes.tryAgain });
    this.retryAfterMs = retryAfterMs;
  }
}

/** 503: this node has no room for it now, whoever sends it. */
export function busy(message: string, retryAfterMs = 2_000): RetryLater {
  const hint = 'Retry in a moment, or use another node.';
  return new RetryLater({ code: 'busy', message, hint }, retryAfterMs);
}

/** 429: the address or token has all that one may have here at once. */
export function tooManyRequests(message: string, retryAfterMs = 2_000): RetryLater {
  const hint = `Send fewer requests at once; retry in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  return new RetryLater({ code: 'too_many_requests', message, hint }, retryAfterMs);
}
