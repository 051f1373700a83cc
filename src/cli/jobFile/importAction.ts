import { type CrontabLine, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { withAnyOperator, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine, printTable } from '../output/print.ts';
import { chooseFormat, localTimezone, readSource, wantedLine } from './readJobFile.ts';

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
  const plan = { ...options, timezone, origin };
  const imported: ImportedLine[] = [];
  // A dry run does without a cluster; with one it shows what is there already.
  await (plan.dryRun ? withAnyOperator : withOperator)(options, async (operator) => {
    for (const line of lines) imported.push(await importLine(operator, line, plan));
  });
  const counts = countResults(imported);
  if (options.json) printJson({ file, format, timezone, ...counts, lines: imported });
  else printReport(file, `${kinds[format]} (${why})`, timezone, imported, plan.dryRun === true);
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

type Plan = Pick<ImportOptions, 'dryRun' | 'prefix' | 'replace'> & {
  readonly timezone: string;
  readonly origin: string;
};
type Written = 'added' | 'updated' | 'unchanged';

/** What became of one line. With a dry run, `added` and the like say what would become of it. */
interface ImportedLine {
  readonly line: number;
  readonly text: string;
  readonly result: Written | 'read' | 'variable' | 'comment' | 'blank' | 'fault';
  readonly notes: readonly string[];
  readonly job?: Pick<JobDefinition, 'name' | 'schedule' | 'timezone'>;
  readonly message?: string;
}

/**
 * Imports the job of a line, in a transaction of its own; one that cannot be is reported and the
 * others go on. A fault of the database itself ends it. Operator null: nothing is compared.
 */
async function importLine(
  operator: ApiOperator | null,
  { number, text, reading }: CrontabLine,
  plan: Plan,
): Promise<ImportedLine> {
  const base = { line: number, text };
  const refuse = (message: string) => ({ ...base, result: 'fault', notes: [], message }) as const;
  if (reading.kind === 'fault') return refuse(reading.message);
  if (reading.kind === 'variable') return { ...base, result: 'variable', notes: reading.notes };
  if (reading.kind !== 'job') return { ...base, result: reading.kind, notes: [] };
  const prefixed = { ...reading.job, name: `${plan.prefix ?? ''}${reading.job.name}` };
  const { timezone: zone, origin } = plan;
  const wanted = wantedLine(prefixed, number, { timezone: zone, group: 'default' }, Date.now());
  if ('message' in wanted) return refuse(wanted.message);
  const definition = { ...wanted.define(null), origin };
  const { name, schedule, timezone } = definition;
  const job = { name, schedule, timezone };
  const notes = [...reading.notes, ...wanted.warnings];
  try {
    const result = operator === null ? 'read' : await writeJob(operator, definition, plan);
    return { ...base, result, notes, job };
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'name_taken') throw error;
    return { ...refuse(`${error.message} ${error.hint}`), job };
  }
}

async function writeJob(
  operator: ApiOperator,
  definition: JobDefinition,
  plan: Plan,
): Promise<Written> {
  const { name } = definition;
  const edit = (current: JobDefinition): JobDefinition => carryOver(current, definition, plan);
  if (plan.dryRun) return (await operator.previewEdit(name, edit)) ?? 'added';
  try {
    const { changed } = await operator.editJob(name, edit);
    return changed ? 'updated' : 'unchanged';
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'job_missing') throw error;
  }
  await operator.addJob(definition);
  return 'added';
}

/** What a crontab cannot say stays as somebody set it. */
function carryOver(current: JobDefinition, definition: JobDefinition, plan: Plan): JobDefinition {
  if (current.origin === undefined && !plan.replace) {
    throw new OperatorError({
      code: 'name_taken',
      message: `a job ${JSON.stringify(current.name)} was made by hand.`,
      hint: 'Give --prefix to keep both, or --replace to change that one',
    });
  }
  const { timeoutMs, graceMs, outputBytesMax, leftovers } = current;
  const kept = { timeoutMs, graceMs, outputBytesMax, leftovers };
  return withLowestFormat({ ...current, ...definition, ...kept });
}
