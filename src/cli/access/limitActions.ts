import { InvalidArgumentError } from 'commander';
import { OperatorError } from '../../domain/errors/errors.ts';
import { checkGroupName } from '../../domain/job/fieldTable/checkNames.ts';
import { counted } from '../../domain/text/counted.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { meantJobGroup } from '../connect/requireJobGroup.ts';
import { printAnswer, printList } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { readNumber } from '../options/readOptions.ts';
import { printLine, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';

/** `limit set`. */
export async function setLimitAction(
  group: string,
  number: string,
  options: ClusterOptions,
): Promise<void> {
  const max = readLimit(number);
  await changeLimit(group, max, options, (changed) => {
    const launches = `${counted(max, 'launch', 'launches')} at once${changed ? '' : ' already'}`;
    printLine(`The jobs of the group ${group} have at most ${launches}, on all nodes together.`);
  });
}

/** `limit remove`. */
export async function removeLimitAction(group: string, options: ClusterOptions): Promise<void> {
  await changeLimit(group, null, options, () =>
    printLine(`The jobs of the group ${group} have no limit any more.`),
  );
}

async function changeLimit(
  group: string,
  max: number | null,
  options: ClusterOptions,
  printText: (changed: boolean) => void,
): Promise<void> {
  const fault = checkGroupName(group);
  if (fault !== null) throw usageFault(`GROUP: ${fault}.`, seeLimit);
  if (group === 'default') {
    throw usageFault('GROUP: jobs without a group have no limit together.', seeLimit);
  }
  let empty: string | null = null;
  await printAnswer(
    options,
    async (operator) => {
      const answer = await operator.changeLimit(group, max);
      if (max === null && !answer.changed) throw limitMissing(group);
      if (max !== null && !options.json) empty = await noteOfEmpty(operator, group);
      return answer;
    },
    ({ changed }) => printText(changed),
  );
  if (empty !== null) printNote(empty);
}

/** A group of nodes may have been meant. The limit is set, whether or not this can be read. */
async function noteOfEmpty(operator: ApiOperator, group: string): Promise<string | null> {
  const limits = await operator.listLimits().catch(() => []);
  if (!limits.some((limit) => limit.group === group && limit.jobs === 0)) return null;
  const meant = await meantJobGroup(operator, group);
  const how = meant === '' ? ':' : `.${meant} To put one in it:`;
  return `No job is in it yet${how} statecron job edit NAME --group ${shellWord(group)}`;
}

function limitMissing(group: string): OperatorError {
  return new OperatorError({
    code: 'limit_missing',
    message: `The group of jobs ${JSON.stringify(group)} has no limit.`,
    hint: 'See the limits that there are: statecron limit list',
    missing: group,
  });
}

function readLimit(text: string): number {
  try {
    return readNumber(1, 1_000_000)(text);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw usageFault(`NUMBER: ${error.message}`, seeLimit);
  }
}

/** `limit list`. */
export async function listLimitsAction(options: ClusterOptions): Promise<void> {
  await printList(options, {
    read: (operator) => operator.listLimits(),
    empty: 'No group of jobs has a limit. Set one: statecron limit set reports 4',
    columns: [
      { heading: 'GROUP', of: ({ group }) => group },
      { heading: 'LIMIT', of: ({ max }) => `${max}` },
      { heading: 'HELD', of: ({ held }) => `${held}` },
      { heading: 'JOBS', of: ({ jobs }) => `${jobs}` },
    ],
  });
}

const seeLimit = 'See: statecron limit --help';
