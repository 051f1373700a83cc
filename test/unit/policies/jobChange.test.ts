import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideClaim } from '../../../src/domain/policies/claimDecision.ts';
import {
  chooseInForceFrom,
  decideSlotChange,
  type JobChangeKind,
} from '../../../src/domain/policies/jobChange.ts';
import type { SlotState } from '../../../src/domain/run/arrows.ts';
import type { Trigger } from '../../../src/domain/run/run.ts';
import type { TickRange, TickSource } from '../../../src/domain/run/tickSource.ts';

interface Revision {
  period: number;
  phase: number;
  isPaused: boolean;
  fromMs: number;
  untilMs: number;
}

/**
 * A schedule whose ticks can be counted by hand: phase, phase + period, … from its beginning on.
 */
function ticksOf({ period, phase, fromMs }: Revision): TickSource {
  const atOrAfter = (atMs: number) => {
    const least = Math.max(Math.ceil(atMs), fromMs);
    return least + ((((phase - least) % period) + period) % period);
  };
  return {
    next: (afterMs) => atOrAfter(afterMs + 1),
    lastAtOrBefore: (atMs) => {
      const tickMs = atMs - ((((atMs - phase) % period) + period) % period);
      return tickMs >= fromMs ? tickMs : null;
    },
    count: (fromTick, untilTick) => {
      let ticks = 0;
      for (let tick = atOrAfter(fromTick); tick <= untilTick; tick += period) ticks += 1;
      return ticks;
    },
  };
}

/** One job with one slot, moved the way that the store's transactions move it. */
class World {
  nowMs = 1_000;
  revisions: Revision[];
  state: SlotState = 'idle';
  cursorMs: number | null;
  endedMs: number | null = null;
  launch: { trigger: Trigger; scheduledForMs: number; revision: Revision } | null = null;
  pending: number[] = [];
  /** How often each tick has its last history row. */
  accounted = new Map<number, number>();
  requests = { asked: 0, answered: 0 };
  ranges: TickRange[] = [];

  constructor(period: number, phase: number) {
    this.revisions = [
      { period, phase, isPaused: false, fromMs: this.nowMs, untilMs: Number.POSITIVE_INFINITY },
    ];
    this.cursorMs = ticksOf(this.inForce).next(this.nowMs - 1);
  }

  get inForce(): Revision {
    return this.revisions.at(-1) as Revision;
  }

  claim(aheadMs: number): void {
    if (this.state !== 'idle') return;
    const notBeforeMs = this.pending[0];
    const dueMs = Math.min(this.cursorMs ?? Infinity, notBeforeMs ?? Infinity);
    if (dueMs > this.nowMs + aheadMs) return;
    const pending =
      notBeforeMs === undefined
        ? null
        : { trigger: 'manual' as const, scheduledForMs: notBeforeMs, attempt: 1, notBeforeMs };
    const { cursorMs, endedMs } = this;
    const slot = { cursorMs, endedMs, pending };
    const decision = decideClaim(slot, ticksOf(this.inForce), this.nowMs);
    this.cursorMs = decision.cursorMs;
    this.ranges.push(...decision.ranges);
    if (decision.launch === null) return;
    if (decision.launch.fromPending) this.pending.shift();
    const { trigger, scheduledForMs } = decision.launch;
    this.launch = { trigger, scheduledForMs, revision: this.inForce };
    this.state = 'prepare';
  }

  start(): void {
    if (this.state !== 'prepare' || (this.launch?.scheduledForMs ?? 0) > this.nowMs) return;
    this.state = 'executing';
  }

  finish(): void {
    if (this.state !== 'executing') return;
    this.record();
    this.endedMs = this.nowMs;
  }

  /**
   * The compensator's: a prepared tick goes back, an executing one only when nothing was edited.
   */
  reset(): void {
    if (this.launch === null) return;
    if (this.state === 'executing' && this.launch.revision !== this.inForce) this.finish();
    else this.putBack();
  }

