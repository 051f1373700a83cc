import { type FormField, formFields } from '../../jobs/jobFieldTable.ts';
import { linesOf, variablesOf } from '../../text/variablesOf.ts';

/** What stands in the form, by the keys of fields: empty is the default. */
export type FormValues = Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, unknown>>;

/** What the form shows of a job: lists and variables a line each. */
export function formOf(fields: Fields): FormValues {
  const values = formFields.map((field) => [field.key, textOf(fields[field.key])]);
  return Object.fromEntries(values);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value !== 'object') return `${value}`;
  return linesOf(value);
}

/** The fields of a new job; what is empty is left out. */
export function fieldsOf(values: FormValues): Fields {
  const given = formFields.flatMap((field) => {
    const value = fieldValue(field, values[field.key] ?? '');
    return value === null ? [] : [[field.key, value] as const];
  });
  return Object.fromEntries(given);
}

/** What is changed, as a merge patch: null sets a field, or takes a variable, back. */
export function patchOf(before: FormValues, after: FormValues): Fields {
  const changed = formFields.filter(({ key }) => (before[key] ?? '') !== (after[key] ?? ''));
  return Object.fromEntries(
    changed.map((field) => {
      const value = fieldValue(field, after[field.key] ?? '');
      if (field.kind !== 'variables') return [field.key, value];
      // A secret value that is not shown is not sent back as what is shown in its place.
      const [old, present] = [before, after].map((values) => variablesOf(values[field.key] ?? ''));
      return [field.key, variablesPatch(old ?? {}, present ?? {})];
    }),
  );
}

function variablesPatch(old: Record<string, string>, present: Record<string, string>) {
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(present, name));
  const set = Object.entries(present).filter(([name, value]) => old[name] !== value);
  return Object.fromEntries([...removed.map((name) => [name, null] as const), ...set]);
}

function fieldValue({ kind }: FormField, text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  if (kind === 'list' || kind === 'choices') return lines.map((line) => line.trim());
  if (kind === 'variables') return variablesOf(text);
  if (kind === 'switch') return text === 'true';
  if (kind === 'number') return Number.isInteger(Number(text)) ? Number(text) : text;
  return text;
}
