import { type JobDefinition, jobDefaults } from '../../domain/job/jobDefinition.ts';
import type { Channel } from '../../store/connection/channel.ts';
import { addJob } from '../../store/jobs/changes/addJob.ts';
import { noteSamples } from '../../store/jobs/changes/noteSamples.ts';

/** What a new database of `statecron up` gets, so that something visibly runs within seconds. */
const samples: readonly Pick<JobDefinition, 'name' | 'schedule' | 'command'>[] = [
  {
    name: 'sample-hello',
    schedule: '*/5 * * * * *',
    command: 'echo "hello from $STATECRON_NODE at $(date +%T.%3N)"',
  },
  {
    name: 'sample-load',
    schedule: '*/15 * * * * *',
    command: 'cut -d" " -f1-3 /proc/loadavg',
  },
  {
    name: 'sample-fails',
    schedule: '0 * * * * *',
    command: 'echo "this sample fails once a minute, to show what that looks like"; exit 3',
  },
];

/**
 * Adds the sample jobs to a database that never had them; a note in the database remembers it, so
 * that removed ones never come back. Resolves to the names that were added.
 */
export async function addSampleJobs(channel: Channel): Promise<string[]> {
  if (!(await noteSamples(channel))) return [];
  for (const sample of samples) await addJob(channel, { ...jobDefaults, ...sample });
  return samples.map(({ name }) => name);
}
