import { growthPerHour } from './growth.ts';
import { ends, hundredth, type Sample } from './sample.ts';
import type { Weight } from './soakNode.ts';

export interface SoakBounds {
  /** After collections, and after the warm-up. */
  readonly heapMbPerHour: number;
  /** How many times as long as in the first quarter something may take in the last. */
  readonly slower: number;
  /** What nothing needs to be faster than. */
  readonly floorMs: number;
  /** Of all ticks; one is left out while the run before it is under way. */
  readonly runsShare: number;
  /** Lists that are not answered, and streams that end: a node that is too late refuses some. */
  readonly faults: number;
}

interface Soaking {
  readonly sampleMs: number;
  readonly runsPerSecond: number;
  readonly bounds: SoakBounds;
}

/** While caches fill and code is compiled, a heap grows that will not go on growing. */
const warmUpShare = 0.25;
const quarter = 0.25;

/** The place of the first sample after the warm-up. */
export const firstWarm = (samples: number): number => Math.floor(samples * warmUpShare);

/** What the samples of a soak come to, and what is not as it must be. */
export function judgeSoak(samples: readonly Sample[], { bounds, ...soaking }: Soaking) {
  const { runsPerSecond, sampleMs } = soaking;
  const warm = samples.slice(firstWarm(samples.length));
  const nodes = (samples[0]?.weights ?? []).map((_, node) => growthOfNode(warm, node));
  const few = Math.ceil(samples.length * quarter);
  const quarters = [samples.slice(0, few), samples.slice(-few)];
  const timesOf = (of: (sample: Sample) => readonly number[]) => {
    const [first, last] = quarters.map((part) => ends(part.flatMap(of)));
    return { first, last };
  };
  const lists = timesOf(({ clients }) => clients.latenciesMs);
  const lateness = timesOf(({ latenessMs }) => latenessMs);
  const runs = samples.reduce((sum, { latenessMs }) => sum + latenessMs.length, 0);
  const ticks = (samples.length * sampleMs * runsPerSecond) / 1_000;
  const last = samples.at(-1);
  const earliestMs = Math.min(...samples.map(({ latenessMs }) => Math.min(...latenessMs)));
  const faults = samples.flatMap(({ clients }) => Object.entries(clients.faults));
  const endedStreams = last?.clients.endedStreams ?? Number.NaN;
  const isSlower = ({ first, last }: ReturnType<typeof timesOf>) =>
    (['p50', 'p99'] as const).filter((end) => {
      const most = Math.max(bounds.floorMs, bounds.slower * (first?.[end] ?? 0));
      return !((last?.[end] ?? Number.NaN) <= most);
    });
  const checks: [boolean, string][] = [
    ...nodes.map(({ heapMbPerHour }, node): [boolean, string] => [
      heapMbPerHour <= bounds.heapMbPerHour,
      `the heap of node ${node + 1} grows by ${heapMbPerHour} MB an hour`,
    ]),
    [isSlower(lists).length === 0, `lists got slower: ${isSlower(lists)}`],
    [isSlower(lateness).length === 0, `runs start later than before: ${isSlower(lateness)}`],
    [earliestMs >= 0, 'a run was early'],
    [runs >= bounds.runsShare * ticks, `${runs} runs for ${ticks} ticks`],
    [countOf(faults) <= bounds.faults, `lists failed: ${JSON.stringify(faults)}`],
    [endedStreams <= bounds.faults, `${endedStreams} event streams ended`],
    [(last?.clients.readMb ?? 0) > 0, 'no event was read'],
  ];
  return {
    figures: {
      hours: hundredth((samples.length * sampleMs) / 3_600_000),
      nodes,
      ...{ listMs: lists, latenessMs: lateness, runs, ticks },
      kept: { first: samples[0]?.kept, warm: warm[0]?.kept, last: last?.kept },
      eventsReadMb: hundredth(last?.clients.readMb ?? 0),
    },
    complaints: checks.flatMap(([isMet, text]) => (isMet ? [] : [text])),
  };
}

function countOf(faults: readonly (readonly [string, number])[]): number {
  return faults.reduce((sum, [, count]) => sum + count, 0);
}

/** How one node grew after the warm-up, and from where to where. */
function growthOfNode(warm: readonly Sample[], node: number) {
  const series = (of: keyof Weight) =>
    warm.map(({ atMs, weights }) => ({ ms: atMs, value: weights[node]?.[of] ?? Number.NaN }));
  const growth = (of: keyof Weight) => hundredth(growthPerHour(series(of)));
  const edges = (of: keyof Weight) => {
    const points = series(of);
    return [points[0], points.at(-1)].map((point) => hundredth(point?.value ?? Number.NaN));
  };
  return {
    heapMbPerHour: growth('heap'),
    externalMbPerHour: growth('external'),
    rssMbPerHour: growth('rss'),
    ...{ heapMb: edges('heap'), externalMb: edges('external'), rssMb: edges('rss') },
  };
}
