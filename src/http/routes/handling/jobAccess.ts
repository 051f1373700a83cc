import { OperatorError } from '../../../domain/errors/errors.ts';
import { readUpstream } from '../../../domain/job/fieldTable/upstream.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { JobFields } from '../../../domain/job/jobPolicies.ts';
import { upstreamMissing } from '../../../store/chains/linkChains.ts';
import { jobMissing } from '../../../store/jobs/findJob.ts';
import {
  type ApiVariables,
  type Caller,
  maySeeGroup,
  requireGroup,
} from '../../authentication/api.ts';
import type { DatabaseOperator } from '../../views/apiOperator.ts';

/** The group that a job of the definition belongs to. */
export function groupOfJob({ group = 'default' }: Pick<JobDefinition, 'group'>): string {
  return group;
}

/** A revision that another group had the job in is not the caller's business. */
export function maySeeRevision(
  caller: Caller,
  { definition }: { readonly definition: Pick<JobDefinition, 'group'> },
): boolean {
  return maySeeGroup(caller, groupOfJob(definition));
}

/**
 * Refuses a job that is not the caller's business, as if there were none. Costs nothing for a
 * caller who may see all.
 * @throws OperatorError `job_missing`.
 */
export async function requireJob(
  operator: DatabaseOperator,
  caller: Caller,
  name: string,
): Promise<void> {
  if (caller.groups === null) return;
  const definition = (await operator.readDefinitions([name])).get(name)?.definition;
  // A name that only the database takes for a job's, with blanks behind it, is none.
  if (definition === undefined) throw jobMissing(name);
  requireGroup(caller, groupOfJob(definition), { name });
}

/** Works on a job, when it is the caller's business. */
export function operateOnJob<T>(
  { caller, operate }: Pick<ApiVariables, 'caller' | 'operate'>,
  name: string,
  work: (operator: DatabaseOperator) => Promise<T>,
): Promise<T> {
  return operate(async (operator) => {
    await requireJob(operator, caller, name);
    return work(operator);
  });
}

/**
 * Refuses fields that make a job follow one of another group: its name and its ends are not for the
 * caller to know.
 * @throws OperatorError `upstream_missing`.
 */
export async function requireUpstreams(
  operator: DatabaseOperator,
  caller: Caller,
  { after }: JobFields,
): Promise<void> {
  if (caller.groups === null || after === undefined || after === false) return;
  const names = after.map((text) => readUpstream(text).job);
  const jobs = await operator.readDefinitions(names);
  for (const name of names) {
    const definition = jobs.get(name)?.definition;
    if (definition === undefined || maySeeGroup(caller, groupOfJob(definition))) continue;
    throw upstreamMissing(name);
  }
}

/** The groups that a list is about: those that were requested and that the caller may see. */
export function groupsToList(
  caller: Caller,
  wanted: readonly string[] | undefined,
): { readonly groups?: readonly string[] } {
  const { groups } = caller;
  if (groups === null) return wanted === undefined ? {} : { groups: wanted };
  return {
    groups: wanted === undefined ? groups : wanted.filter((group) => groups.includes(group)),
  };
}

/**
 * For what is the whole cluster's: nodes, groups of them, tokens.
 * @throws OperatorError `group_forbidden` (403) for a token of some groups.
 */
export function requireAllGroups(caller: Caller): void {
  if (caller.groups === null) return;
  throw new OperatorError({
    code: 'group_forbidden',
    message: 'You have some groups of jobs; the request is about the whole cluster.',
    hint: 'It is for those who have every group; see yours: GET /api/v1/caller',
  });
}
