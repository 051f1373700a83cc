import { counted } from '../text/counted.ts';

/**
 * An error that an operator can act on: what went wrong, what to do, and the exit code that a
 * command ends with. Broken invariants are not this; they assert and end the process.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** Stable code for programs, e.g. `job_exists`. */
  readonly code: string;
  /** What to do next. */
  readonly hint: string;
  readonly exitCode: ExitCode;
  /** The name of what is not there, as it was given; undefined: it is about something else. */
  readonly missing: string | undefined;

  constructor(fault: Fault) {
    super(fault.message, fault.cause === undefined ? undefined : { cause: fault.cause });
    this.code = fault.code;
    this.hint = fault.hint;
    this.exitCode = fault.exitCode ?? exitCodes.failed;
    this.missing = fault.missing;
  }
}

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Absent: 1. */
  readonly exitCode?: ExitCode;
  readonly missing?: string | undefined;
  readonly cause?: unknown;
}

/** The exit codes of every command; 69, 75 and 78 are sysexits.h's. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  databaseAway: 69,
  tryAgain: 75,
  configuration: 78,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What is wrong with one field of a request. */
export interface FieldFault {
  /** As the client wrote it: a field of a job in camelCase, with its place in a list if any. */
  readonly field: string;
  readonly message: string;
}

/** An error about a request that names the fields at fault, all that were found. */
export class FieldError extends OperatorError {
  readonly errors: readonly FieldFault[];

  constructor(fault: Fault & { readonly errors: readonly FieldFault[] }) {
    super({ ...fault, exitCode: fault.exitCode ?? exitCodes.usage });
    this.errors = fault.errors;
  }
}

/** A change was requested and no answer came: `look` shows whether it was made. */
export function outcomeUnknown(
  responder: 'database' | 'node',
  cause: Error,
  look = 'statecron runs',
): OperatorError {
  const why = `the ${responder} did not answer (${cause.message})`;
  return new OperatorError({
    code: 'outcome_unknown',
    message: `It is unknown whether it was done: ${why}.`,
    hint: `Look before you repeat it: ${look}`,
    exitCode: exitCodes.tryAgain,
    cause,
  });
}

/** Not as many jobs match as a person has seen. */
export function countDiffers(matched: number, expected: number | undefined): OperatorError {
  const jobs = counted(matched, 'job matches', 'jobs match');
  return new OperatorError({
    code: 'count_differs',
    message: `${jobs}, not ${expected ?? 'a number that was given'}. Nothing was changed.`,
    hint: 'Look which jobs match, and repeat it with their number.',
  });
}
