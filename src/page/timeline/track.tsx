import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { statusLook } from '../parts/statusBadge.tsx';
import { zone } from '../state/choices.ts';
import { goTo } from '../state/place.ts';
import { formatDuration } from '../text/formatDuration.ts';
import { countOf, formatCount } from '../text/formatNumber.ts';
import { formatTime, zoneName } from '../text/formatTime.ts';
import { showLine } from '../text/showControls.ts';
import { shareOf, type TimeRange } from './timeRange.ts';
import {
  binPaths,
  nextPath,
  restPath,
  runPaths,
  spanOfRun,
  type TimelineJob,
  type TimelineRun,
  unitOf,
  unitsHigh,
  unitsWide,
} from './trackPaths.ts';

interface TrackProps {
  readonly job: TimelineJob;
  readonly range: TimeRange;
  /** How many parts a job has that is shown in bins. */
  readonly bins: number;
  readonly nowMs: number;
  /** A click on a part of a job that is shown in bins. */
  onZoom?(ms: number): void;
}

/**
 * What happened to a job in a range of time, and what will. The arrow keys go from run to run; a
 * click or Enter leads to the run.
 */
export function Track({ bins, job, nowMs, onZoom, range }: TrackProps): JSX.Element {
  const pointed = useSignal<number | null>(null);
  const context = { bins, range, nowMs };
  const msAt = (target: Element, clientX: number) => {
    const { left, width } = target.getBoundingClientRect();
    return range.fromMs + ((clientX - left) / width) * (range.untilMs - range.fromMs);
  };
  const open = (ms: number) => {
    const run = job.binned ? undefined : nearestRun(job, ms, range, nowMs);
    if (run !== undefined) goTo(['runs', run.launchId ?? `${run.runId}`]);
    else if (job.binned) onZoom?.(ms);
  };
  const ms = pointed.value;
  const tip = ms === null ? null : tipOf(job, ms, context);
  const share = ms === null ? 0 : shareOf(range, ms);
  return (
    <button
      type="button"
      class="track"
      aria-label={summaryOf(job)}
      onPointerMove={({ clientX, currentTarget }) => {
        pointed.value = msAt(currentTarget, clientX);
      }}
      onPointerLeave={() => {
        pointed.value = null;
      }}
      onBlur={() => {
        pointed.value = null;
      }}
      onKeyDown={(event) => {
        const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (direction === undefined) return;
        event.preventDefault();
        pointed.value = stepFrom(job, pointed.value, direction, context);
      }}
      onClick={({ clientX, currentTarget, detail }) => {
        // By the keyboard it has no place.
        const at = detail === 0 ? pointed.value : msAt(currentTarget, clientX);
        if (at !== null) open(at);
      }}
    >
      <svg viewBox={`0 0 ${unitsWide} ${unitsHigh}`} preserveAspectRatio="none" aria-hidden="true">
        <Drawn job={job} {...context} />
      </svg>
      {tip !== null && (
        <span
          class="tip"
          role="status"
          style={{ left: `${share * 100}%`, transform: `translateX(-${share * 100}%)` }}
        >
          {tip}
        </span>
      )}
    </button>
  );
}

/** The next run, or the next part that has any, in a direction. */
function stepFrom(
  job: TimelineJob,
  ms: number | null,
  direction: number,
  { bins, nowMs, range }: TipContext,
): number | null {
  const binMs = (range.untilMs - range.fromMs) / bins;
  const places = job.binned
    ? job.bins.map(({ bin }) => range.fromMs + (bin + 0.5) * binMs)
    : job.runs.map((run) => {
        const [began, ended] = spanOfRun(run, nowMs);
        return (began + ended) / 2;
      });
  const sorted = [...places].sort((a, b) => direction * (a - b));
  if (ms === null) return sorted[0] ?? null;
  return sorted.find((place) => direction * (place - ms) > 0) ?? ms;
}

