import assert from 'node:assert/strict';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { JobPolicies } from '../../../src/domain/job/jobPolicies.ts';
import { chooseInForceFrom, type JobChangeKind } from '../../../src/domain/policies/jobChange.ts';
import { decideSlotChanges } from '../../../src/domain/policies/jobSlotsChange.ts';
import { nextAttempt } from '../../../src/domain/policies/nextAttempt.ts';
import { busyTimes, claimForSlot, type SlotsPast } from '../../../src/domain/policies/slotsPast.ts';
import { startBefore } from '../../../src/domain/policies/startAt.ts';
import type { RunResult, Trigger } from '../../../src/domain/run/run.ts';
import type { TickRange, TickSource } from '../../../src/domain/run/tickSource.ts';

interface Revision {
  readonly periodMs: number;
  readonly isPaused: boolean;
  readonly fromMs: number;
  untilMs: number;
}

interface Pending {
  readonly trigger: Trigger;
  readonly scheduledForMs: number;
  readonly attempt: number;
  readonly notBeforeMs: number;
  /** By hand, and no tick. */
  readonly isAsked: boolean;
}

interface Slot {
  state: 'idle' | 'prepare' | 'executing';
  launch: (Pending & { readonly startAtMs: number }) | null;
  startedMs: number | null;
  lastStartedMs: number | null;
  endedMs: number | null;
}

/** One job, its slots side by side, moved the way that the store's transactions move them. */
export class PolicyWorld {
  nowMs = 100_000;
  cursorMs: number | null;
  pending: Pending[] = [];
  readonly slots: Slot[];
  readonly revisions: Revision[];
  readonly definition: JobDefinition;
  readonly ranges: TickRange[] = [];
  /** Every start, in order. */
  readonly starts: { trigger: Trigger; tickMs: number; attempt: number; atMs: number }[] = [];
  readonly #told: { fromMs: number; untilMs: number }[] = [];

  constructor(policies: JobPolicies, periodMs: number) {
    const { parallel = 1 } = policies;
    const schedule = '* * * * * *';
    this.definition = { ...jobDefaults, name: 'tested', schedule, command: 'true', ...policies };
    const untilMs = Number.POSITIVE_INFINITY;
    this.revisions = [{ periodMs, isPaused: false, fromMs: this.nowMs, untilMs }];
    this.cursorMs = ticksOf(this.inForce).next(this.nowMs - 1);
    this.slots = Array.from({ length: parallel }, () => ({
      state: 'idle',
      launch: null,
      startedMs: null,
      lastStartedMs: null,
      endedMs: null,
    }));
  }

  get inForce(): Revision {
    return this.revisions.at(-1) as Revision;
  }

