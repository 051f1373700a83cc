import { nextOfBusy } from '../../domain/policies/nextOfBusy.ts';
import { type JobState, jobState } from '../../domain/run/jobState.ts';
import { overdueCountMax } from '../../domain/run/overdueCount.ts';
import type { Trigger } from '../../domain/run/run.ts';
import { firstTicksUntil, type TickSource } from '../../domain/run/tickSource.ts';
import { anyTarget, noTarget } from '../../domain/targeting/takeable.ts';
import type { Channel } from '../connection/channel.ts';
import { Conditions } from '../connection/conditions.ts';
import { integer, only } from '../rows/row.ts';
import { columnsOfGroups } from '../targeting/ensureTarget.ts';
import { readUpcomingJobs, type UpcomingJob } from './upcomingJobs.ts';
import { readUpcomingSlots, type SlotPlace, type UpcomingSlot } from './upcomingSlots.ts';

export interface UpcomingQuery {
  readonly withinMs: number;
  /** Of jobs of these groups; `default`: of none other. */
  readonly groups?: readonly string[];
  /** Each tick by itself; else a job's next one, and how many come after it. */
  readonly isEachTick?: boolean;
  readonly after?: SlotPlace | null;
  readonly launchesMax: number;
}

/** What a job starts next, and how many more of it in the time that was asked for. */
interface UpcomingLaunch {
  readonly job: string;
  readonly group: string;
  /** The node that it is pinned to; null: any that may run it. */
  readonly node: string | null;
  readonly atMs: number;
  readonly trigger: Trigger;
  readonly timezone: string;
  readonly state: JobState;
  readonly more: number;
  /** The last of those; null: there are none. */
  readonly lastMs: number | null;
}

export interface Upcoming {
  readonly nowMs: number;
  /** Up to then the answer is complete, as far as its pages are read. */
  readonly untilMs: number;
  /** How many launches have been due for over a minute, and are not shown; overdueCountMax. */
  readonly overdue: number;
  readonly launches: readonly UpcomingLaunch[];
  readonly next: SlotPlace | null;
}

/**
 * What is due next over all jobs, in order, from the index that claims use. What has been due for
 * longer than a minute is only counted: the jobs of a node that is away would hide all others.
 */
export async function readUpcoming(channel: Channel, query: UpcomingQuery): Promise<Upcoming> {
  const nowMs = await channel.readNow();
  const { withinMs, launchesMax, after = null, isEachTick = false } = query;
  const targetIds = query.groups === undefined ? null : await targetsOf(channel, query.groups);
  const [fromMs, untilMs] = [nowMs - overdueMs, nowMs + withinMs];
  const range = { nowMs, fromMs, untilMs, targetIds, after, slotsMax: launchesMax + 1 };
  const slots = await readUpcomingSlots(channel, range);
  const shown = slots.slice(0, launchesMax);
  const jobOf = await readUpcomingJobs(channel, shown, untilMs);
  const launches = withoutTwins(shown).flatMap((slot) => {
    const job = jobOf(slot);
    return job === null ? [] : launchOf(slot, job, nowMs, untilMs);
  });
  const overdue = await countOverdue(channel, fromMs, targetIds);
  const next = slots.length > launchesMax ? (shown.at(-1) ?? null) : null;
  const upcoming = { nowMs, untilMs, overdue, launches, next };
  if (isEachTick) return eachTick(upcoming, launchesMax);
  const inOrder = launches.sort((a, b) => a.atMs - b.atMs);
  return { ...upcoming, launches: inOrder.map(({ later: _, ...launch }) => launch) };
}

const overdueMs = 60_000;

/** A job that may run several times at once has a slot for each, with the same next tick. */
function withoutTwins(slots: readonly UpcomingSlot[]): UpcomingSlot[] {
  const first = new Map<string, UpcomingSlot>();
  for (const slot of slots) {
    const key = `${slot.jobId} ${slot.nodeName}`;
    if (!first.has(key)) first.set(key, slot);
  }
  return [...first.values()];
}