  /** An operator's stop of a prepared launch. */
  stop(): void {
    if (this.state === 'prepare') this.record();
  }

  change(kind: JobChangeKind, period: number, phase: number): void {
    const old = this.inForce;
    const isPaused = kind === 'edit' ? old.isPaused : kind !== 'resume';
    if (kind !== 'edit' && kind !== 'remove' && isPaused === old.isPaused) return;
    const slot = {
      state: this.state,
      cursorMs: this.cursorMs,
      endedMs: this.endedMs,
      launch: this.state === 'prepare' ? this.launch : null,
    };
    const oldTicks = old.isPaused ? null : ticksOf(old);
    const fromMs = chooseInForceFrom(this.nowMs, old.fromMs, oldTicks, [slot]);
    old.untilMs = fromMs;
    const next = { period, phase, isPaused, fromMs, untilMs: Number.POSITIVE_INFINITY };
    const change = decideSlotChange(slot, {
      kind,
      inForceFromMs: fromMs,
      oldTicks,
      newTicks: isPaused ? null : ticksOf(next),
    });
    this.revisions.push(next);
    this.ranges.push(...change.ranges);
    if (change.prepared === 'kept') this.putBack();
    if (change.prepared === 'skipped') this.record();
    if (change.prepared === 'dropped') this.release();
    if (kind === 'pause' || kind === 'remove') {
      this.requests.answered += this.pending.length;
      this.pending = [];
    }
    this.cursorMs = change.cursorMs;
  }

  private record(): void {
    const { trigger, scheduledForMs } = this.launch ?? assert.fail('nothing was launched');
    if (trigger === 'manual') this.requests.answered += 1;
    else this.accounted.set(scheduledForMs, (this.accounted.get(scheduledForMs) ?? 0) + 1);
    this.release();
  }

  private putBack(): void {
    const { trigger, scheduledForMs } = this.launch ?? assert.fail('nothing was launched');
    if (trigger === 'manual') this.pending.unshift(scheduledForMs);
    else this.cursorMs = scheduledForMs;
    this.release();
  }

  private release(): void {
    this.launch = null;
    this.state = 'idle';
  }

  /** Every tick of every revision while it was in force, found by walking through all of time. */
  ticksInForce(): number[] {
    return this.revisions.flatMap((revision) => {
      if (revision.isPaused) return []; // the last one is: a removal
      const ticks: number[] = [];
      for (let ms = revision.fromMs; ms < revision.untilMs; ms += 1) {
        if ((ms - revision.phase) % revision.period === 0) ticks.push(ms);
      }
      return ticks;
    });
  }

  check(): void {
    const ticks = this.ticksInForce();
    for (const { fromMs, untilMs, ticks: counted } of this.ranges) {
      const inside = ticks.filter((tick) => tick >= fromMs && tick <= untilMs);
      assert.equal(counted, inside.length, `the range ${fromMs}–${untilMs} counts its ticks`);
      for (const tick of inside) this.accounted.set(tick, (this.accounted.get(tick) ?? 0) + 1);
    }
    for (const tick of ticks) assert.equal(this.accounted.get(tick), 1, `the tick ${tick}`);
    assert.deepEqual(
      [...this.accounted.keys()].sort(),
      [...ticks].sort(),
      'no other tick has a row',
    );
    for (const { fromMs, untilMs } of this.revisions) assert.ok(fromMs < untilMs, 'in force');
    assert.equal(this.requests.answered, this.requests.asked, 'every request has its row');
  }
}

const step = fc.record({
  act: fc.constantFrom(
    ...([
      'claim',
      'claim',
      'claim',
      'start',
      'start',
      'finish',
      'finish',
      'reset',
      'stop',
    ] as const),
    ...(['run', 'edit', 'edit', 'pause', 'resume', 'resume', 'none'] as const),
  ),
  /** Below zero: the database's clock is stepped back. */
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 }), fc.constant(-15)),
  aheadMs: fc.constantFrom(0, 30),
  period: fc.integer({ min: 1, max: 25 }),
  phase: fc.integer({ min: 0, max: 24 }),
});

