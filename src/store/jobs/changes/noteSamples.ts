import type { Channel } from '../../connection/channel.ts';
import { integer, only } from '../../rows/row.ts';

/**
 * True for the first caller on a database that has never had a job: the samples may be added. A
 * note in the database keeps that, so that removed samples never come back.
 */
export async function noteSamples(channel: Channel): Promise<boolean> {
  const noted = await channel.change(writeNote);
  if (noted === 0) return false;
  const [jobs] = await channel.rows(only(integer), countJobs);
  return jobs === 0;
}

const writeNote = `/* noteSamples */ INSERT IGNORE INTO note (note_name, note_value)
  VALUES ('samples', 'added')`;
const countJobs = '/* noteSamples jobs */ SELECT COUNT(*) FROM job';
