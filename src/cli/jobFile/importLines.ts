import type { CrontabLine } from '../../domain/crontab/readCrontab.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { ShownOperator } from '../../http/views/shownOperator.ts';
import { wantedLine } from './wantedCrontab.ts';

interface ImportPlan {
  readonly timezone: string;
  readonly origin: string;
  readonly prefix: string;
  readonly replace: boolean;
  readonly dryRun: boolean;
}

/** What became of one line. With a dry run, `added` and the like say what would become of it. */
export interface ImportedLine {
  readonly line: number;
  readonly text: string;
  readonly result:
    | 'added'
    | 'updated'
    | 'unchanged'
    | 'read'
    | 'variable'
    | 'comment'
    | 'blank'
    | 'fault';
  readonly notes: readonly string[];
  readonly job?: Pick<JobDefinition, 'name' | 'schedule' | 'timezone'>;
  readonly message?: string;
}

/**
 * Imports the jobs of a crontab, each in a transaction of its own; one that cannot be is reported
 * and the others go on. A fault of the database itself ends it. Operator null: nothing is compared.
 */
export async function importLines(
  operator: ShownOperator | null,
  lines: readonly CrontabLine[],
  plan: ImportPlan,
): Promise<ImportedLine[]> {
  const imported: ImportedLine[] = [];
  for (const line of lines) imported.push(await importLine(operator, line, plan));
  return imported;
}

async function importLine(
  operator: ShownOperator | null,
  { number, text, reading }: CrontabLine,
  plan: ImportPlan,
): Promise<ImportedLine> {
  const base = { line: number, text };
  if (reading.kind === 'fault') {
    return { ...base, result: 'fault', notes: [], message: reading.message };
  }
  if (reading.kind === 'variable') return { ...base, result: 'variable', notes: reading.notes };
  if (reading.kind !== 'job') return { ...base, result: reading.kind, notes: [] };
  const prefixed = { ...reading.job, name: `${plan.prefix}${reading.job.name}` };
  const { timezone: zone, origin } = plan;
  const wanted = wantedLine(prefixed, number, { timezone: zone, group: 'default' }, Date.now());
  if ('message' in wanted) {
    return { ...base, result: 'fault', notes: [], message: wanted.message };
  }
  const definition = { ...wanted.define(null), origin };
  const { name, schedule, timezone } = definition;
  const job = { name, schedule, timezone };
  const notes = [...reading.notes, ...wanted.warnings];
  try {
    const result = operator === null ? 'read' : await writeJob(operator, definition, plan);
    return { ...base, result, notes, job };
  } catch (error) {
    const isOfLine = error instanceof OperatorError && error.code === 'name_taken';
    if (!isOfLine) throw error;
    return { ...base, result: 'fault', notes: [], job, message: `${error.message} ${error.hint}` };
  }
}

async function writeJob(
  operator: ShownOperator,
  definition: JobDefinition,
  plan: ImportPlan,
): Promise<'added' | 'updated' | 'unchanged'> {
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
function carryOver(
  current: JobDefinition,
  definition: JobDefinition,
  plan: ImportPlan,
): JobDefinition {
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
