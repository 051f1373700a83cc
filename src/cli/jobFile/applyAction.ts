import { createInterface } from 'node:readline/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import type { FileFault } from '../../domain/jobFile/parseYaml.ts';
import {
  definitionsOf,
  type PlannedStep,
  type PresentJobs,
  planApply,
} from '../../domain/jobFile/planApply.ts';
import type { JobFile } from '../../domain/jobFile/readYamlFile.ts';
import type { WantedJob } from '../../domain/jobFile/wantedJob.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { presentJobOf } from '../../http/views/jobView.ts';
import { doStep } from '../../store/operator/doStep.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine, printNote, printTable } from '../output/print.ts';
import { type FileOptions, readJobFile, readSource } from './readJobFile.ts';

interface ApplyOptions extends ClusterOptions, FileOptions {
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `apply`: the plan first, then its steps, each a transaction of its own. */
export async function applyAction(file: string, options: ApplyOptions): Promise<void> {
  const { text } = readSource(file);
  const read = readJobFile(file, text, options, Date.now());
  requireNoFaults(file, read.faults);
  await withOperator(options, async (operator) => {
    const steps = await plan(operator, file, read, options.prune === true);
    const isDry = options.dryRun === true;
    if (!options.json) printPlan(steps, isDry);
    if (!isDry) {
      await confirmRemovals(steps, options);
      await carryOut(operator, steps);
    }
    if (options.json) printJson({ file, format: read.format, dryRun: isDry, ...jsonOf(steps) });
    else printLine(summaryOf(steps, isDry));
  });
}

async function plan(
  operator: ApiOperator,
  file: string,
  read: JobFile,
  isPruning: boolean,
): Promise<readonly PlannedStep[]> {
  const named = await operator.readDefinitions([...new Set(read.names)]);
  const made = [...read.make(definitionsOf(named))];
  const faults = made.flatMap((each) => ('message' in each ? [each] : []));
  requireNoFaults(file, faults);
  const wanted = made.flatMap((each) => ('message' in each ? [] : [each]));
  for (const { name, warnings } of wanted) {
    for (const warning of warnings) printNote(`warning: ${name}: ${warning}`);
  }
  const present = isPruning
    ? await withRemovable(operator, named, groupsOf(read, wanted))
    : { jobs: named, removable: [] };
  const planned = planApply(wanted, present);
  requireNoFaults(file, planned.faults);
  return planned.steps;
}

/** The file speaks for its one group, else for those that its jobs are in. */
function groupsOf(read: JobFile, wanted: readonly WantedJob[]): string[] {
  return read.group === null ? [...new Set(wanted.map(({ group }) => group))] : [read.group];
}

async function withRemovable(
  operator: ApiOperator,
  named: PresentJobs['jobs'],
  groups: readonly string[],
): Promise<PresentJobs> {
  const jobs = new Map(named);
  const removable: string[] = [];
  for (const group of groups) {
    for await (const job of operator.listJobs({ group, jobsMax: Number.MAX_SAFE_INTEGER })) {
      jobs.set(job.job, presentJobOf(job));
      removable.push(job.job);
    }
  }
  return { jobs, removable };
}

async function carryOut(operator: ApiOperator, steps: readonly PlannedStep[]): Promise<void> {
  let done = 0;
  try {
    for (const step of steps) {
      await doStep(operator, step);
      done += 1;
    }
  } catch (error) {
    const rest = steps.slice(done).filter(({ action }) => action !== 'unchanged').length;
    printNote(`Not all of it was done: ${rest} steps are left. Applying it again goes on.`);
    throw error;
  }
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
    const answer = await lines.question(`Remove ${count} jobs? [y/N] `).catch(() => '');
    lines.close();
    if (/^y(es)?$/i.test(answer.trim())) return;
  }
  throw new OperatorError({
    code: 'not_confirmed',
    message: `${count} jobs would be removed. Nothing was changed.`,
    hint: 'Give --yes to remove them, or leave --prune out to keep them.',
    exitCode: exitCodes.usage,
  });
}

function printPlan(steps: readonly PlannedStep[], isDry: boolean): void {
  const shown = steps.filter(({ action }) => isDry || action !== 'unchanged');
  if (shown.length === 0) return;
  printTable(
    ['ACTION', 'JOB', 'GROUP', 'CHANGES'],
    shown.map(({ action, job, group, changes }) => [action, job, group, changes.join(', ')]),
  );
}

function countsOf(steps: readonly PlannedStep[]) {
  const count = (action: PlannedStep['action']): number =>
    steps.filter((step) => step.action === action).length;
  return {
    added: count('add'),
    edited: count('edit'),
    unchanged: count('unchanged'),
    removed: count('remove'),
  };
}

function jsonOf(steps: readonly PlannedStep[]) {
  const plan = steps.map(({ action, job, group, changes }) => ({ action, job, group, changes }));
  return { ...countsOf(steps), plan };
}

function summaryOf(steps: readonly PlannedStep[], isDry: boolean): string {
  const { added, edited, unchanged, removed } = countsOf(steps);
  const counts = `${added} added, ${edited} edited, ${unchanged} unchanged, ${removed} removed.`;
  return isDry ? `Nothing was changed; it would be: ${counts}` : counts;
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
    hint: 'Nothing was changed. The fields of a job are the flags of: statecron job add --help',
    exitCode: exitCodes.usage,
  });
}

function faultText(file: string, { line, job, message }: FileFault): string {
  return `${file}:${line}: ${job === null ? '' : `${JSON.stringify(job)}: `}${message}`;
}
