import { readTimezone } from '../schedule/read/readTimezone.ts';
import { CommentBlock, type JobNames, nameJobs } from './nameJob.ts';
import { type CrontabFormat, readEnvLine, readJobLine } from './readJobLine.ts';
import { isOtherShell, runByShell } from './runByShell.ts';
import { warnOfCommand } from './warnOfCommand.ts';

/** A job of a crontab, in statecron's terms. Its schedule has not been checked yet. */
export interface CrontabJob {
  readonly name: string;
  readonly schedule: string;
  /** From CRON_TZ; null: the crontab's own zone. */
  readonly timezone: string | null;
  /** Why that is not known: it would run at wrong times. Null: it is known. */
  readonly timezoneFault: string | null;
  readonly command: string;
  /** What stands after the first `%`; null: none. */
  readonly stdin: string | null;
  readonly env: Record<string, string>;
  /** From HOME; null: the home of whoever runs it. */
  readonly cwd: string | null;
  /** The user field of a system crontab, or null. */
  readonly user: string | null;
}

/** What one line of a crontab came to. Notes are sentences for the person who imports. */
export interface CrontabLine {
  readonly number: number;
  readonly text: string;
  readonly reading: OtherReading | JobReading;
}

type OtherReading =
  | { readonly kind: 'blank' | 'comment' }
  | { readonly kind: 'variable'; readonly name: string; readonly notes: readonly string[] }
  | { readonly kind: 'fault'; readonly message: string };

export interface JobReading {
  readonly kind: 'job';
  readonly job: CrontabJob;
  readonly names: JobNames;
  readonly notes: readonly string[];
}

/** A job that has no name yet: that depends on the other lines. */
interface UnnamedReading {
  readonly kind: 'unnamed';
  readonly job: Omit<CrontabJob, 'name'>;
  readonly named: { readonly comment: string | null; readonly command: string };
  readonly notes: readonly string[];
}

/** One that is longer is refused, with a fault in the first line that is too many. */
const linesMax = 250_000;

/**
 * Reads a crontab the way that cron does: variables hold for the lines below them, a `#` begins a
 * comment only at the beginning of a line, and a line that cannot be read leaves the others alone.
 * Names come from the comment right above a job, else from the program or script that its command
 * starts, and are made unique.
 */
export function readCrontab(text: string, format: CrontabFormat): CrontabLine[] {
  const state = new LinesAbove();
  const texts = text.replace(/^\ufeff/, '').split('\n');
  if (texts.at(-1) === '') texts.pop();
  const lines = texts.slice(0, linesMax).map((given, index) => {
    const text = given.replace(/\r$/, '');
    return { number: index + 1, text, reading: readLine(text, index + 1, format, state) };
  });
  if (texts.length > linesMax) {
    const message = `the lines from here on are not read: there are more than ${linesMax}`;
    const [number, text] = [linesMax + 1, texts[linesMax] ?? ''];
    lines.push({ number, text, reading: { kind: 'fault', message } });
  }
  const unnamed = lines.flatMap(({ reading }) => (reading.kind === 'unnamed' ? [reading] : []));
  const names = nameJobs(unnamed.map(({ named }) => named)).values();
  return lines.map(({ reading, ...line }): CrontabLine => {
    if (reading.kind !== 'unnamed') return { ...line, reading };
    const { job, notes } = reading;
    const own = names.next().value as JobNames;
    return {
      ...line,
      reading: { kind: 'job', job: { name: own.name, ...job }, names: own, notes },
    };
  });
}

/** What lines above have set. */
class LinesAbove {
  readonly variables = new Map<string, string>();
  /** The same, which the jobs below share. */
  env: Record<string, string> = {};
  readonly comments = new CommentBlock();
  timezone: string | null = null;
  /** The line of a CRON_TZ that cannot be used. */
  badTimezoneLine: number | null = null;
}

