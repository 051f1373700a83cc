import { overdueCountMax } from '../../domain/run/overdueCount.ts';
import type { Answer } from '../../http/contract/apiContract.ts';
import { withoutUndefined } from '../../http/routes/handling/badField.ts';
import { requireJobGroup } from '../connect/requireJobGroup.ts';
import { printAnswer } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatInstant, localTimezone } from '../output/formatInstant.ts';
import { printLimitNote, printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { type Cell, instantCell, stateCell } from '../output/table/cells.ts';
import { type Column, printTable, type TableOptions } from '../output/table/printTable.ts';

interface UpcomingOptions extends ClusterOptions, TableOptions {
  readonly within: number;
  readonly group?: string;
  readonly limit: number;
  readonly allTicks?: boolean;
  readonly timezone?: string;
}

/** `upcoming`. */
export async function upcomingAction(options: UpcomingOptions): Promise<void> {
  const { within: withinMs, group, limit: launchesMax, allTicks: isEachTick } = options;
  if (withinMs > yearMs) throw usageFault('--within: 366d is the most.');
  const groups = group === undefined ? undefined : [group];
  await printAnswer(
    options,
    async (operator) => {
      const more = withoutUndefined({ groups, isEachTick });
      const upcoming = await operator.readUpcoming({ withinMs, launchesMax, ...more });
      if (upcoming.items.length === 0 && group !== undefined)
        await requireJobGroup(operator, group);
      return upcoming;
    },
    (upcoming) => printUpcoming(upcoming, options),
  );
}

const yearMs = 366 * 86_400_000;

type Upcoming = Answer<'GET /upcoming'>;
type Launch = Upcoming['items'][number];

function printUpcoming(
  { items: all, next, overdue, until }: Upcoming,
  options: UpcomingOptions,
): void {
  const { timezone } = options;
  const items = timezone === undefined ? all : all.map((each) => ({ ...each, timezone }));
  const end = formatInstant(until, timezone ?? localTimezone());
  if (items.length === 0) printNote(`Nothing is due until ${end}.`);
  else printTable(columnsOf(items), items, options);
  const isCut = next !== null || (options.allTicks === true && items.length === options.limit);
  if (isCut) printLimitNote(items.length);
  if (overdue > 0) {
    const least = overdue < overdueCountMax ? '' : 'At least ';
    const many = overdue === 1 ? '1 more has' : `${least}${overdue} more have`;
    printNote(`${many} been due for over a minute: statecron cluster says why.`);
  }
}

function columnsOf(items: readonly Launch[]): Column<Launch>[] {
  const isAnyPinned = items.some(({ node }) => node !== null);
  return [
    { heading: 'DUE', of: ({ at, timezone }) => instantCell(at, timezone) },
    { heading: 'JOB', of: ({ job }) => job, cutTo: 16 },
    { heading: 'STATE', of: ({ state }) => stateCell(state.replace('_', ' ')), rank: 1 },
    { heading: 'TRIGGER', of: ({ trigger }) => trigger, rank: 3 },
    ...(isAnyPinned ? [{ heading: 'NODE', of: ({ node }: Launch) => node ?? '-', rank: 4 }] : []),
    { heading: 'THEN', of: thenCell, rank: 2 },
  ];
}

function thenCell({ lastAt, more, timezone }: Launch): Cell {
  if (more === 0) return { texts: ['-'] };
  const preposition = more === 1 ? 'at' : 'until';
  return {
    texts: [`${more} more ${preposition} ${formatInstant(lastAt, timezone)}`, `${more} more`],
  };
}
