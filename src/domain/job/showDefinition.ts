import { isDeepStrictEqual } from 'node:util';
import { jobFields } from './fields.ts';
import { writeField } from './fieldsOfDefinition.ts';
import { type Field, storedOf } from './fieldTable/field.ts';
import type { JobDefinition } from './jobDefinition.ts';

/**
 * The lines of `job show` for what a definition says, and for the defaults of its policies: names
 * of fields, and values for people, those that are the default marked so.
 */
export function showDefinition(definition: JobDefinition): [string, string][] {
  return jobFields.flatMap((field) => {
    const { default: usual, flag, isAlwaysShown, shown } = field;
    const stored = storedOf(definition, field);
    const value = stored === undefined && isAlwaysShown ? usual : stored;
    const mark = isDeepStrictEqual(value, usual) ? ' (default)' : '';
    return showValue(field, value).map((line): [string, string] => [
      nameOf(flag),
      `${shown?.replace('{}', line) ?? line}${mark}`,
    ]);
  });
}

/** The names whose values are sentences. */
export const sentenceNames: readonly string[] = jobFields.flatMap(({ flag, kind }) =>
  kind === 'choice' ? [nameOf(flag)] : [],
);

function nameOf(flag: string): string {
  return flag.replaceAll('-', ' ');
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
