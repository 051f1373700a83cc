import { FieldError, type FieldFault } from '../errors/errors.ts';
import { jobFields, pauseFields } from './fields.ts';

/**
 * A mistake in the fields of a job. It names the key, which pages and programs know, and which
 * `flaggedMessage` writes as the flag to who wrote flags. `rest` is what follows it. Exit code 2.
 */
export function fieldFault(
  field: string,
  rest: string,
  options: { code?: string; hint: string; others?: readonly FieldFault[] },
): FieldError {
  const { code = 'usage', hint, others = [] } = options;
  const message = rest.replace(/^:? /, '').replace(/\.$/, '');
  const errors = [{ field, message }, ...others];
  return new FieldError({ code, message: `${field}${rest}`, hint, errors });
}

/** The message of an error in the words of the command line: `--retry-delay` for `retryDelay`. */
export function flaggedMessage({ errors, message }: FieldError): string {
  const [key = ''] = errors[0]?.field.split('.') ?? [];
  const flag = flags.get(key);
  const isNamed = message.startsWith(`${key}:`) || message.startsWith(`${key} `);
  return flag !== undefined && isNamed ? `${flag}${message.slice(key.length)}` : message;
}

/** The same of each field that it names. */
export function flaggedMessages(error: FieldError): string[] {
  const [, ...others] = error.errors;
  const said = others.map(({ field, message }) => `${flags.get(field) ?? field}: ${message}.`);
  return [flaggedMessage(error), ...said];
}

const flags: ReadonlyMap<string, string> = new Map([
  ...[...jobFields, ...pauseFields].map(({ flag, key }) => [key, `--${flag}`] as const),
  ...(['to', 'until'] as const).map((key) => [key, `--${key}`] as const),
  ['name', 'NAME'],
  ['file', 'FILE'],
]);
