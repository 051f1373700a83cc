import { checkSchedule } from '../checkSchedule.ts';
import { withLowestFormat } from '../definitionFormat.ts';
import type { FieldError } from '../fieldError.ts';
import {
  checkDefinition,
  type DefinitionFault,
  type JobDefinition,
  jobDefaults,
} from '../jobDefinition.ts';
import { jobFlags, propertyOf } from './jobFlags.ts';
import type { JobWords } from './jobWords.ts';
import { notifyWords } from './mergeNotify.ts';
import { mergePolicies, targetWords } from './mergePolicies.ts';
import { mergeVariables } from './mergeVariables.ts';
import { fieldFaultOf, wordFault } from './wordFault.ts';

export interface BuiltDefinition {
  readonly definition: JobDefinition;
  /** What to tell the person who saves it. */
  readonly warnings: readonly string[];
}

/**
 * Makes a new job's definition of the flags.
 * @throws OperatorError (2) that names the flag at fault.
 */
export function newDefinition(name: string, options: JobWords, nowMs: number): BuiltDefinition {
  return checked(definitionOf(name, options), options.timezone, nowMs);
}

/**
 * A definition with all that the words say and nothing else. Nothing but `cron` and `command` has
 * been checked, the schedule's zone is UTC unless the words name one.
 */
export function definitionOf(name: string, options: JobWords): JobDefinition {
  const { command } = options;
  const schedule = options.cron?.[0];
  if (schedule === undefined) throw wordFault('--cron', ' is missing.', { hint: seeAdd });
  if (command === undefined) throw wordFault('--command', ' is missing.', { hint: seeAdd });
  const timezone = options.timezone ?? jobDefaults.timezone;
  return mergeOptions({ ...jobDefaults, timezone, name, schedule, command, env: {} }, options);
}

/**
 * The definition with the flags' changes. The schedule is checked only when it is another: one that
 * has come to its end may still have its other fields changed.
 * @throws OperatorError (2) that names the flag at fault.
 */
export function editedDefinition(
  definition: JobDefinition,
  options: JobWords,
  nowMs: number,
): BuiltDefinition {
  const edited = mergeOptions(definition, options);
  const isRescheduled = scheduleWords.some((word) => options[word] !== undefined);
  if (!isRescheduled) {
    requireNoFault(edited);
    return { definition: edited, warnings: [] };
  }
  const hasPrefix = /^\s*(CRON_)?TZ=/.test(edited.schedule);
  const timezone = options.timezone ?? (hasPrefix ? undefined : definition.timezone);
  return checked(edited, timezone, nowMs);
}

/** Words that decide which instants are ticks, and in which the zone is found again. */
const scheduleWords = [
  ...(['cron', 'timezone', 'dialect', 'dstGap', 'dstFold'] as const),
  ...(['notBefore', 'notAfter', 'exclude'] as const),
];

/**
 * Checks every field of a definition, and the schedule in the zone that was asked for.
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

/** Fields that this version does not know stay as they are. */
function mergeOptions(definition: JobDefinition, options: JobWords): JobDefinition {
  const { timeout, cwd, stdin, description } = options;
  const { onFence: current, moreSchedules: _, ...kept } = mergePolicies(definition, options);
  const { secretEnv: __, description: said, ...rest } = kept;
  const text = description === undefined ? said : description || undefined;
  const onFence = options.onFence ?? current;
  const [schedule = definition.schedule, ...more] = options.cron ?? [];
  const moreSchedules = options.cron === undefined ? definition.moreSchedules : more;
  return withLowestFormat({
    ...rest,
    schedule,
    ...(moreSchedules === undefined || moreSchedules.length === 0 ? {} : { moreSchedules }),
    command: options.command ?? definition.command,
    ...(text === undefined ? {} : { description: text }),
    ...mergeVariables(definition, options),
    ...(cwd === undefined ? {} : { cwd: cwd === false ? null : cwd }),
    ...(stdin === undefined ? {} : { stdin: stdin === false ? null : stdin }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout === false ? null : timeout }),
    graceMs: options.grace ?? definition.graceMs,
    outputBytesMax: options.outputMax ?? definition.outputBytesMax,
    leftovers: options.leftovers ?? definition.leftovers,
    ...(onFence === undefined || onFence === 'kill' ? {} : { onFence }),
  });
}

/** @throws FieldError (2) that names every flag at fault. */
export function requireNoFault(definition: JobDefinition): void {
  const faults = checkDefinition(definition);
  if (faults.length > 0) throw definitionFault(faults);
}

/** The first one is told to people, all of them to programs. */
function definitionFault([fault, ...others]: readonly DefinitionFault[]): FieldError {
  const { field, message } = fault as DefinitionFault;
  return wordFault(flagOf(field, message), `: ${message}.`, {
    code: `bad_${field}`,
    hint: field === 'schedule' || field === 'timezone' ? scheduleHint : seeAdd,
    others: others.map((other) => fieldFaultOf(flagOf(other.field, other.message), other.message)),
  });
}

/** Each part of a target, and of who is told, has a flag; its faults begin with its name. */
function flagOf(field: keyof JobDefinition, message: string): string {
  const part = /^\w+/.exec(message)?.[0] ?? '';
  const words: Readonly<Record<string, string>> = partWords[field] ?? {};
  const word = Object.hasOwn(words, part) ? words[part] : undefined;
  const flag = word === undefined ? word : jobFlags.find((each) => propertyOf(each.flag) === word);
  return flag === undefined ? flagOfField[field] : `--${flag.flag}`;
}

const partWords: Partial<Record<keyof JobDefinition, Readonly<Record<string, string>>>> = {
  target: targetWords,
  notify: notifyWords,
};

const flagOfField: Record<keyof JobDefinition, string> = {
  name: 'NAME',
  schedule: '--cron',
  timezone: '--timezone',
  command: '--command',
  description: '--description',
  env: '--env',
  secretEnv: '--secret-env',
  cwd: '--cwd',
  stdin: '--stdin',
  timeoutMs: '--timeout',
  graceMs: '--grace',
  outputBytesMax: '--output-max',
  leftovers: '--leftovers',
  onFence: '--on-fence',
  format: '--on-fence',
  origin: 'FILE',
  moreSchedules: '--cron',
  dialect: '--dialect',
  gap: '--dst-gap',
  fold: '--dst-fold',
  notBefore: '--not-before',
  notAfter: '--not-after',
  exclude: '--exclude',
  overlap: '--overlap',
  parallel: '--parallel',
  misfire: '--misfire',
  catchUpMs: '--catch-up',
  nodeLoss: '--node-loss',
  retry: '--retries',
  startDeadlineMs: '--start-deadline',
  splayMs: '--splay',
  runsMax: '--max-runs',
  failuresMax: '--pause-after-failures',
  kind: '--kind',
  target: '--target',
  after: '--after',
  group: '--group',
  tags: '--tag',
  user: '--user',
  umask: '--umask',
  nice: '--nice',
  memoryBytesMax: '--memory-max',
  cpuSecondsMax: '--cpu-time-max',
  keepDays: '--keep-days',
  keepRuns: '--keep-runs',
  notify: '--notify-to',
};

const seeAdd = 'See: statecron job add --help';
const scheduleHint = "Try a schedule first: statecron next '*/5 * * * *' --timezone Europe/London";
