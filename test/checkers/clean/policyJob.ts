import { decideClaim } from '../../../src/domain/policies/claimDecision.ts';
import { startAt } from '../../../src/domain/policies/startAt.ts';
import { couldRun } from '../couldRun.ts';
import type { CleanJob } from './cleanJob.ts';
import { bootStartMs, type CleanPlan, type CleanSession } from './cleanWorld.ts';
import { bootOf, sessionAt, whenOpen } from './liveJob.ts';
import {
  moveCursor,
  type PlaceLife,
  type PolicyLife,
  ticksOf,
  type Waiting,
} from './policyLife.ts';
import { endLaunch, startLaunch } from './startLaunch.ts';

/**
 * Lives a job with policies through a plan. What becomes of ticks is decided as nodes decide it;
 * the judge, which must have nothing to say of it, reckons for itself.
 */
export function livePolicyJob(
  job: CleanJob,
  plan: CleanPlan,
  sessions: readonly CleanSession[],
  random: () => number,
): void {
  const { kind, parallel = 1, target } = job.policies;
  const eligible = sessions.filter(({ node }) => couldRun(target, node) !== false);
  const first = job.moment;
  if (kind === 'every-node') {
    job.dropSlots();
    for (const [place, node] of plan.nodes.entries()) {
      job.addSlot(node, 0, first);
      const own = sessions.filter((session) => session.node === node);
      liveSlots({ job, plan, sessions: own, random, nodeName: node }, [place]);
    }
    return;
  }
  for (let slotNo = 1; slotNo < parallel; slotNo += 1) job.addSlot('', slotNo, first);
  const places = Array.from({ length: parallel }, (_, place) => place);
  liveSlots({ job, plan, sessions: eligible, random, nodeName: '' }, places);
}

function liveSlots(
  parts: Pick<PolicyLife, 'job' | 'plan' | 'sessions' | 'random' | 'nodeName'>,
  places: readonly number[],
): void {
  const life: PolicyLife = {
    ...parts,
    readMs: bootStartMs + parts.plan.untilMs,
    places: places.map((place) => ({
      place,
      freeMs: bootStartMs + 200,
      isIdle: true,
      startedDatabaseMs: null,
      endedDatabaseMs: null,
    })),
    pending: [],
    events: [],
    ran: 0,
    failures: 0,
    isPaused: false,
    clockMs: bootStartMs + 200,
  };
  for (;;) {
    const claim = nextClaim(life);
    const [event] = life.events.sort((a, b) => a.atMs - b.atMs);
    const atMs = Math.min(claim?.atMs ?? Infinity, event?.atMs ?? Infinity);
    if (atMs > life.readMs - 10) break;
    life.clockMs = atMs + 1;
    if (event !== undefined && event.atMs <= atMs) {
      life.events.shift();
      event.act();
    } else if (claim !== null) claimSlot(life, claim.place, claim.atMs);
  }
  const { jobId } = life.job;
  life.job.pending.push(
    ...life.pending.map(({ trigger, scheduledForMs, attempt, notBeforeMs }) => ({
      jobId,
      nodeName: life.nodeName,
      triggeredBy: trigger,
      scheduledForDatabaseMs: scheduledForMs,
      attempt,
      requestId: '',
      notBeforeDatabaseMs: notBeforeMs,
    })),
  );
}

