import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson } from '../output/print.ts';
import { withOperator } from './withOperator.ts';

/** What has to be known of a job to speak of its ticks. */
export type TickedJob = Partial<Pick<JobDefinition, 'timezone' | 'observed'>>;

/**
 * The same as `printAnswer` for what is about one job, whose times are shown in its zone. What is
 * sent is told what is known of the job: with --json nothing.
 */
export async function printJobAnswer<Answer>(
  name: string,
  options: ClusterOptions,
  send: (operator: ApiOperator, known: TickedJob) => Promise<Answer>,
  printText: (answer: Answer, job: TickedJob) => void,
): Promise<void> {
  await withOperator(options, async (operator) => {
    if (options.json) return printJson(await send(operator, {}));
    // Before it is sent: a job that is removed has no zone any more.
    const job = (await operator.readDefinitions([name])).get(name)?.definition ?? {};
    printText(await send(operator, job), job);
  });
}
