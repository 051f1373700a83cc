import { setImmediate as breath } from 'node:timers/promises';
import { FieldError } from '../../domain/fieldError.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { FileFault } from '../../domain/words/fileFault.ts';
import { type PlannedStep, type PresentJobs, planApply } from '../../domain/words/planApply.ts';
import { type JobFile, readYamlFile } from '../../domain/words/readYamlFile.ts';
import type { WantedJob } from '../../domain/words/wantedJob.ts';
import type { Operator } from '../../store/operator/operator.ts';
import { type Caller, maySeeGroup, requireGroup } from '../api.ts';
import { groupOfJob } from './jobAccess.ts';

export interface PlanAsked {
  readonly text: string;
  readonly group?: string;
  readonly isPruning: boolean;
}

export interface Planned {
  readonly steps: readonly PlannedStep[];
  readonly warnings: readonly string[];
}

/**
 * The steps that a file of jobs asks for. Every group that it is about must be the caller's; a job
 * of another group is, to a caller who may not see it, a name that is taken.
 * @throws FieldError `bad_file` (2), OperatorError `group_forbidden`.
 */
export async function planFile(
  operator: Operator,
  caller: Caller,
  { text, group, isPruning }: PlanAsked,
): Promise<Planned> {
  const read = readYamlFile(text, group === undefined ? {} : { group }, Date.now());
  requireNoFaults(read.faults);
  const all = await operator.readDefinitions([...new Set(read.names)]);
  const named = new Map([...all].filter(([, job]) => maySeeGroup(caller, groupOfJob(job))));
  const made = await makeSliced(read, named);
  requireNoFaults(made.flatMap((each) => ('message' in each ? [each] : [])));
  const wanted = made.flatMap((each) => ('message' in each ? [] : [each]));
  for (const job of wanted) requireGroup(caller, job.group);
  requireNoFaults(takenNames(wanted, named, all));
  const groups = groupsOf(read, wanted);
  for (const each of groups) requireGroup(caller, each);
  const present = isPruning
    ? await withRemovable(operator, named, groups)
    : { definitions: named, removable: [] };
  const { steps, faults } = planApply(wanted, present);
  requireNoFaults(faults);
  const warnings = wanted.flatMap((job) => job.warnings.map((each) => `${job.name}: ${each}`));
  return { steps, warnings };
}

/** A few jobs at a time, with room for everything else of the node between. */
async function makeSliced(read: JobFile, named: ReadonlyMap<string, JobDefinition>) {
  const made: (WantedJob | FileFault)[] = [];
  for (const job of read.make(named)) {
    made.push(job);
    if (made.length % sliceJobs === 0) await breath();
  }
  return made;
}

const sliceJobs = 20;

/** The file speaks for its one group, else for those that its jobs are in. */
function groupsOf(read: JobFile, wanted: readonly WantedJob[]): string[] {
  return read.group === null ? [...new Set(wanted.map(({ group }) => group))] : [read.group];
}

/** More jobs than this are pruned by the command line, which has the time. */
const removableMax = 10_000;

async function withRemovable(
  operator: Operator,
  named: PresentJobs['definitions'],
  groups: readonly string[],
): Promise<PresentJobs> {
  const definitions = new Map(named);
  const removable: string[] = [];
  for (const group of groups) {
    const jobsMax = removableMax + 1 - removable.length;
    for await (const job of operator.listJobs({ group, jobsMax })) {
      definitions.set(job.name, job.definition);
      removable.push(job.name);
    }
  }
  if (removable.length <= removableMax) return { definitions, removable };
  const message = `the groups have more than ${removableMax} jobs`;
  throw badFile([{ field: 'prune', message }]);
}

function takenNames(
  wanted: readonly WantedJob[],
  named: ReadonlyMap<string, JobDefinition>,
  all: ReadonlyMap<string, JobDefinition>,
): FileFault[] {
  return wanted
    .filter(({ name }) => all.has(name) && !named.has(name))
    .map(({ name, line }) => ({ line, job: name, message: 'this name is taken' }));
}

function requireNoFaults(faults: readonly FileFault[]): void {
  if (faults.length === 0) return;
  const errors = faults.map(({ line, job, message }) => {
    return { field: `line ${line}${job === null ? '' : ` ${JSON.stringify(job)}`}`, message };
  });
  throw badFile(errors);
}

function badFile(errors: readonly { field: string; message: string }[]): FieldError {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new FieldError({
    code: 'bad_file',
    message: `${first?.field}: ${first?.message}${more}`,
    hint: 'Nothing was changed. The words of a job are described in /docs.',
    errors,
  });
}
