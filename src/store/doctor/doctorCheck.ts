/** One line of a doctor's report. */
export interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do, when there is something. */
  readonly hint: string | null;
}

/** A check that is ok or, by default, has failed; only then its hint is shown. */
export function checkOf(
  check: string,
  isOk: boolean,
  message: string,
  hint: string | null,
  otherwise: 'warn' | 'fail' = 'fail',
): Check {
  return { check, status: isOk ? 'ok' : otherwise, message, hint: isOk ? null : hint };
}
