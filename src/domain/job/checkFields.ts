import { isDeepStrictEqual } from 'node:util';
import { jobFields } from './fields.ts';
import { checkText } from './fieldTable/checkNames.ts';
import { type Field, storedOf } from './fieldTable/field.ts';
import type { JobDefinition } from './jobDefinition.ts';

/** What is wrong with a definition, and with which field of it, as it is stored. */
export interface DefinitionFault {
  /** e.g. `parallel`, or `retry.max`. */
  readonly field: string;
  readonly message: string;
}

/**
 * Every value of a definition that is not of its field's kind or not within its bounds. A node
 * looks at less than the writer of a definition does, see `Field`. Never throws, whatever the
 * definition holds: it may be another version's.
 */
export function checkFields(
  definition: Partial<JobDefinition>,
  by: 'writer' | 'node',
): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  // A loop, since files have 100,000 jobs.
  for (const field of jobFields) {
    const { checkedBy, stored } = field;
    if (checkedBy === 'schedule' || (checkedBy === 'nobody' && by === 'node')) continue;
    const value = storedOf(definition, field);
    const isAbsent = value === undefined && !isRequired(definition, field);
    if (isAbsent || (value === null && field.default === null)) continue;
    for (const message of [checkValue(field, value)].flat()) {
      if (message !== null) faults.push({ field: stored, message });
    }
  }
  return faults;
}

/** A part that has a default is stored with the others. */
function isRequired(definition: object, { default: usual, format, name, part }: Field): boolean {
  if (part === undefined) return format === 1;
  return usual !== undefined && Reflect.get(definition, name) !== undefined;
}

/** What is wrong with a value; null: nothing is. */
function checkValue(field: Field, value: unknown): string | null | readonly (string | null)[] {
  switch (field.kind) {
    case 'list':
      return checkList(field, value);
    case 'variables':
      return checkVariables(value as Record<string, string>, field.bytesMax);
    case 'text':
      return typeof value === 'string' ? (field.check?.(value) ?? null) : 'is no text';
    case 'switch':
      return typeof value === 'boolean' ? null : 'is neither true nor false';
    case 'duration':
      return checkWhole(value, field, field.seconds ? ' seconds' : ' ms');
    case 'size':
      return checkWhole(value, field, ' bytes');
    case 'number':
      return checkWhole(value, field, '');
    case 'choice':
      return checkChoice(value, storedChoices(field));
    case 'choices':
      return checkChoices(value, field);
  }
}

/** A choice that is the default is not stored, but for fields of which the default is. */
function storedChoices({ choices, ...field }: Extract<Field, { kind: 'choice' }>): string[] {
  const isStored = field.format === 1 || field.part !== undefined;
  return Object.keys(choices).filter((each) => isStored || each !== field.default);
}

function checkChoice(value: unknown, allowed: readonly string[]): string | null {
  const isAllowed = allowed.some((each) => each === value);
  return isAllowed ? null : `is ${String(value)}, which is none of ${allowed.join(', ')}`;
}

function checkChoices(value: unknown, field: Extract<Field, { kind: 'choices' }>): string | null {
  if (!Array.isArray(value)) return 'is no list';
  if (value.length === 0 && !isDeepStrictEqual(field.default, [])) return 'names nothing';
  const faults = value.map((each) => checkChoice(each, field.choices));
  return faults.find((message) => message !== null) ?? null;
}

function checkList(field: Extract<Field, { kind: 'list' }>, value: unknown) {
  const { check, item, itemsMax = Number.POSITIVE_INFINITY } = field;
  if (!Array.isArray(value)) return 'names nothing';
  if (value.length === 0) return isDeepStrictEqual(field.default, []) ? null : 'names nothing';
  if (value.length > itemsMax) return `has ${value.length} names; ${itemsMax} are allowed`;
  if (item !== undefined) return null;
  return value.map((each) => (typeof each === 'string' ? (check?.(each) ?? null) : 'is no text'));
}

function checkVariables(
  variables: Readonly<Record<string, string>>,
  bytesMax?: number,
): (string | null)[] {
  const faults = Object.entries(variables).map(([name, value]) => checkVariable(name, value));
  return [...faults, checkText(JSON.stringify(variables), bytesMax)];
}

function checkVariable(name: string, value: string): string | null {
  const shown = JSON.stringify(name);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return `${shown} is no variable's name: letters, digits and _ only, no digit first`;
  }
  if (name.startsWith('STATECRON_')) return `${name} is set by statecron itself`;
  const message = checkText(value);
  return message === null ? null : `the value of ${name} ${message}`;
}

function checkWhole(
  value: unknown,
  { least, most }: { readonly least: number; readonly most: number },
  unit: string,
): string | null {
  const fits = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  return fits ? null : `is ${String(value)}${unit}; ${least} to ${most} are allowed`;
}
