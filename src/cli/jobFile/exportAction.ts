import { whyNotUnderstood } from '../../domain/definitionFormat.ts';
import type { JobDefinition } from '../../domain/jobDefinition.ts';
import type { JobFilter } from '../../store/jobs/listJobs.ts';
import type { ClusterOptions } from '../clusterOptions.ts';
import { printNote, writeOut } from '../print.ts';
import { withOperator } from '../withOperator.ts';
import { writeCrontab } from './writeCrontab.ts';
import { writeYamlJobs } from './writeYamlJobs.ts';

export interface ExportOptions extends ClusterOptions {
  readonly group?: string;
  readonly format: 'yaml' | 'crontab';
}

/** `export`: the jobs as a file that `apply` makes nothing else of. */
export async function exportAction(options: ExportOptions): Promise<void> {
  const { group } = options;
  const filter: JobFilter = {
    jobsMax: Number.MAX_SAFE_INTEGER,
    ...(group === undefined ? {} : { group }),
  };
  const definitions = await withOperator(options, async (operator) => {
    const found: JobDefinition[] = [];
    for await (const { definition } of operator.listJobs(filter)) {
      const whyNot = whyNotUnderstood(definition);
      if (whyNot === null) found.push(definition);
      else printNote(`${definition.name} is left out: ${whyNot}.`);
    }
    return found;
  });
  if (options.format === 'yaml') {
    await writeOut(writeYamlJobs(definitions, group ?? null));
    return;
  }
  const { text, unsaid } = writeCrontab(definitions);
  await writeOut(text);
  for (const name of unsaid) printNote(`${name} is left out: a crontab cannot say it.`);
}
