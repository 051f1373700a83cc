import { useMemo, useRef } from 'preact/hooks';
import { formatCount } from '../../text/formatNumber.ts';
import type { Live } from './marks.ts';

type Transition = Live['transitions'][number];

/** Transitions per second by what they are, see `keyOf`. */
export type Rates = ReadonlyMap<string, number>;

/** A text at an arrow of a drawing, whose line is as wide as its transitions are frequent. */
export interface Arrow {
  /** As in the drawing: the state that it leaves and the one that it leads to. */
  readonly path: string;
  readonly text: string;
  readonly count: number;
  readonly perSecond: number;
}

/** Rates are taken over at least so long, so that they do not jump. */
const windowMs = 4_000;

interface Sample {
  readonly atMs: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** How often each transition is taken, from this answer and those of the last seconds. */
export function useRates(live: Live): Rates {
  const samples = useRef<readonly Sample[]>([]);
  return useMemo(() => {
    samples.current = addSample(samples.current, live);
    return ratesOf(samples.current);
  }, [live]);
}

/** The samples of the last seconds with that of an answer, if it is newer. */
function addSample(samples: readonly Sample[], live: Live): readonly Sample[] {
  const last = samples.at(-1);
  const atMs = reportedMs(live);
  if (atMs === null || (last !== undefined && atMs <= last.atMs)) return samples;
  const counts = new Map(live.transitions.map((each) => [keyOf(each), each.count]));
  const since = samples.findLastIndex((each) => atMs - each.atMs >= windowMs);
  return [...samples.slice(Math.max(0, since)), { atMs, counts }];
}

/** From the first sample to the last. */
function ratesOf(samples: readonly Sample[]): Rates {
  const [first] = samples;
  const newest = samples.at(-1);
  const rates = new Map<string, number>();
  if (first === undefined || newest === undefined || first === newest) return rates;
  for (const [key, count] of newest.counts) {
    const more = count - (first.counts.get(key) ?? 0);
    rates.set(key, Math.max(0, (1_000 * more) / (newest.atMs - first.atMs)));
  }
  return rates;
}

function reportedMs({ reports }: Live): number | null {
  const known = reports.flatMap(({ reportedAt }) => reportedAt ?? []);
  return known.length === 0 ? null : Math.max(...known.map((at) => Date.parse(at)));
}

/** What tells one transition of all machines from the others. */
export function keyOf({ event, from, guard, machine, to }: Transition): string {
  return [machine, from, to, event, guard].join(' ');
}

/** The arrows of a machine with their counts; a drawing of something else has none. */
export function arrowsOf(drawing: string, { transitions }: Live, rates: Rates): readonly Arrow[] {
  const arrows = new Map<string, { count: number; perSecond: number }>();
  for (const transition of transitions) {
    const { count, from, machine, to } = transition;
    if (machine !== drawing || to === null) continue;
    const path = `${from} ${to}`;
    const sum = arrows.get(path) ?? { count: 0, perSecond: 0 };
    const perSecond = sum.perSecond + (rates.get(keyOf(transition)) ?? 0);
    arrows.set(path, { count: sum.count + count, perSecond });
  }
  return [...arrows].map(([path, sum]) => {
    const rate = sum.perSecond > 0 ? ` · ${formatRate(sum.perSecond)}` : '';
    return { path, ...sum, text: `${formatCount(sum.count)}${rate}` };
  });
}

/** `12/s`, `0.5/s`. */
export function formatRate(perSecond: number): string {
  const shown = perSecond >= 10 ? formatCount(Math.round(perSecond)) : perSecond.toFixed(1);
  return `${shown}/s`;
}