/** The idle slot that can be claimed first, and when: half a second ahead, while a node acts. */
function nextClaim(life: PolicyLife): { place: PlaceLife; atMs: number } | null {
  if (life.isPaused) return null;
  const { job, plan, sessions } = life;
  const idlePlaces = life.places.filter(({ isIdle }) => isIdle);
  const [place] = idlePlaces.sort((a, b) => a.freeMs - b.freeMs);
  if (place === undefined) return null;
  const { cursorDatabaseMs } = job.use(place.place).moment;
  const dues = life.pending.map(({ notBeforeMs }) => notBeforeMs);
  const dueMs = Math.min(cursorDatabaseMs ?? Infinity, ...dues);
  if (!Number.isFinite(dueMs)) return null;
  const fromMs = Math.max(place.freeMs, life.clockMs);
  const openMs = whenOpen(plan, Math.max(fromMs, bootOf(plan, dueMs, fromMs) - aheadMs));
  const isActing = ({ joinedMs, actsUntilMs }: CleanSession, atMs: number) =>
    joinedMs < atMs && atMs < actsUntilMs;
  if (sessions.some((session) => isActing(session, openMs))) return { place, atMs: openMs };
  const joins = sessions.map(({ joinedMs }) => joinedMs + 20).filter((atMs) => atMs > openMs);
  return joins.length === 0 ? null : { place, atMs: Math.min(...joins) };
}

const aheadMs = 500;

function claimSlot(life: PolicyLife, place: PlaceLife, claimMs: number): void {
  const { job, sessions, random } = life;
  const slot = job.use(place.place);
  const nowMs = Math.floor(job.db(claimMs));
  const [pending = null] = life.pending.sort((a, b) => a.notBeforeMs - b.notBeforeMs);
  const waiting = life.pending.filter(({ trigger }) => trigger === 'queue').length;
  const past = { ...pastOf(life), cursorMs: slot.moment.cursorDatabaseMs, pending, waiting };
  const ticks = ticksOf(job);
  const { launch, cursorMs, ranges, queued } = decideClaim(
    past,
    ticks,
    nowMs,
    job.policies,
    aheadMs,
  );
  for (const { result, fromMs, untilMs, reason } of ranges) {
    job.pass(claimMs, result, fromMs, untilMs, reason);
  }
  for (const tickMs of queued) {
    const same = { scheduledForMs: tickMs, notBeforeMs: tickMs, attempt: 1 };
    life.pending.push({ trigger: 'queue', ...same });
  }
  place.freeMs = claimMs + 1;
  if (launch === null) {
    moveCursor(life, claimMs, cursorMs, null);
    return;
  }
  if (launch.fromPending) life.pending.splice(life.pending.indexOf(pending as Waiting), 1);
  const { trigger, scheduledForMs, attempt } = launch;
  const session = sessionAt(sessions, claimMs, random);
  Object.assign(slot, { trigger, attempt });
  job.claim(claimMs, session, scheduledForMs, cursorMs);
  moveCursor(life, claimMs, cursorMs, place);
  job.use(place.place);
  place.isIdle = false;
  const notBeforeMs = launch.fromPending ? (pending?.notBeforeMs ?? null) : null;
  const definition = { name: job.plan.name, ...job.policies };
  const startAtMs = startAt(definition, { trigger, scheduledForMs, notBeforeMs });
  const startMs = Math.max(claimMs + 1, bootOf(life.plan, startAtMs, claimMs)) + 2;
  if (startMs < session.actsUntilMs) {
    life.events.push({ atMs: startMs, act: () => startLaunch(life, place, session, startMs) });
    return;
  }
  // Its node ends before: the tick is put back.
  const isDead = session.diedMs !== null;
  const freeMs = isDead ? (session.endedMs ?? 0) + 150 : session.actsUntilMs + 20;
  life.events.push({
    atMs: freeMs,
    act: () => endLaunch(life, place, freeMs, { putBack: startAtMs, session }),
  });
}

/** A tick was overlapped only while every slot was busy. */
function pastOf({ places }: PolicyLife): { startedMs: number | null; endedMs: number | null } {
  const ends = places.flatMap((each) =>
    each.isIdle ? [each.endedDatabaseMs ?? Number.NEGATIVE_INFINITY] : [],
  );
  const starts = places.map(({ startedDatabaseMs }) => startedDatabaseMs ?? -Infinity);
  const known = (ms: number): number | null => (Number.isFinite(ms) ? ms : null);
  return { startedMs: known(Math.max(...starts)), endedMs: known(Math.min(...ends)) };
}
