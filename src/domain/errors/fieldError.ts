import { type ExitCode, exitCodes, OperatorError } from './errors.ts';

/** What is wrong with one field of a request. */
export interface FieldFault {
  /** As the client wrote it: a field of a job in camelCase, with its place in a list if any. */
  readonly field: string;
  readonly message: string;
}

/** An error about a request that names the fields at fault, all that were found. */
export class FieldError extends OperatorError {
  readonly errors: readonly FieldFault[];

  constructor(fault: {
    code: string;
    message: string;
    hint: string;
    errors: readonly FieldFault[];
    exitCode?: ExitCode;
  }) {
    super({ ...fault, exitCode: fault.exitCode ?? exitCodes.usage });
    this.errors = fault.errors;
  }
}
