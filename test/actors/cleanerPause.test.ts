import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActor, waitFor } from 'xstate';
import { providePollers } from '../../src/actors/pollerActor.ts';
import { ActivityCounts } from '../../src/actors/runtime/activityCounts.ts';
import type { Runtime } from '../../src/actors/runtime/runtime.ts';
import type { CleaningStep } from '../../src/domain/commit/historyKeep.ts';

/** What the cleaner has to do in each of its steps; rejects when it is a word. */
function startCleaner(steps: readonly (CleaningStep | string)[]) {
  const delays: number[] = [];
  const due: (() => void)[] = [];
  let asked = 0;
  const runtime = {
    activity: new ActivityCounts(),
    housekeeping: { isOwn: true },
    random: () => 0.5,
    reports: { trouble: () => undefined },
    settings: {},
    store: {
      cleanHistory: async () => {
        const step = steps[asked++];
        if (typeof step !== 'object') throw new Error(step ?? 'no more steps');
        return step;
      },
    },
  } as unknown as Runtime;
  const clock = {
    setTimeout: (fn: () => void, delayMs: number) => {
      delays.push(delayMs);
      return due.push(fn);
    },
    clearTimeout: () => undefined,
  };
  const actor = createActor(providePollers(runtime).cleaner, { input: { duty: '' }, clock });
  actor.start();
  /** Lets the last delay pass; resolves when the step behind it is over. */
  const next = async () => {
    due.at(-1)?.();
    await waitFor(actor, (snapshot) => !snapshot.matches('working'));
    return delays.at(-1);
  };
  return { next, first: delays[0] };
}

test('the cleaner pauses as long as its step took, and a period when nothing is left', async () => {
  const more = (tookMs: number) => ({ isMore: true, rows: 1, tookMs, isBehind: false });
  const behind = (tookMs: number) => ({ ...more(tookMs), isBehind: true });
  const steps = [
    behind(900),
    behind(10),
    more(900),
    more(10),
    'no database',
    more(450),
    { ...more(700), isMore: false },
  ];
  const cleaner = startCleaner(steps);
  const period = cleaner.first;
  assert.equal(period, 5_000);
  assert.equal(await cleaner.next(), 225, 'more is to be done than it comes to');
  assert.equal(await cleaner.next(), 50);
  assert.equal(await cleaner.next(), 900);
  assert.equal(await cleaner.next(), 200, 'not less');
  assert.equal(await cleaner.next(), period, 'after a failure');
  assert.equal(await cleaner.next(), 450);
  assert.equal(await cleaner.next(), period);
});
