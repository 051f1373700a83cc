import { FieldError } from '../../../domain/errors/errors.ts';

/** A value that cannot be read, though its form is right. */
export function badField(field: string, message: string): FieldError {
  return new FieldError({
    code: 'bad_request',
    message: `${field}: ${message}.`,
    hint: 'Correct it; /docs/reference describes what the route takes.',
    errors: [{ field, message }],
  });
}

type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** An object without its undefined fields. */
export function withoutUndefined<Values extends object>(values: Values): Given<Values> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Values>;
}