/** Empty: what was due came while the job ran and is skipped, and nothing else is due. */
function launchOf(
  slot: UpcomingSlot,
  job: UpcomingJob,
  nowMs: number,
  untilMs: number,
): (UpcomingLaunch & Later)[] {
  const { nodeName } = slot;
  const cursorMs = cursorOf(slot, job, nowMs);
  const atMs = cursorMs === slot.cursorMs ? slot.dueMs : dueBehind(job, cursorMs, nowMs);
  if (atMs > untilMs) return [];
  const isPrepared = slot.state === 'prepare';
  const isTick = !isPrepared && atMs === cursorMs;
  const isRequested = !isPrepared && !isTick;
  const ticksFromMs = isTick ? atMs + 1 : cursorMs;
  const ticks = ticksFromMs === null ? 0 : job.ticks.count(ticksFromMs, untilMs);
  const more = ticks + Math.max(0, job.pending.launches - (isRequested ? 1 : 0));
  const lastTickMs = ticks === 0 ? null : job.ticks.lastAtOrBefore(untilMs);
  const lastMs = Math.max(lastTickMs ?? atMs, job.pending.lastMs ?? atMs, atMs);
  // Of what runs now the slot's own says nothing of what comes next.
  const own = isPrepared ? slot.trigger : null;
  const trigger = isRequested ? job.pending.trigger : (own ?? 'schedule');
  const facts = { executing: slot.state === 'executing' ? 1 : 0, due: atMs <= nowMs ? 1 : 0 };
  const { name, group, timezone, ticks: source } = job;
  const launch = {
    ...{ job: name, group, timezone, node: nodeName === '' ? null : nodeName, atMs, trigger },
    state: jobState({ ...facts, ...job }),
    ...{ more, lastMs: more === 0 ? null : lastMs },
    later: { source, fromMs: ticksFromMs },
  };
  return [launch];
}

/** The first tick that is still to be started. */
function cursorOf({ cursorMs, state }: UpcomingSlot, job: UpcomingJob, nowMs: number) {
  return state === 'executing' ? nextOfBusy(job, cursorMs, nowMs) : cursorMs;
}

/** When a slot has the next to start that executes, and whose tick is skipped. */
function dueBehind({ pending }: UpcomingJob, cursorMs: number | null, nowMs: number): number {
  const requestedMs = pending.firstMs === null ? null : Math.max(pending.firstMs, nowMs);
  return Math.min(cursorMs ?? Number.POSITIVE_INFINITY, requestedMs ?? Number.POSITIVE_INFINITY);
}

/** The ticks of a launch's job that come after it. */
interface Later {
  readonly later: { readonly source: TickSource; readonly fromMs: number | null };
}

/**
 * A row for each tick, in order. The jobs that were not read begin after all of the rows that are
 * left: what comes later is not complete, and is not shown. Nor are ticks looked for that come
 * after as many as are wanted.
 */
function eachTick(
  upcoming: Omit<Upcoming, 'launches'> & { readonly launches: readonly (UpcomingLaunch & Later)[] },
  launchesMax: number,
): Upcoming {
  let { untilMs } = upcoming;
  let isCut = upcoming.next !== null;
  let launches: UpcomingLaunch[] = [];
  for (const { later, ...launch } of upcoming.launches) {
    const alone = { ...launch, more: 0, lastMs: null };
    const { fromMs, source } = later;
    const end = { untilMs, ticksMax: launchesMax };
    const ticks = fromMs === null ? [] : firstTicksUntil(source, fromMs - 1, end);
    launches.push(
      alone,
      ...ticks.map((atMs) => ({ ...alone, atMs, trigger: 'schedule' as const })),
    );
    if (launches.length <= launchesMax) continue;
    launches = launches.sort((a, b) => a.atMs - b.atMs).slice(0, launchesMax);
    untilMs = launches.at(-1)?.atMs ?? untilMs;
    isCut = true;
  }
  launches.sort((a, b) => a.atMs - b.atMs);
  const lastMs = launches.at(-1)?.atMs ?? untilMs;
  return { ...upcoming, launches, next: null, untilMs: isCut ? lastMs : untilMs };
}

/** The targets of the groups' jobs. */
async function targetsOf(channel: Channel, groups: readonly string[]): Promise<number[]> {
  const ids = await channel.rows(only(integer), selectTargets, [columnsOfGroups(groups)]);
  return groups.includes('default') ? [anyTarget[0], ...ids] : ids;
}

async function countOverdue(channel: Channel, fromMs: number, targetIds: readonly number[] | null) {
  const conditions = new Conditions("state = 'idle'");
  conditions.need('next_run_at < ?', new Date(fromMs));
  if (targetIds !== null) conditions.need('target_id IN (?)', [noTarget, ...targetIds]);
  const sql = `/* readUpcoming overdue */ SELECT COUNT(*) FROM (/* overdue */ SELECT 1
    FROM slot FORCE INDEX (slot_by_due) ${conditions.where} LIMIT ?) AS due`;
  return channel.row(only(integer), sql, [...conditions.parameters, overdueCountMax]);
}

const selectTargets = `/* readUpcoming targets */ SELECT target_id FROM target
  WHERE job_group IN (?)`;
