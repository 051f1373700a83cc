import { exitCodes, OperatorError } from './errors.ts';

/** A change was requested and no answer came: `look` shows whether it was made. */
export function outcomeUnknown(
  asked: 'database' | 'node',
  cause: Error,
  look = 'statecron runs',
): OperatorError {
  return new OperatorError({
    code: 'outcome_unknown',
    message: `It is unknown whether it was done: the ${asked} did not answer (${cause.message}).`,
    hint: `Look before you repeat it: ${look}`,
    exitCode: exitCodes.tryAgain,
    cause,
  });
}
