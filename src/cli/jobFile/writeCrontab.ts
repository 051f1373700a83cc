import { isDeepStrictEqual } from 'node:util';
import { type CrontabJob, readCrontab } from '../../domain/crontab/readCrontab.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import { wordsOfDefinition } from '../../domain/words/wordsOfDefinition.ts';

export interface CrontabWritten {
  readonly text: string;
  /** Jobs that a crontab cannot say, which are left out. */
  readonly unsaid: readonly string[];
}

/**
 * A crontab that `apply` and `import` read as the same jobs, with the policies that a crontab has
 * no words for as comments. A variable holds for every line below it and cannot be taken away: jobs
 * with fewer come first, and one that cannot have those of the jobs above it is left out. Each job
 * is read back before it is believed.
 */
export function writeCrontab(definitions: readonly JobDefinition[]): CrontabWritten {
  const count = ({ env }: JobDefinition): number => Object.keys(env).length;
  const ordered = [...definitions].sort((a, b) => count(a) - count(b));
  let text = '';
  const unsaid: string[] = [];
  const state = { timezone: '', env: {} as Record<string, string> };
  for (const definition of ordered) {
    const { timezone, env } = definition;
    const block = blockOf(definition, state);
    if (isSaid(`${surroundings(state)}${block}`, definition)) {
      text += block;
      state.timezone = timezone;
      state.env = { ...state.env, ...env };
    } else unsaid.push(definition.name);
  }
  return { text, unsaid };
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

function blockOf(definition: JobDefinition, state: Surroundings): string {
  const { name, schedule, timezone, command, stdin, env } = definition;
  const variables = Object.entries(env).filter(([key, value]) => state.env[key] !== value);
  const policies = [...wordsOfDefinition(definition)].filter(([word]) => !ownWords.has(word));
  return [
    '',
    ...(timezone === state.timezone ? [] : [`CRON_TZ=${timezone}`]),
    ...variables.map(([key, value]) => `${key}="${value}"`),
    `# ${name}`,
    ...policies.map(([word, value]) => `#   --${word} ${JSON.stringify(value)}`),
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

function isSaid(text: string, definition: JobDefinition): boolean {
  const { name, schedule, timezone, command, stdin, env, cwd } = definition;
  if (definition.moreSchedules !== undefined) return false;
  const jobs = readCrontab(text, 'user').flatMap(({ reading }) =>
    reading.kind === 'job' ? [reading.job] : [],
  );
  const wanted: CrontabJob = { name, schedule, timezone, command, stdin, env, cwd, user: null };
  return isDeepStrictEqual(jobs.at(-1), wanted);
}
