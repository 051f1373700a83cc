import { isDeepStrictEqual } from 'node:util';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { Channel } from '../../connection/channel.ts';
import { joinedRevision } from '../../rows/joinedRevision.ts';
import { jsonOf, only } from '../../rows/row.ts';
import { editShown } from '../shownDefinition.ts';

/** What an edit would come to, from an unlocked look: null when there is no such job. */
export async function previewEdit(
  channel: Channel,
  name: string,
  edit: (definition: JobDefinition) => JobDefinition,
): Promise<'updated' | 'unchanged' | null> {
  const [definition] = await channel.rows(only(jsonOf<JobDefinition>()), selectDefinition, [name]);
  if (definition === undefined) return null;
  return isDeepStrictEqual(editShown(definition, edit), definition) ? 'unchanged' : 'updated';
}

const selectDefinition = `/* previewEdit */ SELECT job_revision.definition
  FROM ${joinedRevision}
  WHERE job.name = ? AND job.removed_no = 0`;
