import { isDeepStrictEqual } from 'node:util';
import { type CrontabJob, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { isOtherShell, lineCommand, runByShell } from '../../domain/crontab/runByShell.ts';
import { placeOf } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';

/** Which crontab is written: the one that `import` reads with the same flags. */
export interface CrontabOf {
  /** Of lines without CRON_TZ. */
  readonly timezone: string;
  /** Whose it is. */
  readonly user?: string;
  /** Its lines have a user field. */
  readonly system?: boolean;
  /** The node on whose machine it is. */
  readonly onNode?: string;
  /** Only of jobs of this group. */
  readonly group?: string;
}

/**
 * Why a job that is not of others cannot stand in a crontab, or null: cron would run it at other
 * times, on another machine, as somebody else, after nothing, or though it is paused. What else a
 * crontab cannot express is left to a comment.
 */
export function whyNotInCrontab({ definition, pause }: PresentJob, of: CrontabOf): string | null {
  if (pause !== null) return 'it is paused';
  const { command, env, schedule, moreSchedules = [], dialect } = definition;
  if (schedule === '@manual') return 'it has no schedule';
  if (moreSchedules.length > 0) return 'it has several schedules';
  const found = Object.entries(decisive).find(([field]) => Object.hasOwn(definition, field));
  if (found !== undefined) return `a crontab has no ${found[1]}`;
  if (dialect !== undefined) return `its weekdays are those of ${dialect}`;
  if (!isCronSchedule(schedule)) return `no cron reads its schedule ${schedule}`;
  const { SHELL: shell = '' } = env;
  if (isOtherShell(shell) && runByShell(shell, lineCommand(command)) !== command) {
    return `bash runs it, and its variable SHELL is ${shell}`;
  }
  return whyElsewhere(definition, of);
}

/** Fields that decide whether and when a job runs. */
const decisive = {
  notBefore: '--not-before',
  notAfter: '--not-after',
  exclude: '--exclude',
  kind: '--kind every-node',
  after: '--after',
} as const;

/** The crontab is of one user or node, and the job is of another. */
export function isOfOthers({ target, user }: JobDefinition, { onNode, ...of }: CrontabOf): boolean {
  const [node = onNode] = target?.nodes ?? [];
  const isOnOther = node !== onNode && isDeepStrictEqual(target, onlyOn(`${node}`));
  return (of.user !== undefined && user !== of.user) || (onNode !== undefined && isOnOther);
}

/** Each job is in one of the crontabs of all users and nodes. */
function whyElsewhere(definition: JobDefinition, of: CrontabOf): string | null {
  const { target, user } = definition;
  const isThere = isDeepStrictEqual(target, of.onNode === undefined ? target : onlyOn(of.onNode));
  const isPlaced = target !== undefined && (of.onNode === undefined || !isThere);
  const lacks = [
    ...(user === undefined || of.system || user === of.user ? [] : [`--user ${user}`]),
    ...(isPlaced ? placeOf(definition) : []),
  ];
  if (lacks.length > 0) return `it has ${lacks.join(', ')}${hintOf(definition, of)}`;
  if (user === undefined && of.system) return 'it has no --user, and lines of this crontab have';
  return isThere ? null : `it has no --on-node ${of.onNode}: it runs on any node`;
}

const onlyOn = (node: string): JobDefinition['target'] => ({ nodes: [node] });

/** How to write the crontab that has it, if there is one. */
function hintOf(definition: JobDefinition, of: CrontabOf): string {
  const command = commandWriting(definition, of);
  return command === null ? ', which a crontab cannot say' : ` (it is written by: ${command})`;
}

/** What writes the crontab that has a job; null: none can. */
export function commandWriting(
  { target, user }: JobDefinition,
  { group, system }: CrontabOf,
): string | null {
  const [node = ''] = target?.nodes ?? [];
  if (target !== undefined && !isDeepStrictEqual(target, onlyOn(node))) return null;
  return [
    'statecron export --format crontab',
    ...(group === undefined ? [] : [`--group ${shellWord(group)}`]),
    ...(user === undefined ? [] : [system ? '--system' : `--user ${user}`]),
    ...(target === undefined ? [] : [`--on-node ${node}`]),
  ].join(' ');
}

/** Null: the text is read as the job, the last of it. */
export function whyNotReadBack(
  text: string,
  definition: JobDefinition,
  of: CrontabOf,
): string | null {
  const { name, schedule, timezone, command, stdin, env, cwd } = definition;
  const user = of.system ? (definition.user ?? null) : null;
  const when = { schedule, timezone, timezoneFault: null };
  const wanted: CrontabJob = { name, ...when, command, stdin, env, cwd, user };
  const jobs = readCrontab(text, of.system ? 'system' : 'user').flatMap(({ reading }) =>
    reading.kind === 'job' ? [reading.job] : [],
  );
  const last = jobs.at(-1);
  if (last === undefined) return noLine('--command');
  const read: CrontabJob = { ...last, timezone: last.timezone ?? of.timezone };
  const [differs] = inOrder.filter((key) => !isDeepStrictEqual(read[key], wanted[key]));
  if (differs === undefined) return isDeepStrictEqual(read, wanted) ? null : noLine('schedule');
  if (differs === 'name') return 'its name does not fit into a comment';
  if (differs === 'env') return whyNotEnv(read.env, env);
  if (differs !== 'cwd') return noLine(`--${differs}`);
  return cwd === null ? 'HOME of its --env would be its --cwd' : `a crontab has no --cwd ${cwd}`;
}

const inOrder = ['command', 'stdin', 'env', 'cwd', 'name'] as const;

const noLine = (field: string): string => `its ${field} does not fit into a line`;

/** Variables of lines above hold for all below. */
function whyNotEnv(read: CrontabJob['env'], wanted: CrontabJob['env']): string {
  const above = Object.keys(read).filter((name) => !Object.hasOwn(wanted, name));
  if (above.length > 0)
    return `the variables ${above.join(', ')} of other jobs would be its own, too`;
  const names = Object.keys(wanted).filter((name) => read[name] !== wanted[name]);
  return noLine(`--env ${names.join(', ')}`);
}

const macros = 'yearly|annually|monthly|weekly|daily|midnight|hourly';
const value = String.raw`(?:\d{1,2}|[A-Za-z]{3})`;
const item = String.raw`(?:\*|${value}-${value})(?:/\d{1,2})?|${value}`;
const field = `(?:${item})(?:,(?:${item}))*`;
const fields = new RegExp(`^(?:${field} ){4}${field}$`);
const macro = new RegExp(`^@(?:${macros})$`);

/**
 * What every cron takes: five plain fields, or one of its macros. Days that it would read otherwise
 * are none of them: where one field of days begins with a star cron wants both to match, and Sunday
 * begins its week.
 */
export function isCronSchedule(schedule: string): boolean {
  if (macro.test(schedule)) return true;
  if (!fields.test(schedule)) return false;
  const [, , day = '', , weekday = ''] = schedule.split(' ');
  const hasStar = day.startsWith('*') || weekday.startsWith('*');
  if (hasStar && day !== '*' && weekday !== '*') return false;
  return !/-(?:0|sun)/i.test(weekday);
}
