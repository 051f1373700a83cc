import { type AnyActorRef, createActor } from 'xstate';
import type { ClaimRequest } from '../domain/batch.ts';
import type { DueLook } from '../domain/heldSlot.ts';
import type { Launch } from '../domain/launch.ts';
import type { Horizon } from '../domain/nodeStore.ts';
import type { Runtime } from './runtime.ts';
import { provideSlot } from './slotActor.ts';

/**
 * How far ahead slots of any stripe are claimed: a full or dead owner delays nothing. Only by the
 * look of the period: one that follows a finish at once would leave an owner no time, and the first
 * node that ran a job of every second would keep it for ever (measured: 600 of 600 runs of two
 * nodes).
 */
const aheadAnywhereMs = 3_000;
/** The period of the looks, with jitter, so that no node is always the one that looks first. */
const lookPeriodMs = 1_000;
const lookJitterMs = 500;
/** One claim at most: about 25 ms of the event loop for deciding and as much for the new actors. */
const claimSlotsMax = 500;
/** How soon stripes that were busy are asked for again: what waits behind them is late already. */
const busyPauseMs = 200;
/** After a slot was freed others will be soon: one look, and one claim, serve them all. */
const wakePauseMs = 20;
const wakePauseMsMax = 120;
/** Of the time that is left until the freed slot's next tick a look may wait for so much. */
const wakePauseShare = 1 / 8;
/** A tick nearer than this may not wait for the next look of the period. */
const nearMs = 1_500;

/** What the scheduler remembers between two messages, and what it does with the roster. */
export class SchedulerPlan {
  /** Own stripes, on which it looks far ahead. */
  stripes: readonly number[] = [];
  look: DueLook = { stripes: [], slots: 0 };
  /** Somebody asked for a look while one was under way. */
  wakeNoted = false;
  claimIsAsked = false;
  /** Stripes that the last claim could not get. */
  busyStripes: readonly number[] = [];
  /** The drain timeout is over: whatever executes is stopped. */
  #stopIsAsked = false;
  /** The last look saw as much as capacity allowed: what is freed has work waiting. */
  #wasFull = false;
  #leftSome = false;
  #looksAnywhere = true;
  #nextLookMs = 0;
  /** When those who woke it want the next look, at the latest. */
  #wakeAtMs = Number.POSITIVE_INFINITY;
  /** When the look comes that it waits for. */
  #wokenAtMs = 0;
  readonly #runtime: Runtime;
  readonly #slotLogic: ReturnType<typeof provideSlot>;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#slotLogic = provideSlot(runtime);
  }

  /** The unlocked look, bounded by the capacity that is free. */
  async peek(): Promise<DueLook> {
    this.wakeNoted = false;
    this.#wakeAtMs = Number.POSITIVE_INFINITY;
    this.#looksAnywhere = this.untilNextLookMs === 0 || this.#leftSome;
    this.#leftSome = false;
    if (this.untilNextLookMs === 0) {
      const { monotonicNowMs, random } = this.#runtime;
      this.#nextLookMs = monotonicNowMs() + lookPeriodMs + (random() - 0.5) * lookJitterMs;
    }
    const slotsMax = this.#freePlaces();
    if (slotsMax <= 0) {
      this.#wasFull = true;
      return { stripes: [], slots: 0 };
    }
    const { busyStripes } = this;
    const look = await this.#runtime.store.peekDue({ ...this.#horizon(), busyStripes }, slotsMax);
    this.#wasFull = look.slots >= slotsMax;
    // One that is held may have more due than fits, and would hide all others: it is not looked at,
    // but claimed from as soon as it is free.
    return { stripes: [...new Set([...look.stripes, ...busyStripes])], slots: look.slots };
  }

  /** Until the look of the period, which looks between do not put off. */
  get untilNextLookMs(): number {
    return Math.max(0, this.#nextLookMs - this.#runtime.monotonicNowMs());
  }

  /** How long it may rest. */
  get restMs(): number {
    const periodMs = this.untilNextLookMs;
    return this.busyStripes.length > 0 ? Math.min(busyPauseMs, periodMs) : periodMs;
  }

  /** How long a look that was woken waits for more slots to be freed, from now. */
  pauseAfterWake(): number {
    const nowMs = this.#runtime.monotonicNowMs();
    const isAsked = Number.isFinite(this.#wakeAtMs) && !this.#leftSome;
    this.#wokenAtMs = isAsked ? Math.max(nowMs, this.#wakeAtMs) : nowMs + wakePauseMs;
    return this.#wokenAtMs - nowMs;
  }

  /** Somebody wants the look sooner than it would come. */
  get wakeIsSooner(): boolean {
    return this.#wakeAtMs < this.#wokenAtMs;
  }

  claimRequest(): ClaimRequest {
    const slotsMax = Math.min(this.#freePlaces(), claimSlotsMax);
    return { kind: 'claim', ...this.#horizon(), dueStripes: this.look.stripes, slotsMax };
  }

  /**
   * Gives each launch its actor. They are children of the scheduler in the actor system, but not in
   * its snapshot: xstate copies the map of children for every spawn, which is quadratic in 10,000.
   */
  adopt(parent: AnyActorRef, launches: readonly Launch[]): void {
    this.#leftSome = this.leavesSome(launches);
    for (const launch of launches) {
      const id = launch.launchId;
      const actor = createActor(this.#slotLogic, { id, parent, input: { launch } });
      this.#runtime.roster.add(launch, actor);
      actor.start();
    }
  }

  /** Lets go of a launch; true when the place that it leaves, or its next tick, cannot wait. */
  forget({ launchId, cursorMs }: Launch): boolean {
    this.#runtime.roster.remove(launchId);
    const { clock, monotonicNowMs } = this.#runtime;
    const leftMs = cursorMs === null ? Number.POSITIVE_INFINITY : cursorMs - clock.nowMs();
    if (leftMs >= nearMs && !this.#wasFull) return false;
    const pauseMs = this.#wasFull ? 0 : Math.min(leftMs * wakePauseShare, wakePauseMsMax);
    const wakeAtMs = monotonicNowMs() + Math.max(pauseMs, wakePauseMs);
    this.#wakeAtMs = Math.min(this.#wakeAtMs, wakeAtMs);
    return true;
  }

  /** A claim took some of what the look saw, but not all: there is more to take at once. */
  leavesSome(launches: readonly Launch[]): boolean {
    return launches.length > 0 && launches.length < this.look.slots;
  }

  /** While it drains: prepared launches go back; after a stop was asked for, runs are stopped. */
  release(): void {
    for (const { actor } of this.#runtime.roster.members()) {
      actor.send({ type: 'slot.release' });
      // A start that was under way when the stop was asked for has become a run since.
      if (this.#stopIsAsked) actor.send({ type: 'run.stop' });
    }
  }

  stopRuns(): void {
    this.#stopIsAsked = true;
    this.release();
  }

  get holdsNothing(): boolean {
    return this.#runtime.roster.size === 0 && !this.claimIsAsked;
  }

  #freePlaces(): number {
    return this.#runtime.settings.capacity - this.#runtime.roster.size;
  }

  #horizon(): Horizon {
    const { horizonMs } = this.#runtime.settings;
    return {
      nodeName: this.#runtime.introduction.nodeName,
      stripes: this.stripes,
      aheadMs: horizonMs,
      aheadAnywhereMs: this.#looksAnywhere ? Math.min(aheadAnywhereMs, horizonMs) : 0,
    };
  }
}
