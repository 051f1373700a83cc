import { isDeepStrictEqual } from 'node:util';
import { type CrontabJob, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { type FileValue, fieldsOfDefinition } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';

export interface CrontabWritten {
  readonly text: string;
  /** Jobs that cannot stand in a crontab: they are left out, and a comment says so. */
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
 * above it is left out. Each job is read back before it is believed.
 */
export function writeCrontab(jobs: readonly PresentJob[]): CrontabWritten {
  const count = ({ definition }: PresentJob): number => Object.keys(definition.env).length;
  const ordered = [...jobs].sort((a, b) => count(a) - count(b));
  let text = '';
  const leftOut: LeftOut[] = [];
  const inPart: LeftOut[] = [];
  const state = { timezone: '', env: {} as Record<string, string> };
  for (const job of ordered) {
    const { definition } = job;
    const { name, timezone, env } = definition;
    const beside = fieldsBeside(definition);
    const block = blockOf(definition, beside, state);
    const why = whyNotInCrontab(job) ?? whyNotReadBack(`${linesOf(state)}${block}`, definition);
    if (why !== null) {
      leftOut.push({ name, why });
      continue;
    }
    text += block;
    state.timezone = timezone;
    state.env = { ...state.env, ...env };
    const missing = beside.filter(([flag]) => flag !== 'description').map(([flag]) => `--${flag}`);
    if (missing.length > 0) inPart.push({ name, why: `a crontab has no ${missing.join(', ')}` });
  }
  const lines = leftOut.map(({ name, why }) => `#   ${JSON.stringify(name)}: ${why}\n`);
  const rest = lines.length === 0 ? '' : `\n# Left out:\n${lines.join('')}`;
  return { text: `${text}${rest}`, leftOut, inPart };
}

/** The fields of a job that no line of a crontab has. */
function fieldsBeside(definition: JobDefinition): [string, FileValue][] {
  return [...fieldsOfDefinition(definition)].filter(([flag]) => !lineFlags.has(flag));
}

/** What the lines so far have set. */
interface LinesAbove {
  readonly timezone: string;
  readonly env: Readonly<Record<string, string>>;
}

function linesOf({ timezone, env }: LinesAbove): string {
  const variables = Object.entries(env).map(([key, value]) => `${key}="${value}"\n`);
  return `${timezone === '' ? '' : `CRON_TZ=${timezone}\n`}${variables.join('')}`;
}

function blockOf(
  definition: JobDefinition,
  beside: readonly [string, FileValue][],
  state: LinesAbove,
): string {
  const { name, schedule, timezone, command, stdin, env } = definition;
  const variables = Object.entries(env).filter(([key, value]) => state.env[key] !== value);
  return [
    '',
    ...(timezone === state.timezone ? [] : [`CRON_TZ=${timezone}`]),
    ...variables.map(([key, value]) => `${key}="${value}"`),
    `# ${name}`,
    ...beside.map(([flag, value]) => `#   --${flag} ${JSON.stringify(value)}`),
    `${schedule} ${escapePercent(command)}${stdin === null ? '' : `%${inputText(stdin)}`}`,
    '',
  ].join('\n');
}

/** What a line and the variables above it say themselves. */
const lineFlags = new Set(['cron', 'command', 'timezone', 'env', 'cwd', 'stdin', 'group']);

function escapePercent(text: string): string {
  return text.replaceAll('%', '\\%');
}

/** Each newline is a `%`; the one at the end is added by the reading. */
function inputText(stdin: string): string {
  return escapePercent(stdin.replace(/\n$/, '')).replaceAll('\n', '%');
}

/** Null: the text is read as the job, the last of it. */
function whyNotReadBack(text: string, definition: JobDefinition): string | null {
  const { name, schedule, timezone, command, stdin, env, cwd } = definition;
  const jobs = readCrontab(text, 'user').flatMap(({ reading }) =>
    reading.kind === 'job' ? [reading.job] : [],
  );
  const wanted: CrontabJob = { name, schedule, timezone, command, stdin, env, cwd, user: null };
  const isSame = isDeepStrictEqual(jobs.at(-1), wanted);
  return isSame ? null : 'its name, command or variables do not fit';
}

/**
 * Why a job cannot stand in a crontab, or null: cron would run it at other times, on another
 * machine, after nothing, or though it is paused. What else a crontab cannot express is left to a
 * comment.
 */
function whyNotInCrontab({ definition, pause }: PresentJob): string | null {
  if (pause !== null) return 'it is paused';
  const { schedule, moreSchedules = [], dialect } = definition;
  if (schedule === '@manual') return 'it has no schedule';
  if (moreSchedules.length > 0) return 'it has several schedules';
  const found = Object.entries(decisive).find(([field]) => Object.hasOwn(definition, field));
  if (found !== undefined) return `a crontab has no ${found[1]}`;
  if (dialect !== undefined) return `its weekdays are those of ${dialect}`;
  return isCronSchedule(schedule) ? null : `no cron reads its schedule ${schedule}`;
}

/** Fields that decide whether, when and where a job runs, and how a person names them. */
const decisive = {
  notBefore: '--not-before',
  notAfter: '--not-after',
  exclude: '--exclude',
  kind: '--kind every-node',
  target: 'nodes to choose',
  after: '--after',
} as const;

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
function isCronSchedule(schedule: string): boolean {
  if (macro.test(schedule)) return true;
  if (!fields.test(schedule)) return false;
  const [, , day = '', , weekday = ''] = schedule.split(' ');
  const hasStar = day.startsWith('*') || weekday.startsWith('*');
  if (hasStar && day !== '*' && weekday !== '*') return false;
  return !/-(?:0|sun)/i.test(weekday);
}
