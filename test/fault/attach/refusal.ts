import { exitCodes, OperatorError } from '../../../src/domain/errors/errors.ts';

/** What a run may not do, or cannot, as things are. */
export function refusal(code: string, message: string, hint: string): OperatorError {
  return new OperatorError({ code, message, hint, exitCode: exitCodes.configuration });
}
