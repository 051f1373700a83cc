import { splitPercent } from './splitPercent.ts';

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
    return { message: `this is not a job: five fields or an @word, then ${wanted}, are needed` };
  }
  const { schedule, rest, notes } = timed;
  let command = rest;
  let user: string | null = null;
  if (format === 'system') {
    const match = /^(\S+)[ \t]+(\S[\s\S]*)$/.exec(rest);
    if (match === null) return { message: 'a user and a command are wanted after the schedule' };
    user = match[1] ?? '';
    command = match[2] ?? '';
    notes.push(
      `runs as ${user}, where the node is root and has --allow-user ${user}; else it fails`,
    );
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
    const word = match[1] ?? '';
    return { schedule: sameAs.get(word) ?? word, rest: match[2] ?? '', notes };
  }
  const match = /^(-?)((?:\S+[ \t]+){4}\S+)[ \t]+(\S[\s\S]*)$/.exec(body);
  if (match === null) return null;
  if (match[1] === '-') notes.push('the leading "-" (do not log) means nothing here');
  const schedule = (match[2] ?? '').replace(/[ \t]+/g, ' ');
  return { schedule, rest: match[3] ?? '', notes };
}

/** FreeBSD's word for it. */
const sameAs: ReadonlyMap<string, string> = new Map([['@every_minute', '@minutely']]);
