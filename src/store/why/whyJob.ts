import { isClockOff } from '../../domain/time/isClockOff.ts';
import { explainJob, type WhyJob } from '../../domain/why/explainJob.ts';
import { judgeNodes } from '../../domain/why/judgeNodes.ts';
import type { PlaceFacts } from '../../domain/why/whyFacts.ts';
import type { Channel } from '../connection/channel.ts';
import { type MuteShown, readMutesOfJob } from '../notifications/delivery/readMutes.ts';
import { readJobFacts } from './readJobFacts.ts';
import { readLaunches } from './readLaunches.ts';
import { readHeld, readNodeGroups, readSessions } from './readPlace.ts';
import { readUpstreams } from './readUpstreams.ts';

/** Why a job has not run; of its nodes the first are shown. */
export interface WhyShown extends WhyJob {
  readonly nodesLeftOut: number;
  /** What holds back its notifications; it keeps nothing from running. */
  readonly mutes: readonly MuteShown[];
}

/**
 * Why a job has not run, and when it will. At most seven statements, without locks: what it says
 * may be slightly old. A job that was removed says when.
 * @throws OperatorError `job_missing`.
 */
export async function whyJob(channel: Channel, name: string): Promise<WhyShown> {
  const beganMs = Date.now();
  const { exactNowMs, job, nowMs, whyClosed, ...read } = await readJobFacts(channel, name);
  const tookMs = Date.now() - beganMs;
  const aheadMs = exactNowMs - (beganMs + tookMs / 2);
  const { slots, pending } = await readLaunches(channel, job.jobId);
  const cursors = slots.flatMap(({ cursorMs }) => cursorMs ?? []);
  const there = await readSessions(channel, Math.min(nowMs, ...cursors));
  const groups = await readNodeGroups(channel, read.placement.target ?? {});
  const { placement } = read;
  const place = { ...read, ...there, groups };
  const slotNodes = slots.map(({ nodeName }) => nodeName);
  const nodes = judgeNodes(place, slotNodes);
  const shown = nodes.slice(0, nodesMax);
  const sessionIds = shown.flatMap(({ session }) => session?.sessionId ?? []);
  const group = read.launchesMax === null ? null : (placement.jobGroup ?? null);
  const { bySession, byTarget } = await readHeld(channel, sessionIds, group);
  const limit = limitOf(group, read.launchesMax, byTarget);
  const upstreams = await readUpstreams(channel, job.jobId, job.definition.after ?? []);
  const facts = {
    ...{ nowMs, job, slots, pending, upstreams, whyClosed },
    place: { ...place, limit, held: bySession },
    clockAheadMs: isClockOff(aheadMs, tookMs) ? aheadMs : null,
  };
  const why = explainJob(facts, nodes);
  const nodesLeftOut = nodes.length - shown.length;
  const mutes = await readMutesOfJob(channel, job.definition);
  return { ...why, nodes: why.nodes.slice(0, nodesMax), nodesLeftOut, mutes };
}

const nodesMax = 200;

function limitOf(
  group: string | null,
  launchesMax: number | null,
  held: ReadonlyMap<number, number>,
): PlaceFacts['limit'] {
  return group === null || launchesMax === null ? null : { group, launchesMax, held };
}
