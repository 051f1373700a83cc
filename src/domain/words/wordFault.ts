import { FieldError, type FieldFault } from '../fieldError.ts';
import { propertyOf } from './jobFlags.ts';

/**
 * A mistake in the words of a job: in its message told by its flag to who wrote flags, in its
 * errors by the word in camelCase to programs. `rest` is what follows the flag. Exit code 2.
 */
export function wordFault(
  flag: string,
  rest: string,
  options: { code?: string; hint: string; others?: readonly FieldFault[] },
): FieldError {
  const { code = 'usage', hint, others = [] } = options;
  const message = `${flag}${rest}`;
  return new FieldError({ code, message, hint, errors: [fieldFaultOf(flag, rest), ...others] });
}

/** The same of one word, for a list of faults. */
export function fieldFaultOf(flag: string, rest: string): FieldFault {
  const isFlag = flag.startsWith('--');
  return {
    field: isFlag ? propertyOf(flag.slice(2)) : flag.toLowerCase(),
    message: rest.replace(/^:? /, '').replace(/\.$/, ''),
  };
}
