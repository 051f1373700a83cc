import { readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { type CrontabFormat, readJobLine } from '../../domain/crontab/readJobLine.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { type JobFile, readYamlFile } from '../../domain/jobFile/readYamlFile.ts';
import { usageFault } from '../output/reportFault.ts';
import { wantedCrontab } from './wantedCrontab.ts';

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

function readCrontabFile(file: string, text: string, options: FileOptions, nowMs: number): JobFile {
  const { format } = chooseFormat(file, text, options);
  const timezone = options.timezone ?? localTimezone();
  const group = options.group ?? 'default';
  const { jobs, faults } = wantedCrontab(text, { format, timezone, group }, nowMs);
  const names = jobs.map(({ name }) => name);
  return { format: 'crontab', names, group, faults, make: () => [...jobs] };
}

/** The zone of this machine, which its cron uses. */
export function localTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const fileBytesMax = 4 * 1024 * 1024;

/** The text of a file, or of standard input, and where it came from. */
export function readSource(file: string): { text: string; origin: string } {
  try {
    const bytes = readFileSync(file === '-' ? 0 : file);
    if (bytes.length > fileBytesMax) throw new Error(`it has ${bytes.length} bytes`);
    const path = file === '-' ? 'standard input' : realpathSync(file);
    return { text: bytes.toString('utf8'), origin: `${hostname()}:${path}` };
  } catch (cause) {
    throw new OperatorError({
      code: 'file_unreadable',
      message: `The file ${file} cannot be read: ${(cause as Error).message}.`,
      hint: 'Give a path, or - for standard input, as in: crontab -l | statecron import -',
      exitCode: exitCodes.usage,
      cause,
    });
  }
}

/** Whether a crontab's lines have a user field, and how that was found out. */
export function chooseFormat(
  file: string,
  text: string,
  options: FileOptions & { readonly userCrontab?: boolean },
): { format: CrontabFormat; why: string } {
  if (options.timezone === '') throw usageFault('--timezone: is empty.');
  if (options.system) return { format: 'system', why: 'as requested' };
  if (options.userCrontab) return { format: 'user', why: 'as requested' };
  if (/(^|\/)etc\/(crontab$|cron\.d\/)/.test(file)) return { format: 'system', why: 'by its path' };
  const jobs = text.split('\n').flatMap((line) => {
    const job = /^\s*[#]/.test(line) ? { message: '' } : readJobLine(line.trim(), 'system');
    return 'message' in job || job.user === null ? [] : [job];
  });
  const users = readUsers();
  // "backup --all" is a command though there is a user of that name.
  const isUser = (job: { user: string | null; command: string }): boolean =>
    users.has(job.user ?? '') && !job.command.startsWith('-');
  const isSystem = jobs.length > 0 && jobs.every(isUser);
  return isSystem
    ? { format: 'system', why: 'as each line names a user; --user-crontab says otherwise' }
    : { format: 'user', why: 'as lines name no user; --system says otherwise' };
}

function readUsers(): Set<string> {
  try {
    const names = readFileSync('/etc/passwd', 'utf8').split('\n');
    return new Set(['root', ...names.map((line) => line.split(':', 1)[0] ?? '').filter(Boolean)]);
  } catch {
    return new Set(['root']); // no passwd file: only the one that is everywhere
  }
}
