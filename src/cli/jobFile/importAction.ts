import { readCrontab } from '../../domain/crontab/readCrontab.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { withAnyOperator, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine, printTable } from '../output/print.ts';
import { type ImportedLine, importLines } from './importLines.ts';
import { chooseFormat, localTimezone, readSource } from './readJobFile.ts';

interface ImportOptions extends ClusterOptions {
  readonly userCrontab?: boolean;
  readonly system?: boolean;
  readonly timezone?: string;
  readonly prefix?: string;
  readonly replace?: boolean;
  readonly dryRun?: boolean;
}

/** `import`: throws an OperatorError (1) at its end when a line could not be imported. */
export async function importAction(file: string, options: ImportOptions): Promise<void> {
  const { text, origin } = readSource(file);
  const { format, why } = chooseFormat(file, text, options);
  const timezone = options.timezone ?? localTimezone();
  const lines = readCrontab(text, format);
  const plan = {
    timezone,
    origin,
    prefix: options.prefix ?? '',
    replace: options.replace === true,
    dryRun: options.dryRun === true,
  };
  // A dry run does without a cluster; with one it shows what is there already.
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
