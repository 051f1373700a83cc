import { FieldError, type FieldFault } from '../errors/errors.ts';
import { jobFields } from './fields.ts';
import type { Field } from './fieldTable/field.ts';
import type { JobFields } from './jobPolicies.ts';
import { type RawValue, readField } from './readField.ts';

/**
 * Reads the fields of a JSON object, each by its key and of the kind that its row has: a schema has
 * seen to that. What is undefined or null is not said.
 * @throws FieldError `bad_fields` (2) that names every field at fault.
 */
export function readJsonFields(body: Readonly<Record<string, unknown>>): JobFields {
  const fields: Record<string, unknown> = {};
  const errors: FieldFault[] = [];
  for (const field of jobFields) {
    const { key } = field;
    const value = Object.hasOwn(body, key) ? body[key] : undefined;
    if (value === undefined || value === null) continue;
    try {
      fields[key] = readValue(field, value);
    } catch (error) {
      errors.push({ field: key, message: (error as Error).message.replace(/\.$/, '') });
    }
  }
  const [first] = errors;
  if (first === undefined) return fields;
  throw new FieldError({
    code: 'bad_fields',
    message: `${first.field}: ${first.message}.`,
    hint: 'The fields of a job are described in /docs/jobs.',
    errors,
  });
}

function readValue(field: Field, value: unknown): unknown {
  // A file's `false` stands for an absence; in JSON a text is the text that it is.
  if (field.kind === 'text') return value;
  if (field.kind === 'list') return typeof value === 'string' ? [value] : value;
  return readField(field, rawOf(value));
}

function rawOf(value: unknown): RawValue {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([name, each]) => [name, String(each)]));
  }
  return String(value);
}
