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
export interface StartDifference {
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

interface Comparison {
  readonly agreed: number;
  readonly differences: readonly StartDifference[];
  /** Whose starts are not compared. */
  readonly otherUsers: readonly string[];
}

/**
 * Compares, by minute, command and user, what cron started with what statecron would have started.
 * Cron's starts count within [fromMs, untilMs), those of a job while it was observed. Of jobs with
 * the same command a start is the one's that has a tick in that minute, else the one's that lacks
 * the nearest. A user of whom no job is observed may have a crontab that is not compared.
 */
export function compareStarts(
  jobs: readonly ObservedJob[],
  starts: readonly CronStart[],
  [fromMs, untilMs]: readonly [number, number],
): Comparison {
  const sides = jobs.map((job) => sideOf(job, [fromMs, untilMs]));
  const ofLine = new Map<string, readonly Side[]>();
  const others: CronStart[] = [];
  const left: { readonly ms: number; readonly own: readonly Side[] }[] = [];
  let agreed = 0;
  for (const start of starts) {
    const line = `${start.user} ${start.command}`;
    const own = ofLine.get(line) ?? sides.filter(({ job }) => isOf(start, job));
    ofLine.set(line, own);
    if (own.length === 0 && start.atMs >= fromMs && start.atMs < untilMs) others.push(start);
    for (const side of own) side.isStarted = true;
    const ms = minuteOf(start.atMs);
    const within = own.filter((side) => side.isIn(ms));
    const same = within.find(({ missing }) => missing.includes(ms));
    if (same !== undefined) {
      same.missing.splice(same.missing.indexOf(ms), 1);
      agreed += 1;
    } else if (within.length > 0) left.push({ ms, own: within });
  }
  for (const { ms, own } of left) nearest(own, ms)?.onlyCron.push(ms);
  const users = new Set(jobs.map(({ user }) => user));
  const commands = new Set(jobs.map(lineOf));
  const compared: CronStart[] = [];
  const otherUsers = new Set<string>();
  for (const start of others) {
    const { command, user } = start;
    if (users.has(null) || users.has(user) || commands.has(command)) compared.push(start);
    else otherUsers.add(user);
  }
  const differences = [...sides.flatMap(differencesOf), ...unknownOf(compared, jobs)];
  return { agreed, differences, otherUsers: [...otherUsers].sort() };
}

/** One job's part of the comparison. */
interface Side {
  readonly job: ObservedJob;
  readonly isIn: (ms: number) => boolean;
  /** Its ticks that no start of cron was found for. */
  readonly missing: number[];
  /** The starts of cron that it has no tick for. */
  readonly onlyCron: number[];
  /** Cron started its command at some time. */
  isStarted: boolean;
}

function sideOf(job: ObservedJob, [fromMs, untilMs]: readonly [number, number]): Side {
  const [firstMs, lastMs] = [Math.max(fromMs, job.fromMs), Math.min(untilMs, job.untilMs)];
  const isIn = (ms: number): boolean =>
    ms >= Math.ceil(firstMs / minuteMs) * minuteMs && ms < lastMs;
  const missing = job.ticks.map(minuteOf).filter(isIn);
  return { job, isIn, missing, onlyCron: [], isStarted: false };
}

/** Whose missing tick is the nearest; the first one's when none lacks any. */
function nearest(sides: readonly Side[], ms: number): Side | undefined {
  const distance = ({ missing }: Side): number =>
    missing.reduce((least, tickMs) => Math.min(least, Math.abs(tickMs - ms)), Infinity);
  const [first, ...others] = sides;
  if (first === undefined || others.length === 0) return first;
  return others.reduce((best, side) => (distance(side) < distance(best) ? side : best), first);
}

function differencesOf({ job, missing, onlyCron, isStarted }: Side): StartDifference[] {
  const isUnknown = isStarted ? null : 'cron never started this command';
  const note = shiftOf(onlyCron, missing) ?? isUnknown;
  const { job: name, user, command } = job;
  const sides = [
    { only: 'cron', times: onlyCron },
    { only: 'statecron', times: missing },
  ] as const;
  return sides.flatMap(({ only, times }) =>
    times.length === 0 ? [] : [{ only, job: name, user, command, times, note }],
  );
}

const minuteMs = 60_000;

function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs;
}

function isOf({ user, command }: CronStart, job: ObservedJob): boolean {
  return command === lineOf(job) && (job.user === null || job.user === user);
}

function lineOf({ command }: ObservedJob): string {
  return lineCommand(command).trim();
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
    const other = jobs.find((job) => lineOf(job) === command);
    const note =
      other === undefined
        ? 'no observed job has this command'
        : `the job ${other.job} has it as the user ${other.user}`;
    const times = own.map(({ atMs }) => minuteOf(atMs));
    return [{ only: 'cron', job: null, user, command, times, note }];
  });
}
