import { reasons } from '../../../src/domain/reasons/reasons.ts';
import type { Trigger } from '../../../src/domain/run/run.ts';
import type { TickSource } from '../../../src/domain/run/tickSource.ts';
import { type CleanJob, idle } from './cleanJob.ts';
import type { CleanPlan, CleanSession } from './cleanWorld.ts';
import { operatorConnection } from './liveJob.ts';

/** A launch that waits. */
export interface Waiting {
  readonly trigger: Trigger;
  readonly scheduledForMs: number;
  readonly attempt: number;
  readonly notBeforeMs: number;
}

/** The slots of one cursor, as a job with policies lives in them. */
export interface PolicyLife {
  readonly job: CleanJob;
  readonly plan: CleanPlan;
  readonly sessions: readonly CleanSession[];
  readonly random: () => number;
  readonly readMs: number;
  readonly nodeName: string;
  readonly places: readonly PlaceLife[];
  pending: Waiting[];
  /** What happens next to the slots that are held, and to nodes. */
  events: { readonly atMs: number; readonly act: () => void }[];
  ran: number;
  failures: number;
  isPaused: boolean;
  /** Nothing happens before it any more. */
  clockMs: number;
}

export interface PlaceLife {
  readonly place: number;
  freeMs: number;
  isIdle: boolean;
  startedDatabaseMs: number | null;
  endedDatabaseMs: number | null;
}

/** Slots side by side share their cursor; `but`: the claim has moved that of this one. */
export function moveCursor(
  { job, places }: PolicyLife,
  atMs: number,
  cursorDatabaseMs: number | null,
  but: PlaceLife | null,
): void {
  for (const each of places) {
    if (each === but || job.use(each.place).moment.cursorDatabaseMs === cursorDatabaseMs) continue;
    job.change(atMs, operatorConnection, { cursorDatabaseMs });
  }
}

export function ticksOf(job: CleanJob): TickSource {
  const named = job.named();
  const [reign] = named.reigns;
  return reign === undefined ? noTicks : reign.ticks;
}

const noTicks: TickSource = { next: () => null, lastAtOrBefore: () => null, count: () => 0 };

/** Nothing of the schedule any more; what waited ends here. */
export function pauseItself(life: PolicyLife, atMs: number, reason: string): void {
  const { job } = life;
  const { revision } = job;
  const { cursorDatabaseMs } = job.moment;
  const lastMs = ticksOf(job).lastAtOrBefore(Math.ceil(job.db(atMs)) - 1);
  if (cursorDatabaseMs !== null && lastMs !== null && cursorDatabaseMs <= lastMs) {
    job.pass(atMs, 'skipped', cursorDatabaseMs, lastMs, reasons.paused);
  }
  job.revise(atMs, job.plan.schedule, true, false, reason);
  for (const { trigger, scheduledForMs, attempt } of life.pending) {
    const nobody = { launchId: null, sessionId: null, revision };
    const what = { triggeredBy: trigger, attempt, scheduledForDatabaseMs: scheduledForMs };
    job.tell(atMs, 'skipped', { ...nobody, ...what, reason: reasons.paused });
  }
  life.pending = [];
  life.isPaused = true;
  moveCursor(life, atMs, idle.cursorDatabaseMs, null);
}
