import type { Context } from 'hono';
import { replacedDefinition } from '../../../domain/job/edit/buildDefinition.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { JobFields } from '../../../domain/job/jobPolicies.ts';
import type { JobEdited } from '../../../store/jobs/changes/changeJob.ts';
import {
  type ApiEnv,
  type ApiVariables,
  type Caller,
  requireGroup,
} from '../../authentication/api.ts';
import type { ChangedJobView } from '../../views/jobView.ts';
import { requireTag, type TagCondition, tagOfJob } from './entityTag.ts';
import { groupOfJob, requireUpstreams } from './jobAccess.ts';

interface FieldsEdit {
  readonly name: string;
  readonly condition: TagCondition;
  /** The fields that may name other jobs. */
  readonly upstreams: JobFields;
  /** All fields that the job shall have, by the definition in force. */
  readonly fieldsFrom: (current: JobDefinition) => JobFields;
  /** Where it is imported from by now, which is no field; absent: it stays. */
  readonly origin?: string | undefined;
}

/**
 * Gives a job other fields, while it has a revision that the caller named. Both its group and the
 * one that it comes to must be the caller's.
 */
export async function editFields(
  { caller, operate }: Pick<ApiVariables, 'caller' | 'operate'>,
  { name, condition, origin, upstreams, fieldsFrom }: FieldsEdit,
): Promise<{ readonly changed: ChangedJobView; readonly warnings: readonly string[] }> {
  let warnings: readonly string[] = [];
  const changed = await operate(async (operator) => {
    await requireUpstreams(operator, caller, upstreams);
    return operator.editJob(name, (current, nowMs, job) =>
      editDefinition(caller, condition, current, job, () => {
        const built = replacedDefinition(current, fieldsFrom(current), nowMs);
        warnings = built.warnings;
        return origin === undefined ? built.definition : { ...built.definition, origin };
      }),
    );
  });
  return { changed, warnings };
}

/**
 * What `edit` makes of a definition, once it is known that the caller may and that it is the one
 * that was read: of another one nothing of the edit is reported.
 */
export function editDefinition(
  caller: Caller,
  condition: TagCondition,
  current: JobDefinition,
  job: JobEdited,
  edit: () => JobDefinition,
): JobDefinition {
  requireGroup(caller, groupOfJob(current), current);
  requireTag(condition, tagOfJob(job));
  const next = edit();
  requireGroup(caller, groupOfJob(next));
  return next;
}

/** What a change of a job answers, with the tag of what it is now. */
export function changedAnswer(
  c: Context<ApiEnv>,
  changed: ChangedJobView,
  warnings: readonly string[] = [],
): ChangedJobView {
  c.header('etag', tagOfJob(changed));
  return { ...changed, warnings };
}
