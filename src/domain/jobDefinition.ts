import type { JobPolicies } from './jobPolicies.ts';
import { checkNotify } from './notices/checkNotify.ts';
import { checkExecution } from './policies/checkExecution.ts';
import { checkOrder } from './policies/checkOrder.ts';
import { checkPolicies } from './policies/checkPolicies.ts';
import { checkSecretEnv } from './secretEnv.ts';
import { checkTarget } from './targeting/checkTarget.ts';

/** What a job is: every edit of it makes a new revision. Plain JSON, stored as such. */
export interface JobDefinition extends JobPolicies {
  name: string;
  /** The schedule's text as the operator wrote it. */
  schedule: string;
  /** IANA zone that the schedule is computed in. */
  timezone: string;
  command: string;
  /** What it is for, in its owner's words; absent: nothing is said. */
  description?: string;
  env: Record<string, string>;
  /** Variables whose values nobody is shown, and that are masked in outputs; absent: none. */
  secretEnv?: Record<string, string>;
  cwd: string | null;
  /** Text for standard input; null: closed. */
  stdin: string | null;
  timeoutMs: number | null;
  graceMs: number;
  outputBytesMax: number;
  leftovers: 'kill' | 'wait' | 'leave';
  /**
   * What becomes of a run whose node is fenced; absent: it is killed before anybody may start the
   * next. `finish` lets it go on, so that two runs of the job may live at once (gives up P6).
   */
  onFence?: 'finish';
  /** The least format that can express it, see `definitionFormat`; absent: 1. */
  format?: number;
  /** Where an imported job came from, e.g. `web1:/etc/crontab`; absent when it was made by hand. */
  origin?: string;
}

export const jobDefaults = {
  timezone: 'UTC',
  env: {},
  cwd: null,
  stdin: null,
  timeoutMs: null,
  graceMs: 5_000,
  outputBytesMax: 64 * 1024,
  leftovers: 'kill',
} as const satisfies Partial<JobDefinition>;

/** What happens to processes that bash left running, in the operator's words. */
export const leftoverPolicies = ['kill', 'wait', 'leave'] as const;

/** What becomes of a run when its node is fenced, in the operator's words. */
export const fencePolicies = ['kill', 'finish'] as const;

/** What is wrong with a definition, and with which field of it. */
export interface DefinitionFault {
  readonly field: keyof JobDefinition;
  readonly message: string;
}

/** Bounds of a definition, so that a row of it fits any server's packet many times over. */
export const definitionBounds = {
  nameCharactersMax: 191,
  descriptionCharactersMax: 1_000,
  commandBytesMax: 1024 * 1024,
  stdinBytesMax: 1024 * 1024,
  envBytesMax: 128 * 1024,
  cwdBytesMax: 4_095,
  durationMsMax: 366 * 24 * 3_600_000,
  outputBytesMax: 8 * 1024 * 1024,
} as const;

/**
 * Everything that is wrong with a definition but its schedule, which `checkSchedule` reads. What
 * only the node can tell (a missing folder, a command too long for its kernel) is left to the run's
 * row.
 */
export function checkDefinition(definition: JobDefinition): DefinitionFault[] {
  const bounds = definitionBounds;
  const fault = (field: keyof JobDefinition, message: string | null): DefinitionFault[] =>
    message === null ? [] : [{ field, message }];
  const { cwd, stdin, timeoutMs, graceMs, outputBytesMax } = definition;
  return [
    ...fault('name', checkName(definition.name)),
    ...fault('description', checkDescription(definition.description)),
    ...fault('command', definition.command.trim() === '' ? 'is empty' : null),
    ...fault('command', checkText(definition.command, bounds.commandBytesMax)),
    ...Object.entries(definition.env).flatMap(([name, value]) =>
      fault('env', checkVariable(name, value)),
    ),
    ...fault('env', checkText(JSON.stringify(definition.env), bounds.envBytesMax)),
    ...Object.entries(definition.secretEnv ?? {}).flatMap(([name, value]) =>
      fault('secretEnv', checkVariable(name, value)),
    ),
    ...fault('secretEnv', checkSecretEnv(definition)),
    ...(cwd === null ? [] : fault('cwd', cwd.startsWith('/') ? null : 'is not an absolute path')),
    ...(cwd === null ? [] : fault('cwd', checkText(cwd, bounds.cwdBytesMax))),
    ...(stdin === null ? [] : fault('stdin', checkText(stdin, bounds.stdinBytesMax))),
    ...(timeoutMs === null
      ? []
      : fault('timeoutMs', checkNumber(timeoutMs, 1, bounds.durationMsMax, 'ms'))),
    ...fault('graceMs', checkNumber(graceMs, 0, bounds.durationMsMax, 'ms')),
    ...fault('outputBytesMax', checkNumber(outputBytesMax, 0, bounds.outputBytesMax, 'bytes')),
    ...fault(
      'leftovers',
      leftoverPolicies.includes(definition.leftovers) ? null : 'is none of kill, wait, leave',
    ),
    ...checkTarget(definition),
    ...checkPolicies(definition),
    ...checkExecution(definition),
    ...checkOrder(definition),
    ...checkNotify(definition),
  ];
}

/** What is wrong with a job's name, or null. */
function checkName(name: string): string | null {
  const characters = [...name].length;
  if (characters === 0) return 'is empty';
  if (characters > definitionBounds.nameCharactersMax) {
    return `has ${characters} characters; ${definitionBounds.nameCharactersMax} are allowed`;
  }
  if (name.trim() !== name) return 'begins or ends with a blank';
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'has a control character in it';
  return checkText(name, Number.POSITIVE_INFINITY);
}

function checkDescription(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (typeof text !== 'string' || text.trim() === '') return 'says nothing';
  const characters = [...text].length;
  const { descriptionCharactersMax: most } = definitionBounds;
  if (characters > most) return `has ${characters} characters; ${most} are allowed`;
  if (/(?![\n\t])\p{Cc}/u.test(text)) return 'has a control character in it';
  return checkText(text, Number.POSITIVE_INFINITY);
}

function checkVariable(name: string, value: string): string | null {
  const shown = JSON.stringify(name);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return `${shown} is no variable's name: letters, digits and _ only, no digit first`;
  }
  if (name.startsWith('STATECRON_')) return `${name} is set by statecron itself`;
  const message = checkText(value, Number.POSITIVE_INFINITY);
  return message === null ? null : `the value of ${name} ${message}`;
}

function checkText(text: string, bytesMax: number): string | null {
  if (text.includes('\0')) return 'has a NUL character in it';
  if (/\p{Surrogate}/u.test(text)) return 'is not valid Unicode';
  const bytes = new TextEncoder().encode(text).length;
  return bytes > bytesMax ? `has ${bytes} bytes; ${bytesMax} are allowed` : null;
}

function checkNumber(value: number, least: number, most: number, unit: string): string | null {
  const fits = Number.isInteger(value) && value >= least && value <= most;
  return fits ? null : `is ${value} ${unit}; ${least} to ${most} are allowed`;
}
