import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createActor, fromPromise } from 'xstate';
import type { Launch } from '../../src/domain/run/launch.ts';
import type { Execution } from '../../src/domain/run/run.ts';
import { type SlotEvent, slotMachine } from '../../statecharts/slot.ts';

/** A slot's actor whose tick has come, with a note of what it requests and runs. */
function startSlot(t: { after(cleanUp: () => void): void }) {
  const sent: string[] = [];
  const note = (what: string) => () => void sent.push(what);
  const machine = slotMachine.provide({
    actors: {
      runCommand: fromPromise<Execution, Launch>(() => {
        sent.push('run');
        return new Promise(() => undefined);
      }),
    },
    actions: {
      requestPermit: note('permit'),
      returnPermit: note('permit back'),
      requestStart: note('start'),
      requestFinish: note('finish'),
      requestReset: note('reset'),
      stopCommand: note('stop'),
      watchNextTick: () => undefined,
      reportFailure: note('failure'),
      reportFreed: note('freed'),
    },
    guards: { tickHasCome: () => true },
    delays: { untilTick: 0, earlyPause: 60_000, retryPause: 60_000 },
  });
  const actor = createActor(machine, { input: { launch: {} as Launch } });
  const queueing = new Promise<void>((resolve) => {
    actor.subscribe((snapshot) => {
      if (snapshot.matches({ prepare: 'queueing' })) resolve();
    });
  });
  actor.start();
  t.after(() => actor.stop());
  return { actor, sent, queueing };
}

const answers: Record<SlotEvent['type'] & `start.${string}`, SlotEvent> = {
  'start.committed': { type: 'start.committed' },
  'start.early': { type: 'start.early' },
  'start.refused': { type: 'start.refused', reason: 'it was taken back' },
  'start.unknown': { type: 'start.unknown' },
};

for (const [word, answer] of Object.entries(answers)) {
  const runs = word === 'start.committed';
  const what = runs ? 'its command' : 'nothing';
  test(`a slot runs ${what} after ${word}, nothing before`, async (t) => {
    const { actor, sent, queueing } = startSlot(t);
    await queueing;
    actor.send({ type: 'permit.granted' });
    assert.deepEqual(sent, ['permit', 'start'], 'the start is requested, and nothing runs');
    actor.send({ type: 'slot.drop' });
    actor.send({ type: 'run.stop', why: 'operator' });
    assert.deepEqual(sent, ['permit', 'start'], 'a start that is under way is waited for');
    actor.send(answer);
    assert.equal(sent.includes('run'), runs);
    assert.equal(sent.includes('permit back'), !runs);
  });
}
