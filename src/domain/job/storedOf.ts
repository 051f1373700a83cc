import type { Field } from './fieldTable/field.ts';
import type { JobDefinition } from './jobDefinition.ts';

/** The value that a definition has for a field, or undefined. Of `cron` all of its schedules. */
export function storedOf(definition: Partial<JobDefinition>, { key, stored }: Field): unknown {
  if (key === 'cron') {
    const { schedule, moreSchedules = [] } = definition;
    return schedule === undefined ? undefined : [schedule, ...moreSchedules];
  }
  const [name, part] = nameAndPart(stored);
  const value = (definition as Readonly<Record<string, unknown>>)[name];
  if (part === undefined) return value;
  return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
}

/** The name that a value is stored under, and of which part of it, if any, a field is. */
export function nameAndPart(stored: string): readonly [name: string, part?: string] {
  return stored.split('.') as [string, string?];
}
