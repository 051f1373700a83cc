import { isDeepStrictEqual } from 'node:util';
import { warnOfShell } from '../../crontab/runByShell.ts';
import type { FieldError } from '../../errors/errors.ts';
import { parseInstantIn } from '../../schedule/parseInstantIn.ts';
import { isoInZone } from '../../schedule/placeInZone.ts';
import { checkSchedule } from '../../schedule/read/checkSchedule.ts';
import { scheduleFaults } from '../../schedule/read/scheduleFaults.ts';
import { scheduleFields } from '../../schedule/schedule.ts';
import { parseIsoInstant } from '../../time/parseInstant.ts';
import { checkDefinition } from '../checkDefinition.ts';
import type { DefinitionFault } from '../checkFields.ts';
import { fieldFault } from '../fieldFault.ts';
import { fieldStoredAs, jobFields } from '../fields.ts';
import { type JobDefinition, jobDefaults } from '../jobDefinition.ts';
import type { JobFields } from '../jobPolicies.ts';
import { unknownFields, withLowestFormat } from './definitionFormat.ts';
import { mergeFields } from './mergeFields.ts';

interface BuiltDefinition {
  readonly definition: JobDefinition;
  /** Messages for the person who saves it. */
  readonly warnings: readonly string[];
}

/**
 * Makes a new job's definition of the fields that are given.
 * @throws OperatorError (2) that names the field at fault.
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
  if (schedule === undefined || command === undefined) {
    const isBoth = schedule === undefined && command === undefined;
    const others = isBoth ? [{ field: 'command', message: 'is missing' }] : [];
    const isFollower = schedule === undefined && Boolean(given.after);
    const hint = isFollower ? hintOfFollower : seeAdd;
    const first = schedule === undefined ? 'cron' : 'command';
    throw fieldFault(first, ' is missing.', { hint, others });
  }
  const timezone = given.timezone ?? jobDefaults.timezone;
  return mergeFields({ ...jobDefaults, timezone, name, schedule, command, env: {} }, given);
}

/**
 * The definition with the changes that are given. The schedule is checked only when it is another:
 * one that has come to its end may still have its other fields changed.
 * @throws OperatorError (2) that names the field at fault.
 */
export function editedDefinition(
  definition: JobDefinition,
  given: JobFields,
  nowMs: number,
): BuiltDefinition {
  const edited = mergeFields(definition, given);
  const isRescheduled = jobFields.some(
    ({ checkedBy, key }) => checkedBy === 'schedule' && Reflect.get(given, key) !== undefined,
  );
  if (!isRescheduled) return withShellWarning(definition, withoutFault(edited));
  const hasPrefix = /^\s*(CRON_)?TZ=/.test(edited.schedule);
  const timezone = given.timezone ?? (hasPrefix ? undefined : definition.timezone);
  return withShellWarning(definition, checked(edited, timezone, nowMs));
}

/**
 * The definition made of a complete set of a job's fields. Where it was imported from stays, and
 * what this version does not know. The schedule is checked as `editedDefinition` checks it.
 * @throws FieldError (2) that names the fields at fault.
 */
export function replacedDefinition(
  current: JobDefinition,
  given: JobFields,
  nowMs: number,
): BuiltDefinition {
  const kept = new Set(['origin', 'format', ...unknownFields(current)]);
  const definition = withLowestFormat({
    ...definitionOf(current.name, given),
    ...Object.fromEntries(Object.entries(current).filter(([name]) => kept.has(name))),
  });
  const same = withInstants(definition);
  const isSame = scheduleFields.every((name) => isDeepStrictEqual(same[name], current[name]));
  const built = isSame ? withoutFault(same) : checked(definition, given.timezone, nowMs);
  return withShellWarning(current, built);
}

function withShellWarning(current: JobDefinition, built: BuiltDefinition): BuiltDefinition {
  const { command, origin } = current;
  const warning = origin === undefined ? null : warnOfShell(command, built.definition.command);
  return warning === null ? built : { ...built, warnings: [...built.warnings, warning] };
}

/**
 * Checks every field of a definition, and the schedule in the requested zone.
 * @throws FieldError (2) that names the fields at fault.
 */
export function checked(
  definition: JobDefinition,
  timezone: string | undefined,
  nowMs: number,
): BuiltDefinition {
  const { name, schedule } = definition;
  const reading = checkSchedule(schedule, { ...definition, timezone, jobName: name }, nowMs);
  if (!('error' in reading)) {
    requireNoFault(definition);
    const { timezone: chosen, warnings } = reading;
    return { definition: withInstants({ ...definition, timezone: chosen }), warnings };
  }
  const { error, field } = reading;
  const others = faultsAtAnyTime(definition, timezone).filter((each) => each.field !== field);
  throw definitionFault([{ field, message: error }, ...others]);
}

/** @throws FieldError (2) that names every field at fault, whatever the time is. */
export function requireReadable(definition: JobDefinition, timezone: string | undefined): void {
  const faults = faultsAtAnyTime(definition, timezone);
  if (faults.length > 0) throw definitionFault(faults);
}

function faultsAtAnyTime(definition: JobDefinition, timezone: string | undefined) {
  const faults = scheduleFaults({ ...definition, timezone });
  const ofSchedule = faults.map(({ error, field }): DefinitionFault => ({ field, message: error }));
  return [...ofSchedule, ...checkDefinition(definition)];
}

/** The bounds of its window as they are stored: with an offset, whatever zone it has later. */
export function withInstants(definition: JobDefinition): JobDefinition {
  const { notAfter, notBefore, timezone } = definition;
  return {
    ...definition,
    ...(notBefore === undefined ? {} : { notBefore: withOffset(notBefore, timezone) }),
    ...(notAfter === undefined ? {} : { notAfter: withOffset(notAfter, timezone) }),
  };
}

/** A text that is no instant stays as it is. */
function withOffset(text: string, timezone: string): string {
  const instantMs = parseIsoInstant(text) === null ? parseInstantIn(text, timezone) : null;
  if (instantMs === null) return text;
  const local = isoInZone(instantMs, timezone);
  return parseIsoInstant(local) === instantMs ? local : new Date(instantMs).toISOString();
}

function withoutFault(definition: JobDefinition): BuiltDefinition {
  requireNoFault(definition);
  return { definition, warnings: [] };
}

/** @throws FieldError (2) that names every field at fault. */
export function requireNoFault(definition: JobDefinition): void {
  const faults = checkDefinition(definition);
  if (faults.length > 0) throw definitionFault(faults);
}

/** People are shown the first one, programs get all of them. */
function definitionFault([fault, ...others]: readonly DefinitionFault[]): FieldError {
  const { field, message } = fault as DefinitionFault;
  return fieldFault(placeOf(field), `: ${message}.`, {
    code: `bad_${field.split('.', 1)}`,
    hint: hints[field] ?? seeAdd,
    others: others.map((other) => ({ field: placeOf(other.field), message: other.message })),
  });
}

/** The key of a field that is stored under a name. */
function placeOf(stored: string): string {
  return stored === 'name' ? stored : (fieldStoredAs(stored)?.key ?? 'file');
}

const seeAdd = 'See: statecron docs jobs';
const hintOfFollower = 'A job that only runs after others has --cron @manual';
const hints: Readonly<Record<string, string>> = {
  schedule: "Try a schedule first: statecron next '*/5 * * * *'",
  timezone: 'Give an IANA zone, such as UTC, Europe/London, America/New_York or Asia/Tokyo.',
};
