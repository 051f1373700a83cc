import { countDiffers, exitCodes, OperatorError } from '../../../domain/errors/errors.ts';
import { togetherPrefix } from '../../../domain/reasons/reasons.ts';
import type { Channel } from '../../connection/channel.ts';
import { runJob } from '../../requests/runJob.ts';
import { integer, only } from '../../rows/row.ts';
import {
  type PauseEnd,
  pauseJob,
  pauseTogether,
  removeJob,
  resumeJob,
  resumeTogether,
} from '../changes/changeJob.ts';
import { type BulkFilter, matchJobs } from './matchJobs.ts';

export const bulkActions = ['pause', 'resume', 'run', 'remove'] as const;

/** One change of every job that a filter matches, a part of them at a time. */
export interface BulkRequest {
  readonly action: (typeof bulkActions)[number];
  readonly filter: BulkFilter;
  /** What a pause is of, `all jobs` or `group "web"`: what such a pause paused is resumed by it. */
  readonly scope?: string;
  /** Of a pause. */
  readonly end?: PauseEnd;
  readonly note?: string;
  /** Of runs: each job is run once under it. */
  readonly requestId?: string;
  /** How many jobs have to match; absent: they are only looked at, or it is a further part. */
  readonly expected?: number;
  readonly isDry?: boolean;
  /** `next` of the part before. */
  readonly after?: string;
}

interface BulkJob {
  readonly job: string;
  readonly outcome: 'matched' | 'changed' | 'unchanged' | 'refused';
  /** Why it was refused. */
  readonly detail: string | null;
}

interface BulkPart {
  /** How many match; of a further part, how many were left before it. */
  readonly matched: number;
  /** How many are left after this part. */
  readonly left: number;
  /** Where the next part begins; null: all is done. */
  readonly next: string | null;
  readonly jobs: readonly BulkJob[];
}

/**
 * Changes the next part of the jobs that match, each in a transaction of its own, as the change of
 * one job does it. The first part counts all of them before it changes any. A fault that is not a
 * job's own ends the part early, and is thrown when nothing of the part was done.
 * @throws OperatorError `count_differs`, and what the changes throw.
 */
export async function bulkJobs(channel: Channel, given: BulkRequest): Promise<BulkPart> {
  const { expected, isDry = false } = given;
  const request = isDry ? given : { ...given, end: await oneEnd(channel, given) };
  const { found, matched } = await findPart(channel, request);
  if (!isDry && request.after === undefined && matched !== expected) {
    if (!(await wasBegun(channel))) throw countDiffers(matched, expected);
  }
  const jobs: BulkJob[] = [];
  const untilMs = performance.now() + partMsMax;
  for (const { name } of found) {
    if (jobs.length > 0 && performance.now() > untilMs) break;
    try {
      jobs.push(isDry ? looked(name) : await changeOne(channel, name, request));
    } catch (error) {
      if (jobs.length === 0) throw error;
      break;
    }
  }
  const left = Math.max(0, matched - jobs.length);
  const last = found[jobs.length - 1];
  const isAll = jobs.length === found.length && found.length < partJobsMax(request);
  const end = request.end && 'untilMs' in request.end ? `:${request.end.untilMs}` : '';
  const next = isAll || last === undefined ? null : `${last.jobId}:${left}${end}`;
  return { matched, left: next === null ? 0 : left, next, jobs };
}

/** A part takes no longer than a request may. */
const partMsMax = 5_000;
const partJobsMax = ({ isDry }: BulkRequest): number => (isDry ? 1_000 : 50);

/** A pause ends for all of its jobs at once: a time from now on begins with the first part. */
async function oneEnd(channel: Channel, { after, end = null }: BulkRequest): Promise<PauseEnd> {
  if (end === null || 'untilMs' in end) return end;
  const [, , , untilMs] = placeOf.exec(after ?? '') ?? [];
  return { untilMs: untilMs ? Number(untilMs) : (await channel.readNow()) + end.forMs };
}

