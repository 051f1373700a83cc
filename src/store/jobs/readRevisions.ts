import { OperatorError } from '../../domain/errors/errors.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { Channel } from '../connection/channel.ts';
import { flag, instantMs, integer, nullable, only, rowOf, text } from '../rows/row.ts';
import { findJob } from './findJob.ts';
import { shownDefinition } from './shownDefinition.ts';

const revisionShown = rowOf({
  revision: integer,
  isPaused: flag,
  inForceFromMs: instantMs,
  inForceUntilMs: nullable(instantMs),
  definition: shownDefinition,
  /** Why there is a revision that no operator made; null: one did. */
  reason: nullable(text),
});
export type RevisionShown = ReturnType<typeof revisionShown>;

interface RevisionPage {
  readonly revisions: readonly RevisionShown[];
  readonly isMore: boolean;
}

/**
 * The last revisions of a job, or those before a number, newest first: at most so many, and no more
 * than go into a megabyte, since a definition may have a quarter of one; but the first in any case.
 */
export async function readRevisions(
  channel: Channel,
  jobId: number,
  { beforeRevision = null, revisionsMax }: { beforeRevision?: number | null; revisionsMax: number },
): Promise<RevisionPage> {
  const before = beforeRevision ?? highest;
  const sizes = await channel.rows(only(integer), selectSizes, [
    ...[jobId, before, revisionsMax + 1],
  ]);
  let bytes = 0;
  const fitting = sizes.slice(0, revisionsMax).filter((size, index) => {
    bytes += size;
    return index === 0 || bytes <= bytesMax;
  });
  const keys = [jobId, before, fitting.length];
  const revisions = await channel.rows(revisionShown, selectRevisions, keys);
  return { revisions, isMore: fitting.length < sizes.length };
}

const bytesMax = 1024 * 1024;

/**
 * One revision of a job by its number.
 * @throws OperatorError `job_missing`, `revision_missing`.
 */
export async function readRevision(
  channel: Channel,
  name: string,
  revision: number,
): Promise<RevisionShown> {
  const { jobId } = await findJob(channel, name);
  const query = { beforeRevision: revision + 1, revisionsMax: 1 };
  const [found] = (await readRevisions(channel, jobId, query)).revisions;
  if (found?.revision === revision) return found;
  throw revisionMissing(name, revision);
}

export function revisionMissing(name: string, revision: number): OperatorError {
  const message = `${name} has no revision ${revision}: it never had, or it was cleaned away.`;
  const hint = `See those that there are: statecron job show ${shellWord(name)}`;
  return new OperatorError({ code: 'revision_missing', message, hint });
}

/** Of the column's type. */
const highest = 2 ** 32 - 1;

const selectSizes = `/* readRevisions sizes */ SELECT LENGTH(definition)
  FROM job_revision WHERE job_id = ? AND revision < ? ORDER BY revision DESC LIMIT ?`;
const selectRevisions = `/* readRevisions */ SELECT revision, paused AS is_paused, in_force_from,
    in_force_until, definition, reason
  FROM job_revision WHERE job_id = ? AND revision < ? ORDER BY revision DESC LIMIT ?`;
