import type { Answer } from '../api/callApi.ts';
import { statusLook } from '../parts/statusBadge.tsx';
import { shareOf, type TimeRange } from './timeRange.ts';

type Timeline = Answer<'GET /timeline'>;
export type TimelineJob = Timeline['items'][number];
export type TimelineRun = TimelineJob['runs'][number];

/** The track is drawn in so many units, however wide it is. */
export const unitsWide = 1_000;
export const unitsHigh = 20;

/** As in the strips of the last runs: what failed is the highest, what did not run a line. */
const heights: Readonly<Record<string, number>> = { good: 10, work: 10, bad: 18, doubt: 14 };

/** What is drawn in one way: its class, and the outlines of all of it. */
type TrackPaths = ReadonlyMap<string, string>;

/** From when until when a run, or the ticks that did not run, are drawn. */
export function spanOfRun(run: TimelineRun, nowMs: number): readonly [number, number] {
  const { endedAt, result, scheduledFor, scheduledUntil, startedAt } = run;
  const beganMs = Date.parse(startedAt ?? scheduledFor);
  if (startedAt === null) return [beganMs, Date.parse(scheduledUntil ?? scheduledFor)];
  return [beganMs, result === null || endedAt === null ? nowMs : Date.parse(endedAt)];
}

/** Each run by itself. */
export function runPaths(
  runs: readonly TimelineRun[],
  range: TimeRange,
  nowMs: number,
): TrackPaths {
  const paths = new Map<string, string>();
  for (const run of runs) {
    const { tone } = statusLook(run.result ?? 'running');
    const [began, ended] = spanOfRun(run, nowMs).map((ms) => unitOf(range, ms));
    add(paths, tone, boxOf(began ?? 0, ended ?? 0, unitsHigh - 1, heights[tone] ?? 4));
  }
  return paths;
}

/**
 * Parts of the range with how many ticks ended in which way: the more the higher, those that went
 * wrong at the bottom.
 */
export function binPaths({ bins }: TimelineJob, count: number): TrackPaths {
  const parts = new Map<number, Map<string, number>>();
  for (const { bin, result, ticks } of bins) {
    const { tone } = statusLook(result);
    const part = parts.get(bin) ?? new Map<string, number>();
    part.set(tone, (part.get(tone) ?? 0) + ticks);
    parts.set(bin, part);
  }
  const sumOf = (part: ReadonlyMap<string, number>) =>
    [...part.values()].reduce((sum, ticks) => sum + ticks, 0);
  const most = Math.max(1, ...[...parts.values()].map(sumOf));
  const wide = unitsWide / count;
  const paths = new Map<string, string>();
  for (const [bin, part] of parts) {
    let bottom = unitsHigh - 1;
    for (const tone of ['bad', 'doubt', 'quiet', 'good']) {
      const ticks = part.get(tone) ?? 0;
      if (ticks === 0) continue;
      const high = Math.max(2, ((unitsHigh - 2) * ticks) / most);
      add(paths, tone, boxOf(bin * wide, (bin + 0.85) * wide, bottom, high));
      bottom -= high;
    }
  }
  return paths;
}

/** Closer together, ticks would be one bar. */
const tickUnits = 8;

/** Ticks to come, of those that are close together some. */
export function nextPath(next: readonly string[], range: TimeRange): string {
  const drawn: number[] = [];
  for (const unit of next.map((at) => unitOf(range, Date.parse(at)))) {
    if (unit - (drawn.at(-1) ?? Number.NEGATIVE_INFINITY) >= tickUnits) drawn.push(unit);
  }
  return drawn.map((unit) => `M${round(unit)} 13v6`).join('');
}

/** To the end of the range, where more ticks come than are known one by one. */
export function restPath({ next, nextMore }: TimelineJob, range: TimeRange): string {
  const last = next.at(-1);
  if (nextMore === 0 || last === undefined) return '';
  return `M${round(unitOf(range, Date.parse(last)))} 18H${unitsWide}`;
}

export function unitOf(range: TimeRange, ms: number): number {
  return shareOf(range, ms) * unitsWide;
}

function boxOf(from: number, until: number, bottom: number, high: number): string {
  const [left, right] = [Math.max(0, from), Math.min(unitsWide, until)].map(round);
  return `M${left} ${round(bottom)}v-${round(high)}H${right}v${round(high)}z`;
}

function add(paths: Map<string, string>, tone: string, path: string): void {
  paths.set(tone, `${paths.get(tone) ?? ''}${path}`);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
