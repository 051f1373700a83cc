import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRecord } from '../checkers/history.ts';
import { dealFaults } from './dealFaults.ts';
import { FaultTable } from './faultTable.ts';
import { bootNowMs } from './world/bootNow.ts';
import type { FaultNode } from './world/faultNode.ts';
import type { FaultKind, FaultWorld, Taken } from './world/faultWorld.ts';
import { seededRandom } from './world/random.ts';

/** Three nodes that are always live, as far as anybody can see. */
function calmWorld(): FaultWorld {
  const nodes = ['n1', 'n2', 'n3'].map((name, index) => ({ name, nodePid: 100 + index }));
  const live = new Map(
    nodes.map(({ name, nodePid }) => [name, { sessionId: name, processId: nodePid, sinceMs: 0 }]),
  );
  return { nodes: nodes as unknown as FaultNode[], clock: { live } } as unknown as FaultWorld;
}

function kindOf(takes: Taken, meet: (node: string, isOn: boolean) => void): FaultKind {
  return {
    kind: `takes ${takes}`,
    takes,
    stops: takes === 'node' ? 'node' : 'everything',
    inject: async (_world, random, { name }) => {
      meet(name, true);
      return {
        target: name,
        detail: '',
        lastsMs: random.between(1, 60),
        heal: async () => {
          await sleep(random.between(1, 5)); // a heal takes its time
          meet(name, false);
        },
      };
    },
  };
}

async function dealAll(
  kinds: readonly FaultKind[],
  stopping: AbortController,
  isEnough: (faults: readonly FaultRecord[]) => boolean,
) {
  const { signal } = stopping;
  const table = new FaultTable(calmWorld(), {
    signal,
    trouble: (text) => assert.fail(text),
    done: () => {
      if (isEnough(table.healed)) stopping.abort();
    },
    lasting: new Set(),
  });
  await dealFaults(table, {
    kinds,
    random: seededRandom(11),
    untilMs: bootNowMs() + 60_000,
    weather: { gapMs: [1, 5], stormMs: 400, calmMs: 50 },
    signal,
  });
  return table.healed;
}

test('a node stays healthy whatever is dealt, and one thing breaks the database', async () => {
  const broken = new Set<string>();
  let brokenMost = 0;
  const ofNodes = kindOf('node', (name, isOn) => {
    assert.equal(broken.has(name), !isOn, 'one fault at a time for each node');
    if (isOn) broken.add(name);
    else broken.delete(name);
    brokenMost = Math.max(brokenMost, broken.size);
  });
  let breaks = 0;
  const ofDatabase = kindOf('database', (_, isOn) => {
    breaks += isOn ? 1 : -1;
    assert.ok(breaks <= 1);
  });
  const isEnough = (dealt: readonly FaultRecord[]) => dealt.length > 60 && brokenMost === 2;
  const faults = await dealAll([ofNodes, ofDatabase], new AbortController(), isEnough);
  assert.equal(brokenMost, 2);
  assert.equal(broken.size + breaks, 0, 'all are healed in the end');
  assert.ok(faults.length > 60);
  for (const { fromMs, untilMs } of faults) assert.ok(fromMs <= untilMs);
});

test('what cannot be undone at first lasts until it can, and is told as what lasted', async () => {
  const stopping = new AbortController();
  const triedMs: number[] = [];
  const stubborn: FaultKind = {
    kind: 'stubborn',
    takes: 'database',
    stops: 'everything',
    inject: async () => ({
      target: 'database',
      detail: '',
      lastsMs: 0,
      heal: async () => {
        triedMs.push(bootNowMs());
        if (triedMs.length < 3) throw new Error('the server does not answer');
      },
    }),
  };
  const [fault] = await dealAll([stubborn], stopping, () => true);
  assert.equal(triedMs.length, 3);
  assert.ok((fault?.untilMs ?? 0) >= (triedMs.at(-1) ?? Infinity));
});

test('faults that last are healed at once when the dealing is ended early', async () => {
  const stopping = new AbortController();
  const on = new Set<string>();
  const long: FaultKind = {
    kind: 'long',
    takes: 'nothing',
    stops: 'nothing',
    inject: async () => {
      on.add('long');
      setImmediate(() => stopping.abort());
      return { target: '', detail: '', lastsMs: 60_000, heal: async () => on.clear() };
    },
  };
  const beganMs = bootNowMs();
  const faults = await dealAll([long], stopping, () => false);
  assert.equal(on.size, 0);
  assert.ok(faults.length >= 1);
  assert.ok(bootNowMs() - beganMs < 10_000);
});
