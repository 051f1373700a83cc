import { jobFields } from './fields.ts';
import { writeField } from './fieldsOfDefinition.ts';
import { type Field, storedOf } from './fieldTable/field.ts';
import type { JobDefinition } from './jobDefinition.ts';

/** The lines of `job show` for what a definition says: names of fields, and values for people. */
export function showDefinition(definition: JobDefinition): [string, string][] {
  return jobFields.flatMap((field) =>
    showValue(field, storedOf(definition, field)).map((line): [string, string] => [
      field.flag.replaceAll('-', ' '),
      field.shown?.replace('{}', line) ?? line,
    ]),
  );
}

function showValue(field: Field, value: unknown): string[] {
  if (value === undefined) return [];
  if (value === null) return field.without === undefined ? [] : [field.without];
  const items = itemsOf(field, value);
  return field.hasLines ? items : items.length === 0 ? [] : [items.join(', ')];
}

function itemsOf(field: Field, value: unknown): string[] {
  switch (field.kind) {
    case 'list':
      return (value as never[]).map(field.item?.show ?? String);
    case 'choices':
      return value as string[];
    case 'variables':
      return Object.entries(value as object).map(([name, each]) => `${name}=${each}`);
    case 'switch':
      return [value === true ? 'yes' : 'no'];
    case 'choice': {
      // A value of a later version has no meaning here, and is shown as it is.
      const meaning = field.choices[value as string];
      return [meaning === undefined ? String(value) : `${value}: ${meaning}`];
    }
    default:
      return [String(writeField(field, value))];
  }
}
