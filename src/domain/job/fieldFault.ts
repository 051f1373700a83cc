import { FieldError, type FieldFault } from '../errors/errors.ts';

/**
 * A mistake in the fields of a job: its message names the flag to who wrote flags, its errors name
 * the key to programs. `rest` is what follows the flag. Exit code 2.
 */
export function fieldFault(
  flag: string,
  rest: string,
  options: { code?: string; hint: string; others?: readonly FieldFault[] },
): FieldError {
  const { code = 'usage', hint, others = [] } = options;
  const message = `${flag}${rest}`;
  return new FieldError({ code, message, hint, errors: [faultByKey(flag, rest), ...others] });
}

/** The same of one field, for a list of faults. */
export function faultByKey(flag: string, rest: string): FieldFault {
  const key = flag.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return {
    field: flag.startsWith('--') ? key : flag.toLowerCase(),
    message: rest.replace(/^:? /, '').replace(/\.$/, ''),
  };
}
