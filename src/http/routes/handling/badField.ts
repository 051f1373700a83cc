import { FieldError } from '../../../domain/errors/errors.ts';

/** A value that cannot be read, though its form is right. */
export function badField(field: string, message: string): FieldError {
  return new FieldError({
    code: 'bad_request',
    message: `${field}: ${message}.`,
    hint: 'See what the route takes: /docs',
    errors: [{ field, message }],
  });
}
