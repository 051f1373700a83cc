import type { CrontabJob, CrontabLine } from '../../domain/crontab/readCrontab.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { checkDefinition } from '../../domain/job/checkDefinition.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import { type JobDefinition, jobDefaults } from '../../domain/job/jobDefinition.ts';
import { checkSchedule } from '../../domain/schedule/read/checkSchedule.ts';
import type { ShownOperator } from '../../http/views/shownOperator.ts';

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
 * Imports the jobs of a crontab, each in a transaction of its own; one that cannot be is told and
 * the others go on. A fault of the database itself ends it. Operator null: nothing is compared.
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
  const built = buildDefinition(reading.job, plan);
  if ('message' in built) {
    return { ...base, result: 'fault', notes: [], message: built.message };
  }
  const { definition, warnings } = built;
  const { name, schedule, timezone } = definition;
  const job = { name, schedule, timezone };
  const notes = [...reading.notes, ...warnings];
  try {
    const result = operator === null ? 'read' : await writeJob(operator, definition, plan);
    return { ...base, result, notes, job };
  } catch (error) {
    const isOfLine = error instanceof OperatorError && error.code === 'name_taken';
    if (!isOfLine) throw error;
    return { ...base, result: 'fault', notes: [], job, message: `${error.message} ${error.hint}` };
  }
}

function buildDefinition(
  job: CrontabJob,
  plan: ImportPlan,
): { definition: JobDefinition; warnings: readonly string[] } | { message: string } {
  const { schedule, command, stdin, env, cwd, user } = job;
  const name = `${plan.prefix}${job.name}`;
  const options = { timezone: job.timezone ?? plan.timezone, jobName: name };
  const reading = checkSchedule(schedule, options, Date.now());
  if ('error' in reading) return { message: reading.error };
  const definition = withLowestFormat({
    ...jobDefaults,
    name,
    schedule,
    timezone: reading.timezone,
    command,
    stdin,
    env: { ...env },
    cwd,
    origin: plan.origin,
    ...(user === null ? {} : { user }),
  });
  const [fault] = checkDefinition(definition);
  if (fault !== undefined) return { message: `${fault.field} ${fault.message}` };
  return { definition, warnings: reading.warnings };
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
