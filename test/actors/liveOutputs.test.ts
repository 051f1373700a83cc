import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followedMax, LiveOutputs } from '../../src/actors/runtime/liveOutputs.ts';
import type { LiveOutput } from '../../src/domain/commit/historyKeep.ts';

/** The class on a clock that is moved by hand, and what it wrote. */
function makeWorld(outputs: Map<string, string>) {
  const timers = new Set<() => void>();
  const written: string[][] = [];
  const troubles: string[] = [];
  const peeks: number[] = [];
  let isBroken = false;
  const live = new LiveOutputs({
    store: {
      writeLive: async (live) => {
        if (isBroken) throw new Error('the database is away');
        written.push(live.map(({ output }) => Buffer.from(output).toString()));
      },
    },
    actorClock: {
      setTimeout: (fire) => {
        timers.add(fire);
        return fire;
      },
      clearTimeout: (fire) => void timers.delete(fire as () => void),
    },
    executor: {
      peek: async (launchId, bytesMax): Promise<LiveOutput | null> => {
        peeks.push(bytesMax);
        const text = outputs.get(launchId);
        if (text === undefined) return null;
        return { launchId, output: Buffer.from(text), outputBytes: text.length };
      },
    },
    reports: { trouble: (what) => troubles.push(what) },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ live, written, troubles, peeks, timers, settle },
    breakStore: (broken: boolean) => {
      isBroken = broken;
    },
    second: async () => {
      const due = [...timers];
      timers.clear();
      for (const fire of due) fire();
      await settle();
    },
  };
}

test('nothing is asked or written while nobody follows', async () => {
  const { live, peeks, written, timers, settle } = makeWorld(new Map([['s:1', 'a']]));
  live.follow([]);
  await settle();
  assert.deepEqual([peeks.length, written.length, timers.size], [0, 0, 0]);
});

test('what is followed is told at once, then each second when it has grown', async () => {
  const outputs = new Map([['s:1', '']]);
  const { live, written, settle, second } = makeWorld(outputs);
  live.follow(['s:1']);
  await settle();
  await second();
  outputs.set('s:1', 'ab');
  await second();
  await second();
  assert.deepEqual(written, [[''], ['ab']], 'that there is nothing is told, once');
});

test('it ends when nobody follows any more, and begins anew from the beginning', async () => {
  const { live, written, timers, settle, second } = makeWorld(new Map([['s:1', 'a']]));
  live.follow(['s:1']);
  await settle();
  live.follow([]);
  await second();
  assert.equal(timers.size, 0);
  live.follow(['s:1']);
  await settle();
  assert.deepEqual(written, [['a'], ['a']]);
  assert.equal(timers.size, 1);
  live.follow(['s:1']);
  await settle();
  assert.equal(timers.size, 1, 'one timer, however often it is said');
});

test('a run that is not here is left out, and only so many are told of', async () => {
  const ids = Array.from({ length: 2 * followedMax }, (_, at) => `s:${at}`);
  const { live, written, peeks, settle } = makeWorld(new Map(ids.slice(1).map((id) => [id, 'x'])));
  live.follow(ids);
  await settle();
  assert.equal(peeks.length, followedMax);
  assert.ok(peeks.every((bytesMax) => bytesMax <= 64 * 1024));
  assert.equal(written[0]?.length, followedMax - 1);
});

test('a database that is away is told as trouble, and the same output is told later', async () => {
  const { live, written, troubles, breakStore, settle, second } = makeWorld(
    new Map([['s:1', 'a']]),
  );
  breakStore(true);
  live.follow(['s:1']);
  await settle();
  assert.equal(troubles.length, 1);
  breakStore(false);
  await second();
  assert.deepEqual(written, [['a']]);
});
