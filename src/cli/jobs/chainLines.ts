import type { ChainView } from '../../http/views/chainView.ts';
import { formatAway, formatInstant } from '../output/formatInstant.ts';

type Side = ChainView['upstreams'];

/** The jobs that start a job and those that it starts, a line each, further ones further in. */
export function chainLines(chain: ChainView | null, timezone: string): [string, string][] {
  if (chain === null) return [];
  const { followers, job, upstreams } = chain;
  return [
    ...linesOf(upstreams, job, timezone).map((line): [string, string] => ['started by', line]),
    ...linesOf(followers, job, timezone).map((line): [string, string] => ['starts', line]),
  ];
}

function linesOf(side: Side, job: string, timezone: string, left = side.left): string[] {
  const lines = side.items
    .filter(({ by }) => by === job)
    .flatMap((item) => {
      const line = `${item.job}, ${ends[item.on]}: ${resultOf(item, timezone)}`;
      // A job that is reached on several ways is followed up once.
      const isFirst = side.items.find((each) => each.job === item.job) === item;
      if (!isFirst) return [line];
      return [line, ...linesOf(side, item.job, timezone, item.left).map((each) => `  ${each}`)];
    });
  return left > 0 ? [...lines, `… ${left} more`] : lines;
}

function resultOf(item: Side['items'][number], timezone: string): string {
  const { lastEndedAt, lastResult } = item;
  if (lastResult === null || lastEndedAt === null) return 'no run yet';
  return `${lastResult} ${formatInstant(lastEndedAt, timezone)} (${formatAway(lastEndedAt)})`;
}

const ends = { success: 'on success', failure: 'on failure', end: 'on any end' } as const;