function readLine(
  line: string,
  number: number,
  format: CrontabFormat,
  state: LinesAbove,
): OtherReading | UnnamedReading {
  const body = line.replace(/^[ \t]+/, '');
  if (body.trim() === '') {
    state.comments.clear();
    return { kind: 'blank' };
  }
  if (body.startsWith('#')) {
    state.comments.add(body);
    return { kind: 'comment' };
  }
  if (line.includes('\0')) return { kind: 'fault', message: 'it has a NUL character in it' };
  const variable = readEnvLine(body);
  if (variable !== null) return setVariable(variable.name, variable.value, number, state);
  return readJob(body, format, state);
}

function setVariable(name: string, value: string, number: number, state: LinesAbove): OtherReading {
  if (name === 'CRON_TZ') return setTimezone(value, number, state);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return { kind: 'fault', message: `${JSON.stringify(name)} is no variable's name for bash` };
  }
  if (name.startsWith('STATECRON_')) {
    return { kind: 'fault', message: `${name} is set by statecron itself` };
  }
  if (name === 'LOGNAME' || name === 'USER') {
    return {
      kind: 'variable',
      name,
      notes: [`left out: cron sets ${name} itself, and so does a node`],
    };
  }
  state.variables.set(name, value);
  state.env = Object.fromEntries(state.variables);
  const note = noteOfVariable.get(name);
  return { kind: 'variable', name, notes: note === undefined ? [] : [note] };
}

function setTimezone(value: string, number: number, state: LinesAbove): OtherReading {
  // As in cronie, where it ends the zone that a line above has set.
  const zone = value === '' ? { timezone: null } : readTimezone(value);
  if ('error' in zone) {
    state.badTimezoneLine = number;
    return { kind: 'fault', message: `CRON_TZ: ${zone.error}; ${toEndTimezone}` };
  }
  state.badTimezoneLine = null;
  state.timezone = zone.timezone;
  return { kind: 'variable', name: 'CRON_TZ', notes: [value === '' ? endOfTimezone : ofTimezone] };
}

const ofTimezone =
  'the zone of the jobs below, as in cronie; the cron of Debian and Ubuntu ignores it, so where ' +
  'that ran them their times change: take the line away';
const toEndTimezone = "an empty CRON_TZ= gives the jobs below the crontab's own zone";
const endOfTimezone = "the jobs below have the crontab's own zone again, as in cronie";
const noMail =
  'kept as a variable of the jobs below, and sends no mail here; what does: statecron docs ' +
  'notifications';
const noEffect = 'kept as a variable: it has no effect on the schedule here';
const noteOfVariable: ReadonlyMap<string, string> = new Map([
  ['MAILTO', noMail],
  ['MAILFROM', noMail],
  ['CONTENT_TYPE', noMail],
  ['CONTENT_TRANSFER_ENCODING', noMail],
  ['RANDOM_DELAY', noEffect],
  ['START_HOURS_RANGE', noEffect],
  ['PATH', 'kept as a variable of the jobs below; without it they get the PATH of the node'],
  ['TZ', 'for the commands only, as in cron; CRON_TZ is what moves schedules'],
]);

function readJob(
  body: string,
  format: CrontabFormat,
  state: LinesAbove,
): OtherReading | UnnamedReading {
  const comment = state.comments.take();
  const line = readJobLine(body, format);
  if ('message' in line) return { kind: 'fault', message: line.message };
  const { schedule, user, stdin } = line;
  const cwd = state.variables.get('HOME') || null;
  const notes = [...line.notes, ...warnOfCommand(line, cwd !== null)];
  const shell = state.variables.get('SHELL') ?? '';
  const isOther = isOtherShell(shell);
  if (isOther) notes.push(`run through SHELL=${shell}, as cron does`);
  const command = isOther ? runByShell(shell, line.command) : line.command;
  const { env } = state;
  const { badTimezoneLine, timezone } = state;
  const timezoneFault =
    badTimezoneLine === null
      ? null
      : `its zone is not known: correct the CRON_TZ on line ${badTimezoneLine}`;
  const job = { schedule, timezone, timezoneFault, command, stdin, env, cwd, user };
  return { kind: 'unnamed', job, named: { comment, command: line.command }, notes };
}
