import { readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { type JobNames, UniqueNames } from '../../domain/crontab/nameJob.ts';
import { type CrontabJob, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { type CrontabFormat, readJobLine } from '../../domain/crontab/readJobLine.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { checkDefinition } from '../../domain/job/checkDefinition.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../domain/job/jobDefinition.ts';
import type { FileFault } from '../../domain/jobFile/parseYaml.ts';
import type { WantedJob } from '../../domain/jobFile/planApply.ts';
import { type JobFile, readYamlFile } from '../../domain/jobFile/readYamlFile.ts';
import { checkSchedule } from '../../domain/schedule/read/checkSchedule.ts';
import { readTimezone } from '../../domain/schedule/read/readTimezone.ts';
import { listed } from '../../domain/text/listed.ts';
import { readUsers } from '../options/readUsers.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { usageFault } from '../output/reportFault.ts';

/** How `apply` reads its file. */
export interface FileOptions {
  readonly group?: string;
  readonly format?: 'yaml' | 'crontab';
  readonly system?: boolean;
  readonly timezone?: string;
}

/** Reads the text of a file as YAML or as a crontab, as requested or as it looks. */
export function readJobFile(
  file: string,
  text: string,
  options: FileOptions,
  nowMs: number,
): JobFile {
  const format = options.format ?? (looksLikeYaml(file, text) ? 'yaml' : 'crontab');
  return format === 'yaml'
    ? readYamlFile(text, options, nowMs)
    : readCrontabFile(file, text, options, nowMs);
}

function looksLikeYaml(file: string, text: string): boolean {
  return /\.ya?ml$/i.test(file) || /^(jobs|group)[ \t]*:/m.test(text) || /^---\s*$/m.test(text);
}

/** What a crontab cannot say of a job stays as it is set; a schedule that it does not name goes. */
function readCrontabFile(file: string, text: string, options: FileOptions, nowMs: number): JobFile {
  const { group = 'default', timezone = localTimezone() } = options;
  const jobs: (JobNames & { command: string; as: (name: string) => WantedJob | FileFault })[] = [];
  const faults: FileFault[] = [];
  for (const { number, reading } of readCrontab(text, chooseFormat(file, text, options).format)) {
    if (reading.kind === 'fault') {
      faults.push({ line: number, job: null, message: reading.message });
    }
    if (reading.kind !== 'job') continue;
    const { job, names } = reading;
    const as = (name: string) => wantedLine({ ...job, name }, number, { timezone, group }, nowMs);
    const wanted = as(job.name);
    if ('message' in wanted) faults.push(wanted);
    else jobs.push({ ...names, command: job.command, as });
  }
  const names = jobs.flatMap(({ name, formerNames }) => [name, ...formerNames]);
  const make: JobFile['make'] = (present) => {
    // A job that an earlier version named otherwise keeps that name.
    const taken = new UniqueNames();
    const old = jobs.map(({ formerNames, command }) => {
      const name = formerNames.find(
        (each) => !taken.has(each) && present.get(each)?.command === command,
      );
      if (name !== undefined) taken.add(name);
      return name;
    });
    return jobs.map((job, index) => job.as(old[index] ?? taken.make(job.name)));
  };
  return { format: 'crontab', names, group, faults, make };
}

/** 100,000 lines of a crontab have some 5 MB, a file of as many jobs 12 MB. */
const fileBytesMax = 16 * 1024 * 1024;

/**
 * The text of a file, or of standard input, and where it came from.
 * @param example how the command is given standard input
 */
export function readSource(file: string, example: string): { text: string; origin: string } {
  try {
    const bytes = readFileSync(file === '-' ? 0 : file);
    if (bytes.length > fileBytesMax) throw new Error(`it has ${bytes.length} bytes`);
    const path = file === '-' ? nameOfSource(file) : realpathSync(file);
    return { text: bytes.toString('utf8'), origin: `${hostname()}:${path}` };
  } catch (cause) {
    const why = (cause as Error).message;
    throw new OperatorError({
      code: 'file_unreadable',
      message: `${file === '-' ? 'Standard input' : `The file ${file}`} cannot be read: ${why}.`,
      hint: `Give a path, or - for standard input, as in: ${example}`,
      exitCode: exitCodes.usage,
      cause,
    });
  }
}

/** What was read, for people. */
export function nameOfSource(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/**
 * Nothing at all is what a command leaves that failed before a pipe: no wish for no jobs.
 * @throws OperatorError (2) `file_empty`
 */
export function requireText(file: string, text: string): void {
  if (text.trim() !== '') return;
  throw new OperatorError({
    code: 'file_empty',
    message: `There is nothing in ${nameOfSource(file)}. Nothing was changed.`,
    hint: file === '-' ? 'Look at what the command before the pipe says.' : 'Is it the right file?',
    exitCode: exitCodes.usage,
  });
}

/** Whether a crontab's lines have a user field, and how that was found out. */
export function chooseFormat(
  file: string,
  text: string,
  options: FileOptions & { readonly userCrontab?: boolean },
): { format: CrontabFormat; why: string } {
  requireZone(options.timezone);
  if (options.system) return { format: 'system', why: 'as requested' };
  if (options.userCrontab) return { format: 'user', why: 'as requested' };
  if (/(^|\/)etc\/(crontab$|cron\.d\/)/.test(file)) return { format: 'system', why: 'by its path' };
  const jobs = text.split('\n').flatMap((line, index) => {
    const job = /^\s*[#]/.test(line) ? { message: '' } : readJobLine(line.trim(), 'system');
    if ('message' in job || job.user === null) return [];
    return [{ user: job.user, command: job.command, number: index + 1 }];
  });
  const users = readUsers();
  // "backup --all" is a command though there is a user of that name.
  const isUser = (job: SystemLine): boolean => users.has(job.user) && !job.command.startsWith('-');
  const isSystem = jobs.length > 0 && jobs.every(isUser);
  if (isSystem || !hasUserColumn.test(text)) requireOneKind(file, jobs, isUser);
  else return { format: 'system', why: 'by the heading of its columns' };
  return isSystem
    ? { format: 'system', why: 'as each line names a user; --user-crontab says otherwise' }
    : { format: 'user', why: 'as lines name no user; --system says otherwise' };
}

/** As Debian's /etc/crontab has it above its lines. */
const hasUserColumn = /^#.*\bdow[ \t]+user(?:-?name)?[ \t]+command\b/im;

/** A line as one of a system crontab. */
interface SystemLine {
  readonly user: string;
  readonly command: string;
  readonly number: number;
}

const numbersShown = 5;

/** Some commands are called as users are, as mail is; none is called root. */
function requireOneKind(
  file: string,
  lines: readonly SystemLine[],
  isUser: (line: SystemLine) => boolean,
): void {
  const withUser = lines.filter(isUser);
  const other = lines.find((line) => !isUser(line));
  if (other === undefined || !withUser.some(({ user }) => user === 'root')) return;
  const numbers = withUser.map(({ number }) => number);
  const shown = listed(numbers, numbersShown);
  const look = numbers.length === 1 ? `line ${shown} looks` : `lines ${shown} look`;
  throw usageFault(
    `${nameOfSource(file)}: ${look} like a system crontab's (a user before the command), but ` +
      `line ${other.number} has ${JSON.stringify(other.user)} there, who is no user of this ` +
      'machine. Nothing was changed.',
    'Give --system if its lines have a user field, as in /etc/crontab, else --user-crontab.',
  );
}

/** Else each line would be blamed for it. */
function requireZone(timezone: string | undefined): void {
  const zone = timezone === undefined ? {} : readTimezone(timezone);
  if ('error' in zone) throw usageFault(`--timezone: ${zone.error}.`);
}

type Kept = Omit<JobDefinition, 'name' | 'schedule' | 'command' | 'env'>;

/**
 * The job of one line of a crontab, or what is wrong with it.
 * @param more what it has besides
 */
export function wantedLine(
  job: CrontabJob,
  line: number,
  { group, timezone }: { readonly group: string; readonly timezone: string },
  nowMs: number,
  more: Partial<JobDefinition> = {},
): WantedJob | FileFault {
  const { name, schedule, command, stdin, env, cwd, user } = job;
  const zone = job.timezone ?? timezone;
  const read = checkSchedule(schedule, { timezone: zone, jobName: name }, nowMs);
  if ('error' in read) return { line, job: name, message: read.error };
  const define = (current: JobDefinition | null): JobDefinition => {
    const { moreSchedules: _, group: __, ...kept }: Kept = current ?? jobDefaults;
    return withLowestFormat({
      ...kept,
      ...{ name, schedule, timezone: read.timezone, command, stdin, env, cwd, ...more },
      ...(group === 'default' ? {} : { group }),
      ...(user === null ? {} : { user }),
    });
  };
  const [fault] = checkDefinition(define(null));
  if (fault !== undefined) return { line, job: name, message: `${fault.field} ${fault.message}` };
  // What else is wrong with the line is said first.
  if (job.timezoneFault !== null) return { line, job: name, message: job.timezoneFault };
  return { name, line, group, warnings: read.warnings, define };
}