  /** A claim of all that is due, by a node that looks so far ahead. */
  claim(aheadMs: number): void {
    const idle = this.slots.filter(({ state }) => state === 'idle');
    const { definition, nowMs } = this;
    const past = this.#past();
    for (const slot of idle) {
      const dueMs = Math.min(this.cursorMs ?? Infinity, this.#earliestMs());
      if (dueMs > nowMs + aheadMs) return;
      const ticks = ticksOf(this.inForce);
      const claim = claimForSlot(past, { definition, ticks, nowMs, aheadMs });
      if (claim === null) return;
      const { decision, late, startAtMs, taken } = claim;
      this.#pass(decision.ranges);
      this.cursorMs = decision.cursorMs;
      for (const each of late) this.#end(each);
      this.pending = this.pending.filter((each) => each !== taken && !late.includes(each));
      this.#queue(decision.queued);
      const { launch } = decision;
      if (launch === null) continue;
      slot.state = 'prepare';
      const notBeforeMs = taken?.notBeforeMs ?? startAtMs;
      const isAsked = taken?.isAsked ?? false;
      slot.launch = { ...launch, notBeforeMs, startAtMs, isAsked };
    }
  }

  /** The starts of what is prepared and due; what is too late ends without one. */
  start(): void {
    for (const slot of this.slots) {
      const { launch } = slot;
      if (slot.state !== 'prepare' || launch === null || launch.startAtMs > this.nowMs) continue;
      const startBeforeMs = startBefore(this.definition, launch, launch.startAtMs) ?? Infinity;
      if (this.nowMs > startBeforeMs) {
        this.#end(launch);
        this.#release(slot);
        continue;
      }
      assert.ok(launch.scheduledForMs <= this.nowMs, 'no tick starts early');
      const { trigger, attempt, scheduledForMs: tickMs } = launch;
      this.starts.push({ trigger, tickMs, attempt, atMs: this.nowMs });
      slot.state = 'executing';
      slot.startedMs = this.nowMs;
    }
  }

  /** The end of what executes in one slot. */
  finish(place: number, result: RunResult): void {
    const slot = this.slots[place % this.slots.length] as Slot;
    const { launch } = slot;
    if (slot.state !== 'executing' || launch === null) return;
    const { observed = false } = this.definition;
    const next =
      this.inForce.isPaused || observed
        ? null
        : nextAttempt(this.definition, result, launch.attempt, 0);
    if (next === null) this.#end(launch);
    else {
      const notBeforeMs = this.nowMs + next.delayMs;
      const { attempt } = next;
      this.pending.push({ ...launch, trigger: 'retry', attempt, notBeforeMs });
    }
    slot.lastStartedMs = slot.startedMs;
    slot.endedMs = this.nowMs;
    this.#release(slot);
  }

  /** A claim that came to nothing: prepared launches go back. */
  putBack(place: number): void {
    const slot = this.slots[place % this.slots.length] as Slot;
    if (slot.state === 'prepare') this.#putBack(slot);
  }

  change(kind: JobChangeKind, periodMs: number): void {
    const old = this.inForce;
    const isPaused = kind === 'edit' ? old.isPaused : kind !== 'resume';
    if (kind !== 'edit' && isPaused === old.isPaused) return;
    const waiting = this.#waiting();
    const slots = this.slots.map(({ state, endedMs, launch }) => {
      const { cursorMs } = this;
      const held = state === 'prepare' ? launch : null;
      return { nodeName: '', state, cursorMs, endedMs, waiting, launch: held };
    });
    const oldTicks = old.isPaused ? null : ticksOf(old);
    const fromMs = chooseInForceFrom(this.nowMs, old.fromMs, oldTicks, slots);
    old.untilMs = fromMs;
    const next = { periodMs, isPaused, fromMs, untilMs: Number.POSITIVE_INFINITY };
    const newTicks = isPaused ? null : ticksOf(next);
    const policies = this.definition;
    const { nowMs } = this;
    const change = { kind, nowMs, inForceFromMs: fromMs, oldTicks, newTicks, policies };
    const decided = decideSlotChanges(slots, change);
    this.revisions.push(next);
    for (const [place, each] of decided.entries()) {
      const slot = this.slots[place] as Slot;
      this.#pass(each.ranges);
      if (each.prepared === 'kept') this.#putBack(slot);
      if (each.prepared === 'skipped' && slot.launch !== null) this.#end(slot.launch);
      if (each.prepared === 'skipped' || each.prepared === 'dropped') this.#release(slot);
      this.cursorMs = each.cursorMs;
    }
    if (kind === 'pause') {
      for (const each of this.pending) this.#end(each);
      this.pending = [];
    }
    for (const each of decided) this.#queue(each.queued);
    this.nowMs = Math.max(this.nowMs, fromMs);
  }

  /** Each tick that the cursor has passed ended once, or has still to end (P19). */
  check(): void {
    const open = [...this.pending, ...this.slots.flatMap(({ launch }) => launch ?? [])];
    const told = [...this.#told, ...open.filter(isOfTick).map(spanOf)];
    const counts = new Map<number, number>();
    for (const revision of this.revisions) {
      if (revision.isPaused) continue;
      const ticks = ticksOf(revision);
      const endMs = Math.min(revision.untilMs, this.cursorMs ?? revision.untilMs);
      for (let tick = ticks.next(revision.fromMs - 1); tick !== null; tick = ticks.next(tick)) {
        if (tick >= endMs) break;
        counts.set(tick, 0);
      }
    }
    for (const { fromMs, untilMs } of told) {
      for (const tick of counts.keys()) {
        if (tick >= fromMs && tick <= untilMs) counts.set(tick, (counts.get(tick) ?? 0) + 1);
      }
    }
    // The cursor may stand on a kept tick of a revision that has ended: it is still to come.
    if (this.cursorMs !== null) counts.delete(this.cursorMs);
    const wrong = [...counts].filter(([, times]) => times !== 1);
    assert.deepEqual(wrong, [], 'ticks with the times that they are told');
  }

  #past(): SlotsPast<Pending> {
    const isParallel = this.slots.length > 1;
    const [only] = this.slots as [Slot];
    const siblings = this.slots.map((slot) => ({ ...slot, isIdle: slot.state === 'idle' }));
    const times = isParallel
      ? busyTimes(siblings)
      : { startedMs: only.lastStartedMs, endedMs: only.endedMs };
    const pending = [...this.pending].sort((one, other) => one.notBeforeMs - other.notBeforeMs);
    const waiting = this.#waiting();
    const first = pending.slice(0, this.slots.length);
    return { cursorMs: this.cursorMs, ...times, pending: first, waiting, isParallel };
  }

  #waiting(): number {
    return this.pending.filter(({ trigger }) => trigger === 'queue').length;
  }