function Drawn({ bins, job, nowMs, range }: TrackProps): JSX.Element {
  const { next, readFrom, revisions, runs } = job;
  const paths = [
    ...(job.binned ? binPaths(job, bins) : []),
    ...runPaths(job.binned ? runs.filter(({ result }) => result === null) : runs, range, nowMs),
  ];
  return (
    <>
      {readFrom !== null && (
        <rect class="unread" width={Math.max(0, unitOf(range, Date.parse(readFrom)))} height="20" />
      )}
      {revisions.map(({ at, revision }) => (
        <path key={revision} class="revision" d={`M${unitOf(range, Date.parse(at))} 0v20`} />
      ))}
      <path class="now" d={`M${unitOf(range, nowMs)} 0v20`} />
      <path class="next" d={nextPath(next, range)} />
      <path class="rest" d={restPath(job, range)} />
      {paths.map(([tone, path], at) => (
        <path key={`${tone}${at}`} class={`run ${tone}`} d={path} />
      ))}
    </>
  );
}

/** How far from a run, as a share of the range, a click is still meant for it. */
const reach = 0.01;

function nearestRun({ runs }: TimelineJob, ms: number, range: TimeRange, nowMs: number) {
  let [nearest, least] = [undefined as TimelineRun | undefined, Number.POSITIVE_INFINITY];
  for (const run of runs) {
    const [began, ended] = spanOfRun(run, nowMs);
    const apart = Math.max(began - ms, ms - ended, 0);
    if (apart <= least) [nearest, least] = [run, apart];
  }
  return least < reach * (range.untilMs - range.fromMs) ? nearest : undefined;
}

type TipContext = Pick<TrackProps, 'bins' | 'nowMs' | 'range'>;

function tipOf(job: TimelineJob, ms: number, { bins, nowMs, range }: TipContext): string | null {
  const { binned, next } = job;
  const time = (at: number) => `${formatTime(at, zone.value, nowMs)} ${zoneName(zone.value, at)}`;
  const binMs = (range.untilMs - range.fromMs) / bins;
  if (binned && ms < nowMs) {
    const bin = Math.floor((ms - range.fromMs) / binMs);
    const parts = job.bins.filter((each) => each.bin === bin);
    const words = parts.map(
      ({ result, ticks }) => `${formatCount(ticks)} ${statusLook(result).word}`,
    );
    const fromMs = range.fromMs + bin * binMs;
    const from = formatTime(fromMs, zone.value, nowMs);
    return `${from} to ${time(fromMs + binMs)}: ${words.join(', ') || 'no run'}`;
  }
  const run = nearestRun(job, ms, range, nowMs);
  if (run === undefined) {
    const due = next.find((at) => Math.abs(Date.parse(at) - ms) < binMs);
    return due === undefined ? null : `due ${time(Date.parse(due))}`;
  }
  const { result, startedAt, ticks } = run;
  const [began, ended] = spanOfRun(run, nowMs);
  const took = startedAt === null ? '' : `, ${formatDuration(ended - began)}`;
  const many = ticks > 1 ? `, ${countOf(ticks, 'tick')}` : '';
  return `${statusLook(result ?? 'running').word} ${time(began)}${took}${many}`;
}

/** What the picture says, for who does not see it. */
function summaryOf({ binned, bins, job, next, nextMore, runs }: TimelineJob): string {
  const counts = new Map<string, number>();
  const rows = binned ? bins : runs.map(({ result, ticks }) => ({ result, ticks }));
  for (const { result, ticks } of rows) {
    const { word } = statusLook(result ?? 'running');
    counts.set(word, (counts.get(word) ?? 0) + ticks);
  }
  const words = [...counts].map(([word, count]) => `${formatCount(count)} ${word}`);
  const due = next.length + nextMore;
  words.push(countOf(due, 'tick to come', 'ticks to come'));
  return `${showLine(job)}: ${words.join(', ')}`;
}
