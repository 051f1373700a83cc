import { diffFields, type FieldChange } from '../../domain/job/fieldsOfDefinition.ts';
import type { Channel } from '../connection/channel.ts';
import { findJob } from './findJob.ts';
import { type RevisionShown, readRevision, readRevisions } from './readRevisions.ts';

/** Two revisions of a job; absent: `to` is the one in force, `from` the one before `to`. */
interface RevisionPair {
  readonly from?: number;
  readonly to?: number;
}

interface RevisionDiff {
  readonly job: string;
  readonly from: number;
  readonly to: number;
  readonly paused: { readonly before: boolean; readonly after: boolean };
  readonly changes: readonly FieldChange[];
}

/**
 * What differs between two revisions of a job, field by field. `check` may throw, by each of them.
 * @throws OperatorError `job_missing`, `revision_missing`.
 */
export async function diffRevisions(
  channel: Channel,
  name: string,
  { from, to }: RevisionPair,
  check: (revision: RevisionShown) => void = () => undefined,
): Promise<RevisionDiff> {
  const after =
    to === undefined ? await inForce(channel, name) : await readRevision(channel, name, to);
  check(after);
  const before = await readRevision(channel, name, from ?? Math.max(1, after.revision - 1));
  check(before);
  return {
    ...{ job: name, from: before.revision, to: after.revision },
    paused: { before: before.isPaused, after: after.isPaused },
    changes: diffFields(before.definition, after.definition),
  };
}

async function inForce(channel: Channel, name: string): Promise<RevisionShown> {
  const { jobId } = await findJob(channel, name);
  const [newest] = (await readRevisions(channel, jobId, { revisionsMax: 1 })).revisions;
  if (newest === undefined) throw new Error(`${name} has no revision`);
  return newest;
}
