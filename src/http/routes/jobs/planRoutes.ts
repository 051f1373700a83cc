import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { FieldError } from '../../../domain/errors/errors.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { FileFault } from '../../../domain/jobFile/parseYaml.ts';
import { partsOfPlan } from '../../../domain/jobFile/partsOfPlan.ts';
import {
  definitionsOf,
  type PresentJob,
  type StepToDo,
  withOrigin,
} from '../../../domain/jobFile/planApply.ts';
import {
  type ApiVariables,
  type Caller,
  maySeeGroup,
  requireGroup,
} from '../../authentication/api.ts';
import type { Answer } from '../../contract/apiContract.ts';
import type { fileContract } from '../../contract/fileContract.ts';
import type { DatabaseOperator } from '../../views/apiOperator.ts';
import { presentJobOf } from '../../views/jobView.ts';
import type { PlanRead, PlanStep, PlanWorkedOut } from '../../work/calculations.ts';
import type { Handlers } from '../handling/addRoutes.ts';
import { readCondition, requireTag, revisionChanged } from '../handling/entityTag.ts';
import { groupOfJob, requireJob } from '../handling/jobAccess.ts';

export const planRoutes: Handlers<typeof fileContract> = {
  'POST /plan': async ({ group, prune: isPruning = false }, c) => {
    const request = { text: await c.req.text(), group, isPruning };
    const plan = planView(await planFile(c.var, request), true);
    c.header('etag', tagOfPlan(request, plan));
    return plan;
  },
  'POST /apply': async ({ group, prune: isPruning = false, 'if-match': tag }, c) => {
    const request = { text: await c.req.text(), group, isPruning };
    const planned = await planFile(c.var, request);
    const condition = readCondition(tag) ?? '*';
    requireTag(condition, tagOfPlan(request, planView(planned, true)));
    const present = condition === '*' ? null : planned.present;
    const { caller, operate } = c.var;
    // A channel for each part: others of the node's requests need not wait for the whole.
    for (const part of partsOfPlan(planned.steps)) {
      await operate(async (operator) => {
        for (const { action, job } of part) {
          // It may have been moved to another group since it was planned.
          if (action === 'edit') await requireJob(operator, caller, job);
        }
        await operator.writeJobs(part.map((step) => receivedStep(step, caller, present)));
      });
    }
    return planView(planned, false);
  },
};

/** As a thread of its own sent it. `present`: by what it was planned; null: that may change. */
function receivedStep(
  { action, job, definition, pause }: PlanStep,
  caller: Caller,
  present: ReadonlyMap<string, JobDefinition> | null,
): StepToDo {
  if (definition === null) return { action, job, wanted: null };
  const wanted = JSON.parse(definition) as JobDefinition;
  const define = (current: JobDefinition | null) => {
    if (current !== null) requireGroup(caller, groupOfJob(current), current);
    const isAsPlanned = isDeepStrictEqual(current, present?.get(job) ?? null);
    if (present !== null && !isAsPlanned) throw revisionChanged();
    return withOrigin(wanted, current);
  };
  return { action, job, wanted: { define, ...(pause === undefined ? {} : { pause }) } };
}

function planView(
  { steps, warnings }: Pick<PlanWorkedOut, 'steps' | 'warnings'>,
  dryRun: boolean,
): Answer<'POST /plan'> {
  const count = (action: PlanStep['action']): number =>
    steps.filter((step) => step.action === action).length;
  return {
    ...{ format: 'yaml', dryRun },
    added: count('add'),
    edited: count('edit'),
    unchanged: count('unchanged'),
    removed: count('remove'),
    warnings,
    plan: steps.map(({ action, job, group, changes, diff }) => {
      return { action, job, group, changes, ...(diff && { diff }) };
    }),
  };
}

interface PlanRequest {
  readonly text: string;
  readonly group: string | undefined;
  readonly isPruning: boolean;
}

/** Another one when the file, or anything that would be done for it, is another. */
function tagOfPlan(request: PlanRequest, plan: Answer<'POST /plan'>): string {
  const text = JSON.stringify([request, plan]);
  return `"${createHash('sha256').update(text).digest('base64url')}"`;
}

interface FilePlan extends Pick<PlanWorkedOut, 'steps' | 'warnings'> {
  /** What it was worked out from, by the names of jobs. */
  readonly present: ReadonlyMap<string, JobDefinition>;
}

/** A file names no more jobs than this, as upstreams of its jobs too. */
const namesMax = 20_000;

/**
 * The steps that a file of jobs requires. Every group that it is about must be the caller's; a job
 * of another group is, to a caller who may not see it, a name that is taken.
 * @throws FieldError `bad_file` (2), OperatorError `group_forbidden`, and what `calculate` throws.
 */
async function planFile(
  { calculate, caller, operate }: Pick<ApiVariables, 'calculate' | 'caller' | 'operate'>,
  { text, group, isPruning }: PlanRequest,
): Promise<FilePlan> {
  const read = await calculate('readPlan', { text, group });
  requireNoFaults(read.faults);
  if (read.names.length > namesMax) {
    throw badFile([{ field: 'jobs', message: `more than ${namesMax} jobs are named` }]);
  }
  // The file speaks for its one group, else for those that its jobs are in.
  const groups = new Set(read.jobs.map((job) => job.group));
  if (read.group !== null) groups.add(read.group);
  for (const each of groups) requireGroup(caller, each);
  const present = await operate((operator) =>
    readPresent(operator, caller, { read, pruned: isPruning ? [...groups] : [] }),
  );
  const planned = await calculate('workOutPlan', { text, group, nowMs: Date.now(), ...present });
  requireNoFaults(planned.faults);
  for (const step of planned.steps) requireGroup(caller, step.group);
  const byName = new Map(present.jobs.map((job) => [job.definition.name, job]));
  return { ...planned, present: definitionsOf(byName) };
}

/** More jobs than this are pruned by the command line, which has the time. */
const removableMax = 10_000;

async function readPresent(
  operator: DatabaseOperator,
  caller: Caller,
  { read, pruned }: { readonly read: PlanRead; readonly pruned: readonly string[] },
) {
  const all = await operator.readDefinitions(read.names);
  const isVisible = (name: string): boolean =>
    maySeeGroup(caller, groupOfJob((all.get(name) as PresentJob).definition));
  requireNoFaults(takenNames(read, isVisible, all));
  const jobs = new Map([...all].filter(([name]) => isVisible(name)));
  const removable: string[] = [];
  for (const group of pruned) {
    const jobsMax = removableMax + 1 - removable.length;
    for await (const job of operator.listJobs({ group, jobsMax })) {
      jobs.set(job.job, presentJobOf(job));
      removable.push(job.job);
    }
  }
  if (removable.length > removableMax) {
    const message = `the groups have more than ${removableMax} jobs`;
    throw badFile([{ field: 'prune', message }]);
  }
  return { jobs: [...jobs.values()], removable };
}

function takenNames(
  { jobs }: PlanRead,
  isVisible: (name: string) => boolean,
  all: ReadonlyMap<string, PresentJob>,
): FileFault[] {
  return jobs
    .filter(({ name }) => all.has(name) && !isVisible(name))
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
    hint: 'Nothing was changed. The fields of a job are described in /docs/jobs.',
    errors,
  });
}
