import type { LookResult, SchedulerContext } from '../../statecharts/scheduler.ts';
import type { ClaimRequest } from '../domain/commit/batch.ts';
import type { Horizon } from '../domain/commit/nodeStore.ts';
import type { Launch } from '../domain/run/launch.ts';
import { wholeLine } from '../domain/run/share.ts';
import { chooseStripes } from '../domain/targeting/chooseStripes.ts';
import { isForOneNode } from '../domain/targeting/mayTake.ts';
import { placesLeft, type Room, roomAhead } from '../domain/targeting/placesLeft.ts';
import type { Runtime } from './runtime/runtime.ts';

/**
 * How far ahead slots of any stripe are claimed, so that a full or dead owner delays nothing. Only
 * by the look of the period: one right after a finish would leave an owner no time, and the first
 * node that ran a job of every second would keep it (measured: 600 of 600 runs of two nodes).
 */
const aheadAnywhereMs = 3_000;
/** The period of the looks, with jitter, so that no node is always the one that looks first. */
const lookPeriodMs = 1_000;
/** Of nodes that are no housekeepers: there are so many that some node looks at any time. */
const othersLookPeriodMs = 1_250;
const lookJitterMs = 500;
/** One claim at most: about 25 ms of the event loop for deciding and as much for the new actors. */
const claimSlotsMax = 500;
/** So many are looked at, that nodes with a few places do not all go for the same stripes. */
const lookSlotsMin = 16;
/** How soon stripes that were busy are requested again: what waits behind them is late already. */
const busyPauseMs = 200;
/** After a slot was freed others will be soon: one look, and one claim, serve them all. */
const wakePauseMs = 20;
const wakePauseMsMax = 120;
/** Of the time that is left until the freed slot's next tick a look may wait for so much. */
const wakePauseShare = 1 / 8;
/** A tick nearer than this may not wait for the next look of the period. */
const nearMs = 1_500;

/** What the scheduler knows when a look begins; one between two of the period puts off neither. */
export function planLook(runtime: Runtime, context: SchedulerContext): Partial<SchedulerContext> {
  const { monotonicNowMs, random } = runtime;
  const nowMs = monotonicNowMs();
  const isOfPeriod = nowMs >= context.nextLookMs;
  const periodMs = runtime.housekeeping.isOwn ? lookPeriodMs : othersLookPeriodMs;
  return {
    room: roomLeft(runtime),
    looksAnywhere: isOfPeriod || context.leftSome,
    leftSome: false,
    wakeMs: null,
    ...(isOfPeriod ? { nextLookMs: nowMs + periodMs + (random() - 0.5) * lookJitterMs } : {}),
  };
}

/**
 * What was claimed in the belief that it could start, and has waited for a permit since for as long
 * as a claim looks ahead for others: when runs last longer than those before, one node would keep
 * what others have room for. A node that is alone has nobody to leave it to, nor is there anybody
 * for a job of this node only.
 */
export function surplusOf({ roster }: Runtime, { share }: SchedulerContext) {
  if (share.from === wholeLine.from && share.until === wholeLine.until) return [];
  return roster.queueingFor(aheadAnywhereMs).filter(({ launch }) => {
    const { definition, slotNodeName } = launch;
    return slotNodeName === '' && !isForOneNode(definition.target ?? {});
  });
}

/** The unlocked look, bounded by the capacity that is free. */
export async function peekDue(runtime: Runtime, context: SchedulerContext): Promise<LookResult> {
  const { busyStripes, room } = context;
  const slotsMax = room.places;
  if (slotsMax <= 0) return { stripes: [], slots: 0, isFull: true };
  const horizon = { ...horizonOf(runtime, context), busyStripes };
  const look = await runtime.store.peekDue(horizon, Math.max(slotsMax, lookSlotsMin));
  // One that is held may have more due than fits, and would hide all others: it is not looked at,
  // but claimed from as soon as it is free.
  const stripes = [...new Set([...look.stripes, ...busyStripes])];
  return { stripes, slots: look.slots, isFull: look.slots >= slotsMax };
}

export function claimRequest(runtime: Runtime, context: SchedulerContext): ClaimRequest {
  const slotsMax = Math.min(context.room.places, claimSlotsMax);
  const { isFull, stripes } = context.look;
  const dueStripes = isFull ? chooseStripes(stripes, context.share, runtime.random) : stripes;
  return { kind: 'claim', ...horizonOf(runtime, context), dueStripes, slotsMax };
}

/** How long the scheduler may rest, from now. */
export function restMs({ monotonicNowMs }: Runtime, context: SchedulerContext): number {
  const periodMs = Math.max(0, context.nextLookMs - monotonicNowMs());
  return context.busyStripes.length > 0 ? Math.min(busyPauseMs, periodMs) : periodMs;
}

/** The place that a launch leaves, or its next tick, cannot wait for the look of the period. */
export function cannotWait(runtime: Runtime, { look }: SchedulerContext, launch: Launch): boolean {
  return look.isFull || untilNextTickMs(runtime, launch) < nearMs;
}

/** When the next look is wanted at the latest, after a launch was freed or something became due. */
export function planWake(
  runtime: Runtime,
  { look, wakeMs }: SchedulerContext,
  freed: Launch | null,
): number {
  const leftMs = freed === null || look.isFull ? 0 : untilNextTickMs(runtime, freed);
  const pauseMs = Math.max(wakePauseMs, Math.min(leftMs * wakePauseShare, wakePauseMsMax));
  return Math.min(wakeMs ?? Number.POSITIVE_INFINITY, runtime.monotonicNowMs() + pauseMs);
}

/** When the look comes that it was woken for: not after anybody wants it. */
export function planWokenLook(
  { monotonicNowMs }: Runtime,
  { leftSome, wakeMs }: SchedulerContext,
): number {
  const soonMs = monotonicNowMs() + wakePauseMs;
  return leftSome ? Math.min(soonMs, wakeMs ?? soonMs) : (wakeMs ?? soonMs);
}

/** What more may be held: as many as capacity has places for, and as can start in time. */
export function roomLeft({ clock, roster, settings }: Runtime): Room {
  const { capacity, horizonMs } = settings;
  const room = roomAhead(roster.work(clock.nowMs()), aheadAnywhereMs, horizonMs);
  return { ...room, places: Math.min(placesLeft(capacity, roster.size), room.places) };
}

function untilNextTickMs({ clock }: Runtime, { cursorMs }: Launch): number {
  return cursorMs === null ? Number.POSITIVE_INFINITY : cursorMs - clock.nowMs();
}

function horizonOf({ introduction }: Runtime, context: SchedulerContext): Horizon {
  const { looksAnywhere, room } = context;
  const looksForOthers = looksAnywhere && room.isForOthers;
  return {
    nodeName: introduction.nodeName,
    share: context.share,
    aheadMs: room.aheadMs,
    aheadAnywhereMs: looksForOthers ? Math.min(aheadAnywhereMs, room.aheadMs) : 0,
  };
}
