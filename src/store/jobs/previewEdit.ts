import { isDeepStrictEqual } from 'node:util';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { Channel, Row } from '../channel.ts';
import { editShown } from './shownDefinition.ts';

/** What an edit would come to, from an unlocked look: null when there is no such job. */
export async function previewEdit(
  channel: Channel,
  name: string,
  edit: (definition: JobDefinition) => JobDefinition,
): Promise<'updated' | 'unchanged' | null> {
  const [row] = await channel.query<Row[]>(selectDefinition, [name]);
  if (row === undefined) return null;
  const definition = JSON.parse(row.definition as string) as JobDefinition;
  return isDeepStrictEqual(editShown(definition, edit), definition) ? 'unchanged' : 'updated';
}

const selectDefinition = `/* previewEdit */ SELECT job_revision.definition
  FROM job JOIN job_revision
    ON job_revision.job_id = job.job_id AND job_revision.revision = job.revision
  WHERE job.name = ? AND job.removed_no = 0`;
