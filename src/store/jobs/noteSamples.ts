import type { Channel, Row } from '../channel.ts';

/**
 * True for the first caller on a database that has never had a job: the samples may be added. A
 * note in the database remembers that it was asked, so that removed samples never come back.
 */
export async function noteSamples(channel: Channel): Promise<boolean> {
  const noted = await channel.change(writeNote);
  if (noted === 0) return false;
  const [row] = await channel.query<Row[]>(countJobs);
  return row?.jobs === 0;
}

const writeNote = `/* noteSamples */ INSERT IGNORE INTO note (note_name, note_value)
  VALUES ('samples', 'added')`;
const countJobs = '/* noteSamples jobs */ SELECT COUNT(*) AS jobs FROM job';
