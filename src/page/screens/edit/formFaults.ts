import type { ApiProblem } from '../../api/apiProblem.ts';
import { type FormField, formFields, labelOf } from '../../jobs/jobFieldTable.ts';
import { showLine } from '../../text/showControls.ts';
import type { FormValues } from './formValues.ts';

/** What is wrong, as a sentence for each field, by their keys. */
export type FormFaults = ReadonlyMap<string, string>;

/** What no node need be asked for: that a field is needed, or that a text is no number. */
export function faultOf(field: FormField, text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return field.isNeeded ? sentenceOf(field, 'is needed') : null;
  const isNoNumber = field.kind === 'number' && !/^-?\d+$/.test(trimmed);
  return isNoNumber ? sentenceOf(field, 'is no whole number') : null;
}

/** The same of all fields. */
export function faultsOf(fields: readonly FormField[], values: FormValues): FormFaults {
  const found = fields.map(
    (field) => [field.key, faultOf(field, values[field.key] ?? '')] as const,
  );
  return new Map(found.flatMap(([key, fault]) => (fault === null ? [] : [[key, fault]])));
}

/** What a node finds wrong with fields of the form; a fault of an item is named `after.0`. */
export function faultsIn({ fields }: ApiProblem): FormFaults {
  const found = [...fields].flatMap(([name, message]) => {
    const field = [nameField, ...formFields].find(({ key }) => key === name.split('.')[0]);
    return field === undefined ? [] : [[field.key, sentenceOf(field, message)] as const];
  });
  // Of several faults of one field people read the first.
  return new Map(found.reverse());
}

/** Messages of the API go on after the name of their field. */
function sentenceOf(field: FormField, message: string): string {
  const isPredicate = /^(?:is|are|has|have|says|names|begins|ends)\b/.test(message);
  return `${labelOf(field)}${isPredicate ? '' : ':'} ${showLine(message)}.`;
}

/** A new job's name, which is no field of its definition. */
export const nameField: FormField = {
  ...{ key: 'name', flag: 'name', heading: '', help: 'unique in the cluster', value: 'name' },
  ...{ isNeeded: true, kind: 'text', choices: null },
};
