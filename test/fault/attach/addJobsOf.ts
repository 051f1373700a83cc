import type { Channel } from '../../../src/store/connection/channel.ts';
import type { Cli } from '../world/runCli.ts';
import { noteAdded } from './attachedJobs.ts';
import { refusal } from './refusal.ts';

interface Step {
  readonly job: string;
  readonly action: string;
}

/**
 * Adds the jobs of a file, which are removed when jobs are released.
 * @throws OperatorError (78) when the file cannot be applied, or has a job that is there
 */
export async function addJobsOf(file: string, cli: Cli, channel: Channel): Promise<void> {
  const planned = await apply(cli, file, ['--dry-run']);
  const known = planned.filter(({ action }) => action !== 'add').map(({ job }) => job);
  if (known.length > 0) {
    throw refusal(
      'job_known',
      `These jobs of ${file} are in the cluster: ${known.join(', ')}.`,
      'Give them other names: those of the file are removed after the run.',
    );
  }
  for (const { job } of planned) await noteAdded(channel, job);
  await apply(cli, file, []);
}

async function apply(cli: Cli, file: string, flags: readonly string[]): Promise<Step[]> {
  const { data, message } = await cli(['apply', file, ...flags]);
  if (data === null) throw refusal('jobs_file', message, 'See: statecron apply --help');
  return (data.plan ?? []) as Step[];
}
