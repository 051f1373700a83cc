import { type CrontabLine, readCrontab } from '../../domain/crontab/readCrontab.ts';
import { OperatorError } from '../../domain/errors/errors.ts';
import { checkDefinition } from '../../domain/job/checkDefinition.ts';
import { withLowestFormat } from '../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { StepToDo } from '../../domain/jobFile/planApply.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { withAnyOperator, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { localTimezone } from '../output/formatInstant.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { stateCell } from '../output/table/cells.ts';
import { printTable } from '../output/table/printTable.ts';
import { chooseFormat, readSource, readUsers, wantedLine } from './readJobFile.ts';
import { writeSteps } from './writeSteps.ts';

interface ImportOptions extends ClusterOptions {
  readonly userCrontab?: boolean;
  readonly system?: boolean;
  readonly timezone?: string;
  readonly prefix?: string;
  readonly replace?: boolean;
  readonly dryRun?: boolean;
  readonly observe?: boolean;
  readonly paused?: boolean;
  readonly onNode?: string;
  readonly group?: string;
  readonly skipFaults?: boolean;
}

/**
 * `import`: every line is read and compared with what is there before anything is written. Throws
 * an OperatorError (1) with nothing changed when a line cannot be imported, unless such lines are
 * to be left out.
 */
export async function importAction(file: string, options: ImportOptions): Promise<void> {
  const { text, origin } = readSource(file, 'crontab -l | statecron import -');
  const { format, why } = chooseFormat(file, text, options);
  const timezone = options.timezone ?? localTimezone();
  const plan: Plan = { ...options, timezone, origin, users: readUsers() };
  // A dry run does without a cluster; with one it shows what is there already.
  const imported = await (options.dryRun ? withAnyOperator : withOperator)(
    options,
    async (operator) => {
      const planned: PlannedLine[] = [];
      for (const line of readCrontab(text, format)) {
        planned.push(await comparedWith(operator, planLine(line, plan), plan));
      }
      const isRefused = !options.skipFaults && planned.some(({ result }) => result === 'fault');
      if (operator !== null && !options.dryRun && !isRefused)
        await writeAll(operator, planned, plan);
      return planned.map(({ define: _, ...line }): ImportedLine => line);
    },
  );
  const counts = countResults(imported);
  const warnings = warningsOf(imported, options);
  const isDone = !options.dryRun && (counts.failed === 0 || options.skipFaults === true);
  if (options.json) printJson({ file, format, timezone, ...counts, warnings, lines: imported });
  else printReport(file, `${kinds[format]} (${why})`, timezone, imported, isDone);
  for (const warning of options.json ? [] : warnings) printNote(`warning: ${warning}`);
  if (options.observe && isDone && counts.added > 0 && !options.json) {
    printNote(
      'Nothing is started. In a day see: statecron observe report --help; then job go-live.',
    );
  }
  if (counts.failed > 0 && !options.skipFaults) {
    const jobs = imported.filter(({ job, result }) => job !== undefined || result === 'fault');
    throw new OperatorError({
      code: 'import_faults',
      message: `${counts.failed} of ${jobs.length} lines of ${file} cannot be imported.`,
      hint: 'Nothing was changed. Mend these lines, or leave them out: --skip-faults',
    });
  }
}

/** What is true of all of the jobs. */
function warningsOf(
  imported: readonly ImportedLine[],
  { onNode, observe }: ImportOptions,
): string[] {
  // What is there already keeps the node that somebody gave it.
  const isNew = ({ result }: ImportedLine) => result === 'added' || result === 'read';
  const jobs = imported.filter(isNew).length;
  if (onNode !== undefined || jobs === 0) return [];
  const may = observe ? 'after go-live each may run' : 'each runs';
  return [
    `${jobs === 1 ? '1 job names' : `${jobs} jobs name`} no node: ${may} on any machine of the ` +
      'cluster. Give --on-node NAME to keep them on one.',
  ];
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
  isDone: boolean,
): void {
  printLine(`${file} is read as ${kind}; zone ${timezone} unless CRON_TZ says otherwise.`);
  const shown = imported.filter((line) => line.result !== 'blank');
  printTable(
    [
      { heading: 'LINE', of: ([line]) => line },
      { heading: 'RESULT', of: ([, result]) => stateCell(result) },
      { heading: 'WHAT', of: ([, , what]) => what, wrapTo: 30 },
    ],
    shown.flatMap((line): [string, string, string][] => [
      [`${line.line}`, line.result, whatOf(line)],
      ...line.notes.map((note): [string, string, string] => ['', '', `  ${note}`]),
    ]),
  );
  const { added, updated, unchanged, read, failed } = countResults(imported);
  const done = `${added} added, ${updated} updated, ${unchanged} unchanged`;
  const would = isDone ? '' : 'Nothing was changed; it would be: ';
  printLine(`${would}${read > 0 ? `${read} imported` : done}, ${failed} failed.`);
}

function whatOf(line: ImportedLine): string {
  if (line.result === 'fault') return `${line.message}: ${line.text.trim()}`;
  if (line.job === undefined) return line.text.trim();
  return `${line.job.name}: ${line.job.schedule} (${line.job.timezone})`;
}

type Plan = ImportOptions & {
  readonly timezone: string;
  readonly origin: string;
  readonly users: ReadonlySet<string>;
};
type Written = 'added' | 'updated' | 'unchanged';

/** What became of one line; `added` and the like say what would, where nothing was changed. */
interface ImportedLine {
  readonly line: number;
  readonly text: string;
  readonly result: Written | 'read' | 'variable' | 'comment' | 'blank' | 'fault';
  readonly notes: readonly string[];
  readonly job?: Pick<JobDefinition, 'name' | 'schedule' | 'timezone'>;
  readonly message?: string;
}

/** The same before it is written; `define`: null of what is no job. */
interface PlannedLine extends ImportedLine {
  readonly define: ((current: JobDefinition | null) => JobDefinition) | null;
}

function planLine({ number, text, reading }: CrontabLine, plan: Plan): PlannedLine {
  const base = { line: number, text, notes: [], define: null };
  const refuse = (message: string) => ({ ...base, result: 'fault', message }) as const;
  if (reading.kind === 'fault') return refuse(reading.message);
  if (reading.kind === 'variable') return { ...base, result: 'variable', notes: reading.notes };
  if (reading.kind !== 'job') return { ...base, result: reading.kind };
  const prefixed = { ...reading.job, name: `${plan.prefix ?? ''}${reading.job.name}` };
  const { timezone: zone, group = 'default' } = plan;
  const wanted = wantedLine(prefixed, number, { timezone: zone, group }, Date.now());
  if ('message' in wanted) return refuse(wanted.message);
  const { onNode, observe, origin } = plan;
  const made = withLowestFormat({
    ...{ ...wanted.define(null), origin },
    ...(onNode === undefined ? {} : { target: { nodes: [onNode] } }),
    ...(observe ? { observed: true } : {}),
  });
  const [fault] = checkDefinition(made);
  if (fault !== undefined) return refuse(`${fault.field} ${fault.message}`);
  const { name, schedule, timezone } = made;
  const notes = [...reading.notes, ...wanted.warnings, ...warnOfUser(reading.job.user, plan)];
  const define = (current: JobDefinition | null): JobDefinition =>
    current === null ? made : carryOver(current, made, plan);
  return { ...base, result: 'read', notes, job: { name, schedule, timezone }, define };
}

function warnOfUser(user: string | null, { users }: Plan): string[] {
  if (user === null || users.has(user)) return [];
  return [`there is no user ${user} on this machine: where it runs there has to be one`];
}

/** With what would become of it; operator null: nothing is compared. */
async function comparedWith(
  operator: ApiOperator | null,
  line: PlannedLine,
  { observe, paused }: Plan,
): Promise<PlannedLine> {
  const { job, define } = line;
  if (operator === null || job === undefined || define === null) return line;
  try {
    let isLive = false;
    const preview = await operator.previewEdit(job.name, (current) => {
      isLive = current.observed !== true;
      return define(current);
    });
    if (preview === null) return { ...line, result: 'added' };
    const stays = (observe && isLive) || paused ? ['it is there already, and stays as it is'] : [];
    return { ...line, result: preview, notes: [...line.notes, ...stays] };
  } catch (error) {
    if (!(error instanceof OperatorError) || error.code !== 'name_taken') throw error;
    const message = `${error.message} ${error.hint}`;
    return { ...line, result: 'fault', message, define: null };
  }
}

/** Once all are known to be right. */
function writeAll(
  operator: ApiOperator,
  planned: readonly PlannedLine[],
  { paused }: Plan,
): Promise<void> {
  const steps = planned.flatMap(({ job, define, result }): StepToDo[] => {
    if (job === undefined || define === null) return [];
    if (result === 'updated') return [{ action: 'edit', job: job.name, wanted: { define } }];
    const pause = paused ? { untilMs: null } : null;
    return result === 'added' ? [{ action: 'add', job: job.name, wanted: { define, pause } }] : [];
  });
  return writeSteps(operator, steps);
}

/** What a crontab cannot say stays as somebody set it; so does whether the job is live. */
function carryOver(current: JobDefinition, made: JobDefinition, plan: Plan): JobDefinition {
  if (current.origin === undefined && !plan.replace) {
    throw new OperatorError({
      code: 'name_taken',
      message: `a job ${JSON.stringify(current.name)} was made by hand.`,
      hint: 'Give --prefix to keep both, or --replace to change that one',
    });
  }
  const { timeoutMs, graceMs, outputBytesMax, leftovers, observed } = current;
  const kept = { timeoutMs, graceMs, outputBytesMax, leftovers };
  const { observed: _, ...next } = { ...current, ...made, ...kept };
  return withLowestFormat(observed === true ? { ...next, observed } : next);
}
