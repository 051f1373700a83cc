import { readFileSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { readCrontab } from '../../domain/crontab/readCrontab.ts';
import { type CrontabFormat, readJobLine } from '../../domain/crontab/readJobLine.ts';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { withAnyOperator, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine, printTable } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { type ImportedLine, importLines } from './importLines.ts';

interface ImportOptions extends ClusterOptions {
  readonly userCrontab?: boolean;
  readonly system?: boolean;
  readonly timezone?: string;
  readonly prefix?: string;
  readonly replace?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `import`: throws an OperatorError (1) at its end when a line could not be imported. */
export async function importAction(file: string, options: ImportOptions): Promise<void> {
  const { text, origin } = readSource(file);
  const { format, why } = chooseFormat(file, text, options);
  const timezone = options.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const lines = readCrontab(text, format);
  const plan = {
    timezone,
    origin,
    prefix: options.prefix ?? '',
    replace: options.replace === true,
    dryRun: options.dryRun === true,
  };
  // A dry run does without a cluster; with one it says what is there already.
  const use = plan.dryRun ? withAnyOperator : withOperator;
  const imported = await use(options, (operator) => importLines(operator, lines, plan));
  const counts = countResults(imported);
  if (options.json) printJson({ file, format, timezone, ...counts, lines: imported });
  else printReport(file, `${kinds[format]} (${why})`, timezone, imported, plan.dryRun);
  if (counts.failed > 0) {
    throw new OperatorError({
      code: 'import_faults',
      message: `${counts.failed} of ${lines.length} lines of ${file} could not be imported.`,
      hint: 'Each is shown with its reason; the others were imported unless this was a dry run.',
    });
  }
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
  options: Pick<ImportOptions, 'timezone' | 'system' | 'userCrontab'>,
): { format: CrontabFormat; why: string } {
  if (options.timezone === '') throw usageFault('--timezone: is empty.');
  if (options.system) return { format: 'system', why: 'as asked' };
  if (options.userCrontab) return { format: 'user', why: 'as asked' };
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

function countResults(imported: readonly ImportedLine[]) {
  const count = (result: ImportedLine['result']): number =>
    imported.filter((line) => line.result === result).length;
  return {
    added: count('added'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    read: count('read'),
    failed: count('fault'),
  };
}

const kinds = { system: 'a system crontab', user: "a user's crontab" } as const;

function printReport(
  file: string,
  kind: string,
  timezone: string,
  imported: readonly ImportedLine[],
  isDryRun: boolean,
): void {
  printLine(`${file} is read as ${kind}; zone ${timezone} unless CRON_TZ says otherwise.`);
  const shown = imported.filter((line) => line.result !== 'blank');
  printTable(
    ['LINE', 'RESULT', 'WHAT'],
    shown.flatMap((line) => [
      [`${line.line}`, line.result, whatOf(line)],
      ...line.notes.map((note) => ['', '', `  ${note}`]),
    ]),
  );
  const { added, updated, unchanged, read, failed } = countResults(imported);
  const done = `${added} added, ${updated} updated, ${unchanged} unchanged`;
  const would = isDryRun ? 'Nothing was changed; it would be: ' : '';
  printLine(`${would}${read > 0 ? `${read} imported` : done}, ${failed} failed.`);
}

function whatOf(line: ImportedLine): string {
  if (line.result === 'fault') return `${line.message}: ${line.text.trim()}`;
  if (line.job === undefined) return line.text.trim();
  return `${line.job.name}: ${line.job.schedule} (${line.job.timezone})`;
}
