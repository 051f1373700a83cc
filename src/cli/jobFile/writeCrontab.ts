import { isOtherShell, lineCommand } from '../../domain/crontab/runByShell.ts';
import { type FileValue, fieldsOfDefinition } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import {
  type CrontabOf,
  commandWriting,
  isCronSchedule,
  isOfOthers,
  whyNotInCrontab,
  whyNotReadBack,
} from './whyNotInCrontab.ts';

export interface CrontabWritten {
  readonly text: string;
  /** Jobs that are of the crontabs of other users or nodes, and what writes those. */
  readonly ofOthers: { readonly jobs: number; readonly commands: readonly string[] };
  /** Jobs that cannot stand in it: they are left out, and a comment says so. */
  readonly leftOut: readonly LeftOut[];
  /** Jobs with fields that a crontab does not have: they stand in it, those fields as comments. */
  readonly inPart: readonly LeftOut[];
}

/** A job that is not there whole. */
export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

/**
 * A crontab that cron runs as the same jobs, and that `apply` and `import` read as them, with the
 * policies that a crontab cannot express as comments. A variable holds for every line below it
 * and cannot be taken away: jobs with fewer come first, and one that cannot have those of the jobs
 * above it is left out. Each job is read back before it is believed. Those that are left out stand
 * at the end with the reason, and with their line as a comment where cron could run it; but jobs of
 * other users and nodes are nothing to the one whose crontab it is: they are counted.
 */
export function writeCrontab(jobs: readonly PresentJob[], of: CrontabOf): CrontabWritten {
  const count = ({ definition }: PresentJob): number => Object.keys(definition.env).length;
  const isApart = ({ definition }: PresentJob): number =>
    definition.timezone === of.timezone ? 0 : 1;
  const others = jobs.filter(({ definition }) => isOfOthers(definition, of));
  const commands = new Set(others.flatMap((job) => commandWriting(job.definition, of) ?? []));
  const ofOthers = { jobs: others.length, commands: [...commands] };
  const own = jobs.filter(({ definition }) => !isOfOthers(definition, of));
  const ordered = own.sort((a, b) => count(a) - count(b) || isApart(a) - isApart(b));
  const written: JobDefinition[] = [];
  let text = '';
  let rest = '';
  const leftOut: LeftOut[] = [];
  const inPart: LeftOut[] = [];
  const state = { timezone: of.timezone, env: {} as Record<string, string> };
  for (const job of ordered) {
    const { definition } = job;
    const { name, timezone, env } = definition;
    const beside = fieldsBeside(definition, of);
    const block = blockOf(definition, beside, state, of);
    const why =
      whyNotInCrontab(job, of) ?? whyNotReadBack(`${linesOf(state)}${block}`, definition, of);
    if (why !== null) {
      leftOut.push({ name, why });
      rest += `#   ${JSON.stringify(name)}: ${why}\n${commentedOut(definition, of)}`;
      continue;
    }
    text += block;
    written.push(definition);
    state.timezone = timezone;
    state.env = { ...state.env, ...env };
    const missing = beside.filter(([flag]) => flag !== 'description').map(([flag]) => `--${flag}`);
    if (missing.length > 0) inPart.push({ name, why: `a crontab has no ${missing.join(', ')}` });
  }
  const end = rest === '' ? '' : `# Left out:\n${rest}`;
  const apart = text === '' || end === '' ? '' : '\n';
  return { text: `${headOf(written, of)}${text}${apart}${end}`, ofOthers, leftOut, inPart };
}

/** What holds for all lines; nothing where there are none. */
function headOf(written: readonly JobDefinition[], { system, timezone }: CrontabOf): string {
  if (written.length === 0) return '';
  const isZoned = written.some((job) => job.timezone !== timezone);
  const other = isZoned ? ", or that of a CRON_TZ line above, which Debian's cron ignores" : '';
  const isShellless = written.some(({ env }) => env.SHELL === undefined);
  return [
    `# Time zone: ${timezone}${other}.`,
    ...(isShellless
      ? ['# With no SHELL line above, /bin/sh of cron runs a command, where statecron has bash.']
      : []),
    ...(system ? ['# m h dom mon dow user command'] : []),
    '',
  ].join('\n');
}

/** The fields of a job that its line, the lines above and the flags of the crontab do not have. */
function fieldsBeside(definition: JobDefinition, of: CrontabOf): [string, FileValue][] {
  const { onNode, system, user } = of;
  const given = new Set([
    ...(user === undefined && !system ? [] : ['user']),
    ...(onNode === undefined ? [] : ['on-node']),
  ]);
  return [...fieldsOfDefinition(definition)].filter(
    ([flag]) => !lineFlags.has(flag) && !given.has(flag),
  );
}

/** What the lines so far have set. */
interface LinesAbove {
  readonly timezone: string;
  readonly env: Readonly<Record<string, string>>;
}

function linesOf({ timezone, env }: LinesAbove): string {
  return [`CRON_TZ=${timezone}`, ...Object.entries(env).map(variableLine), ''].join('\n');
}

function blockOf(
  definition: JobDefinition,
  beside: readonly [string, FileValue][],
  state: LinesAbove,
  of: CrontabOf,
): string {
  const { name, timezone, env } = definition;
  const variables = Object.entries(env).filter(([key, value]) => state.env[key] !== value);
  return [
    '',
    ...(timezone === state.timezone ? [] : [`CRON_TZ=${timezone}`]),
    ...variables.map(variableLine),
    `# ${name}`,
    ...beside.map(([flag, value]) => `#   --${flag} ${JSON.stringify(value)}`),
    jobLine(definition, of),
    '',
  ].join('\n');
}

/** Cron takes either quotes, and knows no escapes in them. */
function variableLine([name, value]: [string, string]): string {
  return value.includes('"') ? `${name}='${value}'` : `${name}="${value}"`;
}

/** The shell of a SHELL line, which `import` has put before the command, goes back to its line. */
function jobLine(
  { command, env, schedule, stdin, user = '' }: JobDefinition,
  { system }: CrontabOf,
): string {
  const own = isOtherShell(env.SHELL) ? lineCommand(command) : command;
  const input = stdin === null ? '' : `%${inputText(stdin)}`;
  return `${schedule} ${system ? `${user} ` : ''}${escapePercent(own)}${input}`;
}

/** The line of a job that is left out, if cron could run it. */
function commentedOut(definition: JobDefinition, of: CrontabOf): string {
  const { dialect, moreSchedules = [], schedule, user } = definition;
  const line = jobLine(definition, of);
  const isOne = moreSchedules.length === 0 && dialect === undefined && !/[\r\n]/.test(line);
  const hasUser = !of.system || user !== undefined;
  return isOne && hasUser && isCronSchedule(schedule) ? `#${line}\n` : '';
}

/** What a line and the variables above it say themselves, and that cron is to run it meanwhile. */
const lineFlags = new Set([
  ...['cron', 'command', 'timezone', 'env', 'cwd', 'stdin', 'group'],
  'observed',
]);

function escapePercent(text: string): string {
  return text.replaceAll('%', '\\%');
}

/** Each newline is a `%`; the one at the end is added by the reading. */
function inputText(stdin: string): string {
  return escapePercent(stdin.replace(/\n$/, '')).replaceAll('\n', '%');
}
