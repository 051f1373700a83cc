import { checkGroupName } from '../../domain/job/fieldTable/checkNodeName.ts';
import { printList } from '../connect/printList.ts';
import { withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printJson, printLine } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

type LimitOptions = ClusterOptions & { readonly json?: boolean };

/** `limit set` and, with null, `limit remove`. */
export async function setLimitAction(
  group: string,
  max: number | null,
  options: LimitOptions,
): Promise<void> {
  const fault = checkGroupName(group);
  if (fault !== null) throw usageFault(`GROUP: ${fault}.`, seeLimit);
  if (group === 'default') {
    throw usageFault('GROUP: jobs without a group have no limit together.', seeLimit);
  }
  const answer = await withOperator(options, (operator) => operator.changeLimit(group, max));
  if (options.json) return printJson(answer);
  const { changed } = answer;
  const lifted = changed ? 'has no limit any more' : 'had no limit';
  const so = changed ? '' : ' already';
  printLine(`${group} ${max === null ? lifted : `has at most ${max} launches at once${so}`}.`);
}

/** `limit list`. */
export async function listLimitsAction(options: LimitOptions): Promise<void> {
  await printList(options, {
    ask: (operator) => operator.listLimits(),
    none: 'No group of jobs has a limit. Set one: statecron limit set reports 4',
    headings: ['GROUP', 'LIMIT', 'HELD', 'JOBS'],
    rowOf: (each) => [each.group, `${each.max}`, `${each.held}`, `${each.jobs}`],
  });
}

const seeLimit = 'See: statecron limit --help';
