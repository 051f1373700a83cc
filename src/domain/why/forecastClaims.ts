import { whyNotUnderstood } from '../job/edit/definitionFormat.ts';
import { busyTimes, claimForSlot, type SlotClaim } from '../policies/slotsPast.ts';
import { whyMissed } from '../policies/whyMissed.ts';
import { reasons } from '../reasons/reasons.ts';
import type { TickSource } from '../run/tickSource.ts';
import { withoutFull } from '../targeting/takeable.ts';
import type { PendingFacts, SlotFacts, WhyFacts } from './whyFacts.ts';

/** The slots of one node name, and what a claim would make now of what is due for them. */
export interface Forecast {
  readonly nodeName: string;
  readonly slots: readonly SlotFacts[];
  /** Every slot holds a launch: the claim is one as if they ended now. */
  readonly isBusy: boolean;
  readonly cursorMs: number | null;
  /** Null: nothing is due, or it cannot be said. */
  readonly claim: SlotClaim<PendingFacts> | null;
}

/**
 * What the next claim would decide, by the function that decides it, and with the reasons that it
 * would write.
 */
export function forecastClaims(facts: WhyFacts, ticks: TickSource): Forecast[] {
  const places = new Map<string, SlotFacts[]>();
  for (const slot of facts.slots) {
    const place = places.get(slot.nodeName);
    if (place === undefined) places.set(slot.nodeName, [slot]);
    else place.push(slot);
  }
  const { definition, isPaused, removedMs } = facts.job;
  const isOver = removedMs !== null || isPaused || whyNotUnderstood(definition) !== null;
  const found = [...places].map(([nodeName, slots]) => {
    const isBusy = slots.every(({ state }) => state !== 'idle');
    const cursors = slots.map(({ cursorMs }) => cursorMs ?? Number.POSITIVE_INFINITY);
    const firstMs = Math.min(...cursors);
    return { nodeName, slots, isBusy, cursorMs: Number.isFinite(firstMs) ? firstMs : null };
  });
  const dueMs = ({ cursorMs }: Place): number => cursorMs ?? Number.MAX_VALUE;
  const dueFirst = found.sort((one, other) => dueMs(one) - dueMs(other)).slice(0, placesMax);
  return dueFirst.map((place) => {
    return { ...place, claim: isOver ? null : forecast(facts, ticks, place) };
  });
}

type Place = Omit<Forecast, 'claim'>;

/** Of a job of every node, the nodes whose ticks are due first: each costs up to half a ms. */
const placesMax = 50;

function forecast(
  facts: WhyFacts,
  ticks: TickSource,
  { nodeName, slots, isBusy, cursorMs }: Place,
): Forecast['claim'] {
  const { job, nowMs } = facts;
  const { definition } = job;
  const live = new Set(liveNames(facts));
  const own = facts.pending.filter(
    (each) => each.nodeName === nodeName && (each.wantedNode === null || live.has(each.wantedNode)),
  );
  const waiting = own.filter(({ trigger }) => trigger === 'queue').length;
  const past = {
    cursorMs,
    ...busyTimes(slots.map((slot) => siblingOf(slot, isBusy ? nowMs : null))),
    pending: own.slice(0, slots.length),
    waiting: facts.place.isEveryNode ? waiting : job.waiting,
    isParallel: slots.length > 1,
  };
  const claim = claimForSlot(past, { definition, ticks, nowMs, aheadMs: 0 });
  for (const range of claim?.decision.ranges ?? []) {
    if (range.reason !== reasons.nobodyThere) continue;
    range.reason = whyMissed(
      { nodeName, targetId: facts.place.targetId, fromMs: range.fromMs, untilMs: range.untilMs },
      missedPast(facts),
    );
  }
  return claim;
}

/** A slot as the claim sees it; one that is busy, as if its launch ended then. */
function siblingOf(slot: SlotFacts, endedMs: number | null) {
  const { lastStartedMs, startedMs, state } = slot;
  if (endedMs !== null) return { isIdle: true, startedMs, lastStartedMs, endedMs };
  return { isIdle: state === 'idle', startedMs, lastStartedMs, endedMs: slot.endedMs };
}

/** The names of the nodes that are live. */
export function liveNames({ place }: Pick<WhyFacts, 'place'>): string[] {
  return place.sessions.filter(({ state }) => state === 'live').map(({ nodeName }) => nodeName);
}

/** What is known of the time in which ticks were missed, and of now: its group may be full. */
function missedPast({ nowMs, place }: WhyFacts): Parameters<typeof whyMissed>[1] {
  const { groups, placement, sessions, targetId } = place;
  const isFull = isLimitReached(place);
  return {
    sessions,
    targeting: { groups, placements: new Map([[targetId, placement]]) },
    fullAt: new Map(isFull ? [[placement.jobGroup ?? '', nowMs]] : []),
  };
}

/** What the history will say of a tick that nobody takes now. */
export function reasonNow(facts: WhyFacts): string {
  const { nowMs, place, slots } = facts;
  const past = missedPast(facts);
  const sessions = past.sessions.map((session, index) => {
    const isLive = place.sessions[index]?.state === 'live';
    return isLive ? { ...session, fromMs: -Infinity, untilMs: Infinity } : session;
  });
  const nodeName = place.isEveryNode ? (slots[0]?.nodeName ?? '') : '';
  const missed = { nodeName, targetId: place.targetId, fromMs: nowMs, untilMs: nowMs };
  return whyMissed(missed, { ...past, sessions });
}

/** Whether there is no room under the limit of its group. */
export function isLimitReached({ limit, targetId }: WhyFacts['place']): boolean {
  if (limit === null) return false;
  const { group, held, launchesMax } = limit;
  const limited = [{ group, launchesMax, targetIds: [...new Set([targetId, ...held.keys()])] }];
  const ids = { anywhere: [targetId], pinned: [targetId], observed: [] };
  const takeable = { ...ids, isBeside: false, limited };
  return withoutFull(takeable, held).limited.length === 0;
}