  #earliestMs(): number {
    return Math.min(...this.pending.map(({ notBeforeMs }) => notBeforeMs));
  }

  #queue(ticks: readonly number[]): void {
    for (const tickMs of ticks) {
      const times = { scheduledForMs: tickMs, notBeforeMs: tickMs };
      this.pending.push({ trigger: 'queue', attempt: 1, ...times, isAsked: false });
    }
  }

  #putBack(slot: Slot): void {
    const launch = slot.launch as Pending;
    const isTick = launch.trigger === 'schedule' || launch.trigger === 'misfire';
    if (isTick && this.slots.length === 1) this.cursorMs = launch.scheduledForMs;
    else this.pending.push({ ...launch, trigger: isTick ? 'queue' : launch.trigger });
    this.#release(slot);
  }

  #release(slot: Slot): void {
    slot.state = 'idle';
    slot.launch = null;
    slot.startedMs = null;
  }

  #end(launch: Pending): void {
    if (isOfTick(launch)) this.#told.push(spanOf(launch));
  }

  #pass(ranges: readonly TickRange[]): void {
    for (const range of ranges) {
      assert.ok(range.ticks >= 1 && range.untilMs >= range.fromMs, JSON.stringify(range));
      this.#told.push(range);
      this.ranges.push(range);
    }
  }
}

function isOfTick({ isAsked }: Pending): boolean {
  return !isAsked;
}

function spanOf({ scheduledForMs }: Pending) {
  return { fromMs: scheduledForMs, untilMs: scheduledForMs };
}

/** A tick at each whole multiple of the period, from the revision's beginning on. */
export function ticksOf({ periodMs, fromMs }: Pick<Revision, 'periodMs' | 'fromMs'>): TickSource {
  const floor = (atMs: number) => Math.floor(atMs / periodMs) * periodMs;
  return {
    next: (afterMs) => floor(Math.max(afterMs, fromMs - 1)) + periodMs,
    lastAtOrBefore: (atMs) => (floor(atMs) >= fromMs ? floor(atMs) : null),
    count: (first, last) => {
      const least = Math.ceil(Math.max(first, fromMs) / periodMs);
      return Math.max(0, Math.floor(last / periodMs) - least + 1);
    },
  };
}
