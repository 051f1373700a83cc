import { createInterface } from 'node:readline/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { FileFault } from '../../domain/jobFile/parseYaml.ts';
import {
  definitionsOf,
  type PlannedStep,
  planApply,
  type WantedJob,
} from '../../domain/jobFile/planApply.ts';
import type { JobFile } from '../../domain/jobFile/readYamlFile.ts';
import { counted } from '../../domain/text/counted.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { presentJobOf } from '../../http/views/jobView.ts';
import { withOperator } from '../connect/withOperator.ts';
import { placeWarnings } from '../jobs/placeWarnings.ts';
import { needsOfUsers } from '../jobs/startsAsUser.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printRemark, printWarning } from '../output/lines/printWarning.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { stateCell } from '../output/table/cells.ts';
import { printTable } from '../output/table/printTable.ts';
import {
  type FileOptions,
  nameOfSource,
  readJobFile,
  readSource,
  requireText,
} from './readJobFile.ts';
import { writeSteps } from './writeSteps.ts';

interface ApplyOptions extends ClusterOptions, FileOptions {
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `apply`: the plan first, then its steps. */
export async function applyAction(file: string, options: ApplyOptions): Promise<void> {
  const { text } = readSource(file, 'statecron apply - < jobs.yaml');
  requireText(file, text);
  const read = readJobFile(file, text, options, Date.now());
  requireNoFaults(file, read.faults);
  await withOperator(options, async (operator) => {
    const { moved, steps } = await planSteps(operator, file, read, options.prune === true);
    const isDry = options.dryRun === true;
    if (read.names.length === 0) printNote(`There is no job in ${nameOfSource(file)}.`);
    if (!options.json) printPlan(steps, isDry);
    if (!isDry) {
      await confirmRemovals(steps, options);
      await writeSteps(operator, steps);
    }
    await warnOfNeeds(operator, moved);
    const counts = countsOf(steps);
    if (options.json) {
      const plan = steps.map(({ wanted: _, ...step }) => step);
      return printJson({ file, format: read.format, dryRun: isDry, ...counts, plan });
    }
    const { added, edited, unchanged, removed } = counts;
    const text = `${added} added, ${edited} edited, ${unchanged} unchanged, ${removed} removed.`;
    printLine(isDry ? `Nothing was changed; it would be: ${text}` : text);
  });
}

interface Planned {
  readonly steps: readonly PlannedStep[];
  /** The jobs that are new, or get other nodes or another user. */
  readonly moved: readonly JobDefinition[];
}

async function planSteps(
  operator: ApiOperator,
  file: string,
  read: JobFile,
  isPruning: boolean,
): Promise<Planned> {
  const named = await operator.readDefinitions([...new Set(read.names)]);
  const wanted: WantedJob[] = [];
  const faults: FileFault[] = [];
  for (const made of read.make(definitionsOf(named))) {
    if ('message' in made) faults.push(made);
    else wanted.push(made);
  }
  requireNoFaults(file, faults);
  for (const { name, warnings } of wanted) {
    for (const warning of warnings) printWarning(`${name}: ${warning}`);
  }
  const jobs = new Map(named);
  const removable: string[] = [];
  // The file speaks for its one group, else for those that its jobs are in.
  const groups = new Set(read.group === null ? wanted.map(({ group }) => group) : [read.group]);
  for (const group of isPruning ? groups : []) {
    for await (const job of operator.listJobs({ group, jobsMax: Number.MAX_SAFE_INTEGER })) {
      jobs.set(job.job, presentJobOf(job));
      removable.push(job.job);
    }
  }
  const planned = planApply(wanted, { jobs, removable });
  requireNoFaults(file, planned.faults);
  const moved = planned.steps.flatMap(({ action, changes, job, wanted }) => {
    if (wanted === null || !(action === 'add' || changes.some(isOfPlace))) return [];
    return [wanted.define(named.get(job)?.definition ?? null)];
  });
  return { steps: planned.steps, moved };
}

/** Nodes other than before have to be there, or to allow its user. */
function isOfPlace(field: string): boolean {
  return ['user', 'on-node', 'on-group'].includes(field);
}

/** As `job add` says it. */
async function warnOfNeeds(operator: ApiOperator, jobs: readonly JobDefinition[]): Promise<void> {
  const warnings = await placeWarnings(operator, jobs);
  const needs = await needsOfUsers(operator, jobs, warnings);
  for (const warning of warnings) printWarning(warning);
  if (needs !== null) printRemark(needs);
}

/** What is removed is gone from the schedule for good, so it needs a confirmation. */
async function confirmRemovals(
  steps: readonly PlannedStep[],
  { json, yes }: ApplyOptions,
): Promise<void> {
  const count = steps.filter(({ action }) => action === 'remove').length;
  if (count === 0 || yes) return;
  if (process.stdin.isTTY && !json) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    // Ctrl-C and Ctrl-D are a no.
    const answer = await lines.question(`Remove ${counted(count, 'job')}? [y/N] `).catch(() => '');
    lines.close();
    if (/^y(es)?$/i.test(answer.trim())) return;
  }
  throw new OperatorError({
    code: 'not_confirmed',
    message: `${counted(count, 'job')} would be removed. Nothing was changed.`,
    hint: 'Give --yes to remove them, or leave --prune out to keep them.',
    exitCode: exitCodes.usage,
  });
}

function printPlan(steps: readonly PlannedStep[], isDry: boolean): void {
  const shown = steps.filter(({ action }) => isDry || action !== 'unchanged');
  if (shown.length === 0) return;
  printTable(
    [
      { heading: 'ACTION', of: ({ action }) => stateCell(action) },
      { heading: 'JOB', of: ({ job }) => job },
      { heading: 'GROUP', of: ({ group }) => group },
      { heading: 'CHANGES', of: ({ changes }) => changes.join(', '), wrapTo: 20 },
    ],
    shown,
  );
}

function countsOf(steps: readonly PlannedStep[]) {
  const [added, edited, unchanged, removed] = (['add', 'edit', 'unchanged', 'remove'] as const).map(
    (action) => steps.filter((step) => step.action === action).length,
  );
  return { added, edited, unchanged, removed };
}

const faultsShownMax = 20;

/**
 * Refuses a file with all that is wrong with it: one fault a line for the person, the first one in
 * the error itself.
 * @throws OperatorError (2) `bad_file`, when there is any fault.
 */
function requireNoFaults(file: string, faults: readonly FileFault[]): void {
  const [first, ...others] = faults;
  if (first === undefined) return;
  for (const other of others.slice(0, faultsShownMax)) printNote(faultText(file, other));
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new OperatorError({
    code: 'bad_file',
    message: `${faultText(file, first)}${more}`,
    hint: `Nothing was changed. ${first.job === null ? seeFiles : seeFields}`,
    exitCode: exitCodes.usage,
  });
}

const seeFields = 'The fields of a job are the flags of: statecron job add --help';
const seeFiles = 'What such a file looks like: statecron docs files';

function faultText(file: string, { line, job, message }: FileFault): string {
  const whose = job === null ? '' : `${JSON.stringify(job)}: `;
  return `${nameOfSource(file)}:${line}: ${whose}${message}`;
}
