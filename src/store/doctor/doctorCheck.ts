/** One line of a doctor's report. */
export interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do, when there is something. */
  readonly hint: string | null;
}
