import { OperatorError } from '../../../domain/errors/errors.ts';
import { whyNotUnderstood, withLowestFormat } from '../../../domain/job/edit/definitionFormat.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { Channel } from '../../connection/channel.ts';
import { type RevisionShown, readRevision } from '../readRevisions.ts';
import { editJob, type JobChanged } from './changeJob.ts';

/**
 * Gives a job the definition of an earlier revision, as an edit does: in a new revision. Paused,
 * observed or not, it stays as it is, and so do the values of its secrets.
 * @throws OperatorError `job_missing`, `revision_missing`, `definition_unknown`, and what `editJob`
 * throws.
 */
export async function rollbackJob(
  channel: Channel,
  name: string,
  revision: number,
): Promise<JobChanged> {
  const definition = understood(name, await readRevision(channel, name, revision));
  return editJob(channel, name, (current) => rolledBack(current, definition), 'job.rollback');
}

/** The earlier definition, observed if the job is that now: it neither starts nor ends that. */
export function rolledBack(
  { observed }: JobDefinition,
  { observed: _, ...earlier }: JobDefinition,
): JobDefinition {
  return withLowestFormat(observed === undefined ? earlier : { ...earlier, observed });
}

/**
 * The definition of a revision that is to be in force again.
 * @throws OperatorError `definition_unknown` for one that a newer version made.
 */
export function understood(name: string, { definition, revision }: RevisionShown): JobDefinition {
  const whyNot = whyNotUnderstood(definition);
  if (whyNot === null) return definition;
  throw new OperatorError({
    code: 'definition_unknown',
    message: `Revision ${revision} of ${name} is not for this version: ${whyNot}.`,
    hint: 'Use a node of the version that made it.',
  });
}
