import { isDeepStrictEqual } from 'node:util';
import { type CrontabJob, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { type FileValue, fieldsOfDefinition } from '../../domain/job/fieldsOfDefinition.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { PresentJob } from '../../domain/jobFile/planApply.ts';
import { whyNotInCrontab } from './whyNotInCrontab.ts';

export interface CrontabWritten {
  readonly text: string;
  /** Jobs that cannot stand in a crontab: they are left out, and a comment says so. */
  readonly leftOut: readonly Unsaid[];
  /** Jobs with words that a crontab does not have: they stand in it, those words as comments. */
  readonly inPart: readonly Unsaid[];
}

/** What of a job is not said. */
export interface Unsaid {
  readonly name: string;
  readonly why: string;
}

/**
 * A crontab that cron runs as the same jobs, and that `apply` and `import` read as them, with the
 * policies that a crontab has no words for as comments. A variable holds for every line below it
 * and cannot be taken away: jobs with fewer come first, and one that cannot have those of the jobs
 * above it is left out. Each job is read back before it is believed.
 */
export function writeCrontab(jobs: readonly PresentJob[]): CrontabWritten {
  const count = ({ definition }: PresentJob): number => Object.keys(definition.env).length;
  const ordered = [...jobs].sort((a, b) => count(a) - count(b));
  let text = '';
  const leftOut: Unsaid[] = [];
  const inPart: Unsaid[] = [];
  const state = { timezone: '', env: {} as Record<string, string> };
  for (const job of ordered) {
    const { definition } = job;
    const { name, timezone, env } = definition;
    const words = wordsBeside(definition);
    const block = blockOf(definition, words, state);
    const why = whyNotInCrontab(job) ?? whyNotSaid(`${surroundings(state)}${block}`, definition);
    if (why !== null) {
      leftOut.push({ name, why });
      continue;
    }
    text += block;
    state.timezone = timezone;
    state.env = { ...state.env, ...env };
    const unsaid = words.filter(([word]) => word !== 'description').map(([word]) => `--${word}`);
    if (unsaid.length > 0) inPart.push({ name, why: `a crontab has no ${unsaid.join(', ')}` });
  }
  const lines = leftOut.map(({ name, why }) => `#   ${JSON.stringify(name)}: ${why}\n`);
  const rest = lines.length === 0 ? '' : `\n# Left out:\n${lines.join('')}`;
  return { text: `${text}${rest}`, leftOut, inPart };
}

/** The words of a job that no line of a crontab says. */
function wordsBeside(definition: JobDefinition): [string, FileValue][] {
  return [...fieldsOfDefinition(definition)].filter(([word]) => !ownWords.has(word));
}

/** What the lines so far have set. */
interface Surroundings {
  readonly timezone: string;
  readonly env: Readonly<Record<string, string>>;
}

function surroundings({ timezone, env }: Surroundings): string {
  const variables = Object.entries(env).map(([key, value]) => `${key}="${value}"\n`);
  return `${timezone === '' ? '' : `CRON_TZ=${timezone}\n`}${variables.join('')}`;
}

function blockOf(
  definition: JobDefinition,
  beside: readonly [string, FileValue][],
  state: Surroundings,
): string {
  const { name, schedule, timezone, command, stdin, env } = definition;
  const variables = Object.entries(env).filter(([key, value]) => state.env[key] !== value);
  return [
    '',
    ...(timezone === state.timezone ? [] : [`CRON_TZ=${timezone}`]),
    ...variables.map(([key, value]) => `${key}="${value}"`),
    `# ${name}`,
    ...beside.map(([word, value]) => `#   --${word} ${JSON.stringify(value)}`),
    `${schedule} ${escapePercent(command)}${stdin === null ? '' : `%${inputText(stdin)}`}`,
    '',
  ].join('\n');
}

/** What a line and the variables above it say themselves. */
const ownWords = new Set(['cron', 'command', 'timezone', 'env', 'cwd', 'stdin', 'group']);

function escapePercent(text: string): string {
  return text.replaceAll('%', '\\%');
}

/** Each newline is a `%`; the one at the end is added by the reading. */
function inputText(stdin: string): string {
  return escapePercent(stdin.replace(/\n$/, '')).replaceAll('\n', '%');
}

/** Null: the text is read as the job, the last of it. */
function whyNotSaid(text: string, definition: JobDefinition): string | null {
  const { name, schedule, timezone, command, stdin, env, cwd } = definition;
  const jobs = readCrontab(text, 'user').flatMap(({ reading }) =>
    reading.kind === 'job' ? [reading.job] : [],
  );
  const wanted: CrontabJob = { name, schedule, timezone, command, stdin, env, cwd, user: null };
  const isSaid = isDeepStrictEqual(jobs.at(-1), wanted);
  return isSaid ? null : 'its name, command or variables do not fit';
}
