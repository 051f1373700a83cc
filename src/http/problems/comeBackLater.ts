import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';

/** A refusal that says when to come back. */
export class ComeBackLater extends OperatorError {
  readonly retryAfterMs: number;

  constructor(
    what: { readonly code: string; readonly message: string; readonly hint: string },
    retryAfterMs: number,
  ) {
    super({ ...what, exitCode: exitCodes.tryAgain });
    this.retryAfterMs = retryAfterMs;
  }
}

/** 503: this node has no room for it now, whoever asks. */
export function busy(message: string, retryAfterMs = 2_000): ComeBackLater {
  const hint = 'Ask again in a moment, or another node.';
  return new ComeBackLater({ code: 'busy', message, hint }, retryAfterMs);
}

/** 429: whoever asks, by address or by token, has all that one may have here at once. */
export function tooManyRequests(message: string, retryAfterMs = 2_000): ComeBackLater {
  const hint = `Ask for less at once; again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  return new ComeBackLater({ code: 'too_many_requests', message, hint }, retryAfterMs);
}
