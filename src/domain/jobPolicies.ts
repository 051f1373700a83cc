import type { NoticeEvent } from './notices/notice.ts';
import type { Dialect, FoldRule, GapRule } from './schedule/schedule.ts';

/**
 * What a job may ask for besides its schedule and command. Every field is optional, and absent it
 * means what the first release did, so that old definitions stay what they are. A definition with
 * any of them has format 3, or 4 with `notify`: older nodes leave the job to others.
 */
export interface JobPolicies {
  /** Further schedules: the job's ticks are those of all of them together, each instant once. */
  moreSchedules?: string[];
  /** How weekday numbers are read; absent: `unix`. */
  dialect?: Extract<Dialect, 'quartz'>;
  /** Wall times that do not exist; absent: as the kind of schedule has it. */
  gap?: GapRule;
  /** Wall times that come twice; absent: as the kind of schedule has it. */
  fold?: FoldRule;
  /** ISO instants with an offset: no tick before, none after. */
  notBefore?: string;
  notAfter?: string;
  /** Days and times that are no ticks: dates, ranges of dates, weekdays, cron expressions. */
  exclude?: string[];

  /** What a tick does that comes while the job runs; absent: it is skipped. */
  overlap?: 'queue' | 'queue-all' | 'replace' | 'terminate';
  /** How many launches of the job may run at once, of an every-node job on each; absent: 1. */
  parallel?: number;
  /** What becomes of ticks that nobody was there for; absent: the last of them runs once. */
  misfire?: 'skip' | 'all';
  /** How old a missed tick may be to be made up for; absent: any age, for `all` one hour. */
  catchUpMs?: number;
  /** What becomes of a run whose node is lost; absent: the next tick is next. */
  nodeLoss?: 'rerun';
  retry?: RetryPolicy;
  /** A launch that has not started so long after its tick is not started at all. */
  startDeadlineMs?: number;
  /** Each tick starts up to so much later, by a number hashed from the job's name and the tick. */
  splayMs?: number;
  /** After so many ticks that ran the job is paused. */
  runsMax?: number;
  /** After so many ticks in a row that failed for good the job is paused. */
  failuresMax?: number;

  /** `every-node`: each eligible node runs every tick, in a slot of its own; absent: one does. */
  kind?: 'every-node';
  /** Which nodes may run it; absent: all. */
  target?: Target;

  /** Jobs whose ends start this one, besides its schedule. */
  after?: Upstream[];

  /** The namespace; absent: `default`. */
  group?: string;
  tags?: string[];

  /** The user that the command runs as: the node must be root and allow it. */
  user?: string;
  /** e.g. `027`. */
  umask?: string;
  /** -20 to 19. */
  nice?: number;
  /** Address space of each of its processes. */
  memoryBytesMax?: number;
  /** CPU time of each of its processes. */
  cpuSecondsMax?: number;

  /** History older than this is cleaned away; absent: as the cluster keeps it. */
  keepDays?: number;
  /** Of its history only the last so many rows are kept; absent: as the cluster keeps it. */
  keepRuns?: number;

  /** Who is told of what; absent: only those who are told of every job. */
  notify?: NotifyPolicy;
}

/** Targets stand in a table of their own, by the names that are named here. */
export interface NotifyPolicy {
  on: NoticeEvent[];
  to: string[];
  /** How long a run is too long, for `long-running`. */
  longMs?: number;
  /** Told of each start and end, as healthchecks.io has it. */
  ping?: string[];
}

/** New attempts of a tick, each a launch of its own. */
export interface RetryPolicy {
  /** Attempts after the first: 1 to 100. */
  max: number;
  /** Before the first of them. */
  delayMs: number;
  /** `exponential`: each delay is twice the one before, up to `delayMsMax`. */
  backoff: 'fixed' | 'exponential';
  delayMsMax: number;
  /** The delay is drawn between half of it and the whole. */
  jitter: boolean;
  on: ('failure' | 'timeout' | 'node-loss')[];
}

/**
 * Which nodes may run a job. A node that any exclusion names may not; else one that `nodes`,
 * `labels` or `groups` names may; without any of these three every node may that is not excluded.
 */
export interface Target {
  nodes?: string[];
  /** `name` or `name=value`. */
  labels?: string[];
  groups?: string[];
  excludeNodes?: string[];
  excludeLabels?: string[];
  excludeGroups?: string[];
}

/** An edge of a chain. */
export interface Upstream {
  job: string;
  on: 'success' | 'failure' | 'end';
}

/** All of them, for whoever asks whether a definition has any. */
export const policyFields: Record<keyof JobPolicies, true> = {
  moreSchedules: true,
  dialect: true,
  gap: true,
  fold: true,
  notBefore: true,
  notAfter: true,
  exclude: true,
  overlap: true,
  parallel: true,
  misfire: true,
  catchUpMs: true,
  nodeLoss: true,
  retry: true,
  startDeadlineMs: true,
  splayMs: true,
  runsMax: true,
  failuresMax: true,
  kind: true,
  target: true,
  after: true,
  group: true,
  tags: true,
  user: true,
  umask: true,
  nice: true,
  memoryBytesMax: true,
  cpuSecondsMax: true,
  keepDays: true,
  keepRuns: true,
  notify: true,
};
