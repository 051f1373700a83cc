import type { FieldError } from '../../errors/fieldError.ts';
import { checkSchedule } from '../../schedule/read/checkSchedule.ts';
import { checkDefinition } from '../checkDefinition.ts';
import type { DefinitionFault } from '../checkFields.ts';
import { faultByKey, fieldFault } from '../fieldFault.ts';
import { jobFields } from '../fields.ts';
import { type JobDefinition, jobDefaults } from '../jobDefinition.ts';
import type { JobFields } from '../jobPolicies.ts';
import { nameAndPart } from '../storedOf.ts';
import { mergeFields } from './mergeFields.ts';

export interface BuiltDefinition {
  readonly definition: JobDefinition;
  /** Messages for the person who saves it. */
  readonly warnings: readonly string[];
}

/**
 * Makes a new job's definition of the fields that are given.
 * @throws OperatorError (2) that names the flag at fault.
 */
export function newDefinition(name: string, given: JobFields, nowMs: number): BuiltDefinition {
  return checked(definitionOf(name, given), given.timezone, nowMs);
}

/**
 * A definition with all that is given and nothing else. Nothing but `cron` and `command` has
 * been checked, the schedule's zone is UTC unless one is given.
 */
export function definitionOf(name: string, given: JobFields): JobDefinition {
  const { command } = given;
  const schedule = given.cron?.[0];
  if (schedule === undefined) throw fieldFault('--cron', ' is missing.', { hint: seeAdd });
  if (command === undefined) throw fieldFault('--command', ' is missing.', { hint: seeAdd });
  const timezone = given.timezone ?? jobDefaults.timezone;
  return mergeFields({ ...jobDefaults, timezone, name, schedule, command, env: {} }, given);
}

/**
 * The definition with the changes that are given. The schedule is checked only when it is another:
 * one that has come to its end may still have its other fields changed.
 * @throws OperatorError (2) that names the flag at fault.
 */
export function editedDefinition(
  definition: JobDefinition,
  given: JobFields,
  nowMs: number,
): BuiltDefinition {
  const edited = mergeFields(definition, given);
  const isRescheduled = scheduleFields.some(({ key }) => Reflect.get(given, key) !== undefined);
  if (!isRescheduled) {
    requireNoFault(edited);
    return { definition: edited, warnings: [] };
  }
  const hasPrefix = /^\s*(CRON_)?TZ=/.test(edited.schedule);
  const timezone = given.timezone ?? (hasPrefix ? undefined : definition.timezone);
  return checked(edited, timezone, nowMs);
}

/** Fields that decide which instants are ticks, and in which the zone is found again. */
const scheduleFields = jobFields.filter(({ checkedBy }) => checkedBy === 'schedule');

/**
 * Checks every field of a definition, and the schedule in the requested zone.
 * @throws OperatorError (2) that names the flag at fault.
 */
export function checked(
  definition: JobDefinition,
  timezone: string | undefined,
  nowMs: number,
): BuiltDefinition {
  requireNoFault(definition);
  const { name, schedule } = definition;
  const reading = checkSchedule(schedule, { ...definition, timezone, jobName: name }, nowMs);
  if ('error' in reading) throw definitionFault([{ field: reading.field, message: reading.error }]);
  return { definition: { ...definition, timezone: reading.timezone }, warnings: reading.warnings };
}

/** @throws FieldError (2) that names every flag at fault. */
export function requireNoFault(definition: JobDefinition): void {
  const faults = checkDefinition(definition);
  if (faults.length > 0) throw definitionFault(faults);
}

/** People are shown the first one, programs get all of them. */
function definitionFault([fault, ...others]: readonly DefinitionFault[]): FieldError {
  const { field, message } = fault as DefinitionFault;
  return fieldFault(flagOf(field), `: ${message}.`, {
    code: `bad_${nameAndPart(field)[0]}`,
    hint: field === 'schedule' || field === 'timezone' ? scheduleHint : seeAdd,
    others: others.map((other) => faultByKey(flagOf(other.field), other.message)),
  });
}

/** Where a field that is stored under a name is written; of a whole the first part speaks. */
function flagOf(stored: string): string {
  if (stored === 'name') return 'NAME';
  const name = stored === 'moreSchedules' ? 'schedule' : stored;
  const field = jobFields.find(
    (each) => each.stored === name || each.stored.startsWith(`${name}.`),
  );
  return field === undefined ? 'FILE' : `--${field.flag}`;
}

const seeAdd = 'See: statecron job add --help';
const scheduleHint = "Try a schedule first: statecron next '*/5 * * * *' --timezone Europe/London";