/** Of a `next`: the last job of the part, how many jobs are left, and when their pause ends. */
const placeOf = /^(\d{1,15}):(\d{1,9})(?::(\d{1,15}))?$/;

/** The jobs of the part, and how many match: counted by the first part alone. */
async function findPart(channel: Channel, request: BulkRequest) {
  const place = placeOf.exec(request.after ?? '');
  const found: { readonly jobId: number; readonly name: string }[] = [];
  let matched = 0;
  const size = partJobsMax(request);
  const beforeId = place === null ? null : Number(place[1]);
  for await (const some of matchJobs(channel, filterOf(channel, request), beforeId)) {
    matched += some.length;
    found.push(...some.slice(0, size - found.length));
    if (place !== null && found.length === size) break;
  }
  return { found, matched: place === null ? matched : Number(place[2]) };
}

/** What is paused needs none, but another end of the same pause; what is not no end of one. */
function filterOf(channel: Channel, { action, filter, scope }: BulkRequest): BulkFilter {
  const own = channel.by?.groups ?? null;
  if (action === 'resume' && scope !== undefined) {
    // Whichever group or tag a job has since.
    const groups = own === null ? {} : { groups: own };
    return { isPaused: true, reasonPrefix: togetherPrefix(scope), ...groups };
  }
  const wanted = filter.groups ?? own;
  const groups = wanted?.filter((group) => own?.includes(group) ?? true);
  const unpaused = scope === undefined ? { isPaused: false } : { pausedAs: togetherPrefix(scope) };
  return {
    ...(action === 'pause' ? unpaused : action === 'resume' ? { isPaused: true } : {}),
    ...filter,
    ...(groups === undefined ? {} : { groups }),
  };
}

/** Whether a change was made under the request's Idempotency-Key: then the count was right. */
async function wasBegun(channel: Channel): Promise<boolean> {
  const keyClaim = channel.by?.keyClaim;
  if (keyClaim === undefined || keyClaim.takenNo === 1) return false;
  return (await channel.rows(only(integer), selectBegun, [keyClaim.keyHash])).length > 0;
}

const looked = (job: string): BulkJob => ({ job, outcome: 'matched', detail: null });

async function changeOne(channel: Channel, job: string, request: BulkRequest): Promise<BulkJob> {
  try {
    const isChanged = await changes[request.action](channel, job, request);
    return { job, outcome: isChanged ? 'changed' : 'unchanged', detail: null };
  } catch (error) {
    if (!isOfJob(error)) throw error;
    return { job, outcome: 'refused', detail: error.message };
  }
}

/** Whether one job alone was refused, and the others need not be. */
function isOfJob(error: unknown): error is OperatorError {
  if (!(error instanceof OperatorError) || error.code === 'idempotency_taken_over') return false;
  return error.exitCode === exitCodes.failed;
}

type Change = (channel: Channel, job: string, request: BulkRequest) => Promise<boolean>;

const changes: Readonly<Record<BulkRequest['action'], Change>> = {
  pause: async (channel, job, { end = null, note, scope }) => {
    if (scope === undefined) return (await pauseJob(channel, job, end, note)).isChanged;
    return (await pauseTogether(channel, job, scope, { end, note })).isChanged;
  },
  resume: async (channel, job, { scope }) => {
    if (scope === undefined) return (await resumeJob(channel, job)).isChanged;
    return (await resumeTogether(channel, job, togetherPrefix(scope))).isChanged;
  },
  run: async (channel, job, { requestId }) => {
    if (requestId === undefined) throw new Error('bulkJobs: a run has no request id');
    return (await runJob(channel, job, requestId)).isNew;
  },
  remove: async (channel, job) => (await removeJob(channel, job)).isChanged,
};

const selectBegun =
  '/* bulkJobs begun */ SELECT 1 AS begun FROM audit_log WHERE key_hash = ? LIMIT 1';
