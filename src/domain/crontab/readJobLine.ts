/** `user`: as `crontab -e` edits it. `system`: with a user's name after the fields, as in /etc. */
export type CrontabFormat = 'user' | 'system';

interface JobLine {
  readonly schedule: string;
  readonly user: string | null;
  readonly command: string;
  readonly stdin: string | null;
  readonly notes: readonly string[];
}

/** Reads a line that is neither blank, comment nor variable as a job. */
export function readJobLine(
  body: string,
  format: CrontabFormat,
): JobLine | { readonly message: string } {
  const timed = readSchedule(body);
  if (timed === null) {
    const wanted = format === 'system' ? 'a user and a command' : 'a command';
    return { message: `this is not a job: five fields or an @macro, then ${wanted}, are needed` };
  }
  const { schedule, rest, notes } = timed;
  let command = rest;
  let user: string | null = null;
  if (format === 'system') {
    const match = /^(\S+)[ \t]+(\S[\s\S]*)$/.exec(rest);
    if (match === null) return { message: 'a user and a command are wanted after the schedule' };
    user = match[1] ?? '';
    command = match[2] ?? '';
  }
  const split = splitPercent(command);
  if (split.command.trim() === '') return { message: 'its command is empty' };
  return { schedule, user, ...split, notes };
}

interface Timed {
  readonly schedule: string;
  readonly rest: string;
  readonly notes: string[];
}

function readSchedule(body: string): Timed | null {
  const notes: string[] = [];
  if (body.startsWith('@')) {
    const match = /^(@every[ \t]+\S+|@\S+)[ \t]+(\S[\s\S]*)$/.exec(body);
    if (match === null) return null;
    const macro = match[1] ?? '';
    return { schedule: sameAs.get(macro) ?? macro, rest: match[2] ?? '', notes };
  }
  const match = /^(-?)((?:\S+[ \t]+){4}\S+)[ \t]+(\S[\s\S]*)$/.exec(body);
  if (match === null) return null;
  if (match[1] === '-') notes.push('the leading "-" (do not log) means nothing here');
  const schedule = (match[2] ?? '').replace(/[ \t]+/g, ' ');
  return { schedule, rest: match[3] ?? '', notes };
}

/** FreeBSD's name for it. */
const sameAs: ReadonlyMap<string, string> = new Map([['@every_minute', '@minutely']]);

/**
 * Splits a command as cron does: the first `%` that no backslash stands before ends it, and what
 * follows is its standard input, in which each further `%` is a newline. `\%` is a percent sign;
 * any other backslash stays. The rules, and the newline that is added at the end of the input, are
 * those of cronie's do_command.c.
 */
export function splitPercent(text: string): {
  readonly command: string;
  readonly stdin: string | null;
} {
  let command = '';
  let isEscaped = false;
  for (const [index, character] of [...text].entries()) {
    if (isEscaped) {
      command = character === '%' ? `${command.slice(0, -1)}%` : command + character;
      isEscaped = false;
      continue;
    }
    if (character === '%') {
      return { command, stdin: readInput([...text].slice(index + 1)) };
    }
    isEscaped = character === '\\';
    command += character;
  }
  return { command, stdin: null };
}

function readInput(characters: readonly string[]): string {
  let input = '';
  let isEscaped = false;
  for (const character of characters) {
    const meant = !isEscaped && character === '%' ? '\n' : character;
    if (isEscaped && character !== '%') input += '\\';
    isEscaped = character === '\\';
    if (!isEscaped) input += meant;
  }
  if (isEscaped) input += '\\';
  return input === '' || input.endsWith('\n') ? input : `${input}\n`;
}

/**
 * Reads `NAME = value` the way that cron's load_env does: blanks around `=` do not count, name and
 * value may each stand in quotes of either kind, a backslash means nothing, and nothing is
 * expanded. Null when the line is not one.
 */
export function readEnvLine(
  line: string,
): { readonly name: string; readonly value: string } | null {
  const match = /^(?:"([^"]*)"|'([^']*)'|([^\s=]+))[ \t]*=[ \t]*(.*)$/.exec(line);
  if (match === null) return null;
  const name = match[1] ?? match[2] ?? match[3] ?? '';
  if (name === '') return null;
  const value = readValue(match[4] ?? '');
  return value === null ? null : { name, value };
}

/** After a closing quote there may be blanks only; a quote that never closes is no variable. */
function readValue(text: string): string | null {
  const quote = text.charAt(0);
  if (quote !== '"' && quote !== "'") return text.replace(/[ \t]+$/, '');
  const end = text.indexOf(quote, 1);
  if (end === -1 || text.slice(end + 1).trim() !== '') return null;
  return text.slice(1, end);
}
