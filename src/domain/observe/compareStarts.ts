import { lineCommand } from '../crontab/runByShell.ts';
import type { CronStart } from './readCronLog.ts';

/** What statecron recorded of one observed job. */
export interface ObservedJob {
  readonly job: string;
  readonly command: string;
  /** Null: it is whoever runs the node. */
  readonly user: string | null;
  /** It was observed in [fromMs, untilMs). */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Ticks that it would have started at. */
  readonly ticks: readonly number[];
}

/** Starts that one of the two has and the other has not. */
interface StartDifference {
  /** Who has them. */
  readonly only: 'cron' | 'statecron';
  /** Null: statecron has no job with this command. */
  readonly job: string | null;
  readonly user: string | null;
  readonly command: string;
  readonly times: readonly number[];
  /** What it may come from. */
  readonly note: string | null;
}

/**
 * Compares, by minute, command and user, what cron started with what statecron would have started.
 * Cron's starts count within [fromMs, untilMs), those of a job while it was observed.
 */
export function compareStarts(
  jobs: readonly ObservedJob[],
  starts: readonly CronStart[],
  [fromMs, untilMs]: readonly [number, number],
): { readonly agreed: number; readonly differences: readonly StartDifference[] } {
  const differences: StartDifference[] = [];
  const taken = new Set<CronStart>();
  let agreed = 0;
  for (const job of jobs) {
    const own = starts.filter((start) => !taken.has(start) && isOf(start, job));
    for (const start of own) taken.add(start);
    const [firstMs, lastMs] = [Math.max(fromMs, job.fromMs), Math.min(untilMs, job.untilMs)];
    const isIn = (ms: number): boolean =>
      ms >= Math.ceil(firstMs / minuteMs) * minuteMs && ms < lastMs;
    const theirs = own.map(({ atMs }) => minuteOf(atMs)).filter(isIn);
    const ours = job.ticks.map(minuteOf).filter(isIn);
    const onlyCron = without(theirs, ours);
    const onlyHere = without(ours, theirs);
    agreed += ours.length - onlyHere.length;
    const isUnknown = own.length === 0 ? 'cron never started this command' : null;
    const note = shiftOf(onlyCron, onlyHere) ?? isUnknown;
    const { job: name, user, command } = job;
    for (const [only, times] of [
      ['cron', onlyCron],
      ['statecron', onlyHere],
    ] as const) {
      if (times.length > 0) differences.push({ only, job: name, user, command, times, note });
    }
  }
  const others = starts.filter(
    (start) => !taken.has(start) && start.atMs >= fromMs && start.atMs < untilMs,
  );
  return { agreed, differences: [...differences, ...unknownOf(others, jobs)] };
}

const minuteMs = 60_000;

function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs;
}

function isOf({ user, command }: CronStart, job: ObservedJob): boolean {
  return command === lineCommand(job.command).trim() && (job.user === null || job.user === user);
}

/** The times of the one that the other lacks, each as often as it lacks it. */
function without(times: readonly number[], others: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const each of others) counts.set(each, (counts.get(each) ?? 0) + 1);
  return times.filter((each) => {
    const left = counts.get(each) ?? 0;
    counts.set(each, left - 1);
    return left <= 0;
  });
}

/** The same starts a fixed time apart are those of another zone or another expression. */
function shiftOf(theirs: readonly number[], ours: readonly number[]): string | null {
  const [first] = ours;
  const [theirFirst] = theirs;
  if (first === undefined || theirFirst === undefined || ours.length !== theirs.length) return null;
  const shiftMs = first - theirFirst;
  if (!ours.every((each, index) => each - (theirs[index] ?? 0) === shiftMs)) return null;
  const minutes = Math.abs(shiftMs) / minuteMs;
  const apart = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
  return `statecron is ${apart} ${shiftMs > 0 ? 'later' : 'earlier'}: another zone or line?`;
}

function unknownOf(starts: readonly CronStart[], jobs: readonly ObservedJob[]): StartDifference[] {
  const byLine = new Map<string, CronStart[]>();
  for (const start of starts) {
    const key = `${start.user} ${start.command}`;
    byLine.set(key, [...(byLine.get(key) ?? []), start]);
  }
  return [...byLine.values()].flatMap((own): StartDifference[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { user, command } = first;
    const other = jobs.find((job) => lineCommand(job.command).trim() === command);
    const note =
      other === undefined
        ? 'no observed job has this command'
        : `the job ${other.job} has it as the user ${other.user}`;
    const times = own.map(({ atMs }) => minuteOf(atMs));
    return [{ only: 'cron', job: null, user, command, times, note }];
  });
}
