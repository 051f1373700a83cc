import { readScheduleSet } from '../../schedule/read/readScheduleSet.ts';
import { checkFields } from '../checkFields.ts';
import { checkTogether } from '../checkTogether.ts';
import { jobFields } from '../fields.ts';
import { storedOf } from '../fieldTable/field.ts';
import type { JobDefinition } from '../jobDefinition.ts';

/**
 * The newest form of a definition that this version understands. 1: the fields of the first
 * release. 2: `onFence`. 3: most policies. 4: notifications and secrets, which older nodes would
 * not heed. 5: `description`, and more in parallel than they take. 6: `observed`, whose ticks older
 * nodes would run. A field, a value or a schedule
 * that older versions would misread comes with a higher number, and theirs is then a job that they
 * leave to others.
 */
export const definitionFormat = Math.max(...jobFields.map(({ format }) => format));

/**
 * The definition with the lowest format that can express it, so that older versions go on running
 * every job that they can run rightly. What this version does not know keeps its number.
 */
export function withLowestFormat(definition: JobDefinition): JobDefinition {
  const { format: current = 1, ...rest } = definition;
  const needed = formatOf(definition);
  const isForeign = current > definitionFormat || unknownFields(definition).length > 0;
  const format = isForeign ? Math.max(current, needed) : needed;
  return format === 1 ? rest : { ...rest, format };
}

function formatOf(definition: JobDefinition): number {
  const { kind, moreSchedules, parallel = 1 } = definition;
  const isWider = parallel > (kind === 'every-node' ? 1 : 100);
  const formats = jobFields.map((field) =>
    storedOf(definition, field) === undefined ? 1 : field.format,
  );
  return Math.max(isWider ? 5 : moreSchedules === undefined ? 1 : 3, ...formats);
}

/**
 * Why this version must not run the job, or null: what it would make of it may be wrong. Such a job
 * is left for nodes of a version that understands it.
 */
export function whyNotUnderstood(definition: JobDefinition): string | null {
  const { format = 1 } = definition;
  if (format > definitionFormat) {
    return `its definition has the format ${format}, this version knows ${definitionFormat}`;
  }
  const unknown = unknownFields(definition);
  if (unknown.length > 0) return `this version does not know its ${unknown.join(', ')}`;
  const [fault] = [...checkFields(definition, 'node'), ...checkTogether(definition, 'node')];
  if (fault !== undefined) return `its ${fault.field} ${fault.message}`;
  const set = readScheduleSet(definition);
  return 'error' in set ? `its ${set.field} cannot be read: ${set.error}` : null;
}

/** Fields of a definition that this version does not know. */
export function unknownFields(definition: JobDefinition): string[] {
  return Object.keys(definition).filter((field) => !knownFields.has(field));
}

const knownFields: ReadonlySet<string> = new Set([
  ...['name', 'moreSchedules', 'format', 'origin'],
  ...jobFields.map(({ name }) => name),
]);
