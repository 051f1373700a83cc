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

  constructor(fault: {
    code: string;
    message: string;
    hint: string;
    exitCode?: ExitCode;
    cause?: unknown;
  }) {
    super(fault.message, fault.cause === undefined ? undefined : { cause: fault.cause });
    this.code = fault.code;
    this.hint = fault.hint;
    this.exitCode = fault.exitCode ?? exitCodes.failed;
  }
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