test('every tick of every revision is accounted for exactly once, whatever changes when', () => {
  const cases = fc.tuple(
    fc.integer({ min: 1, max: 25 }),
    fc.array(step, { maxLength: 50, size: 'max' }),
  );
  const property = fc.property(cases, ([firstPeriod, steps]) => {
    const world = new World(firstPeriod, 0);
    for (const { act, waitMs, aheadMs, period, phase } of steps) {
      world.nowMs += waitMs;
      if (act === 'claim') world.claim(aheadMs);
      else if (act === 'run') {
        world.requests.asked += 1;
        world.pending.push(world.nowMs);
      } else if (act === 'edit' || act === 'pause' || act === 'resume') {
        world.change(act, period, phase);
      } else if (act !== 'none') world[act]();
    }
    // A removal in the same millisecond as a change is in force from the next one on.
    world.change('remove', 1, 0);
    world.nowMs = Math.max(world.nowMs, world.inForce.fromMs);
    world.finish();
    assert.equal(world.state, 'idle');
    assert.equal(world.cursorMs, null);
    world.check();
  });
  fc.assert(property, { numRuns: 3_000 });
});

const everyTen: Revision = { period: 10, phase: 0, isPaused: false, fromMs: 0, untilMs: 95 };
const change = (kind: JobChangeKind, cursorMs: number, launchMs: number | null) =>
  decideSlotChange(
    {
      state: launchMs === null ? 'idle' : 'prepare',
      cursorMs,
      endedMs: null,
      launch: launchMs === null ? null : { trigger: 'schedule', scheduledForMs: launchMs },
    },
    {
      kind,
      inForceFromMs: 95,
      oldTicks: ticksOf(everyTen),
      newTicks: kind === 'edit' ? ticksOf({ ...everyTen, phase: 5, fromMs: 95 }) : null,
    },
  );

test('an edit keeps the last tick that nobody claimed and misses those before it', () => {
  const { cursorMs, ranges } = change('edit', 60, null);
  assert.equal(cursorMs, 90);
  assert.deepEqual(
    ranges.map(({ result, fromMs, untilMs, ticks }) => [result, fromMs, untilMs, ticks]),
    [['missed', 60, 80, 3]],
  );
});

test('a tick that waits its turn goes on waiting under an edit, and is no cursor', () => {
  const slot = { state: 'idle', cursorMs: 60, endedMs: 95, launch: null } as const;
  const decided = decideSlotChange(slot, {
    kind: 'edit',
    inForceFromMs: 95,
    oldTicks: ticksOf(everyTen),
    newTicks: ticksOf({ ...everyTen, phase: 5, fromMs: 95 }),
    policies: { overlap: 'queue' },
  });
  assert.deepEqual([decided.cursorMs, decided.queued], [95, [60]]);
  assert.deepEqual(
    decided.ranges.map(({ result, fromMs, untilMs }) => [result, fromMs, untilMs]),
    [['skipped', 70, 90]],
  );
});

test('the tick at the very instant of an edit belongs to the new revision', () => {
  assert.deepEqual(change('edit', 100, null), {
    prepared: 'none',
    cursorMs: 95,
    ranges: [],
    queued: [],
  });
});

test('a prepared launch whose tick the old revision never came to is dropped without a row', () => {
  assert.deepEqual(change('edit', 110, 100), {
    prepared: 'dropped',
    cursorMs: 95,
    ranges: [],
    queued: [],
  });
  assert.deepEqual(change('pause', 110, 100), {
    prepared: 'dropped',
    cursorMs: null,
    ranges: [],
    queued: [],
  });
});

test('a prepared launch that was due is kept by an edit and skipped by a pause', () => {
  assert.deepEqual(change('edit', 100, 90), {
    prepared: 'kept',
    cursorMs: 90,
    ranges: [],
    queued: [],
  });
  assert.deepEqual(change('pause', 100, 90), {
    prepared: 'skipped',
    cursorMs: null,
    ranges: [],
    queued: [],
  });
});
