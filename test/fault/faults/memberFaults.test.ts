import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dealFaults } from '../dealFaults.ts';
import { FaultTable } from '../faultTable.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { FaultNode } from '../world/faultNode.ts';
import type { FaultKind, FaultWorld } from '../world/faultWorld.ts';
import { type Random, seededRandom } from '../world/random.ts';
import { memberFaults } from './databaseFaults.ts';

const kindOf = (kind: string): FaultKind =>
  memberFaults().find((each) => each.kind === kind) as FaultKind;
const node = { name: 'n1', nodePid: 1 } as unknown as FaultNode;

/** Three members; one that was frozen is back in their cluster only when it has joined it again. */
function makeCluster() {
  const away = new Set<string>();
  const met: string[] = [];
  let writesWhile = (): boolean => away.size < 2;
  const members = ['g1', 'g2', 'g3'].map((name) => {
    const leave = (how: string) => async () => {
      met.push(`${how}, ${away.size} away`);
      away.add(name);
    };
    const join = async () => {
      await new Promise(setImmediate);
      away.delete(name);
    };
    return {
      name,
      kill: leave('killed'),
      start: join,
      restart: async () => {
        await leave('restarted')();
        await join();
      },
      stop: leave('frozen'),
      cont: async () => undefined,
      isolate: leave('isolated'),
      rejoin: join,
    };
  });
  const engine = {
    members,
    can: { isolate: true },
    failoverMsMax: 20,
    writable: async () => (writesWhile() ? members.filter(({ name }) => !away.has(name)) : []),
  };
  const live = new Map([['n1', { sessionId: 's', processId: 1, sinceMs: 0 }]]);
  const world = { engine, nodes: [node], clock: { live } } as unknown as FaultWorld;
  const writeNever = (): void => {
    writesWhile = () => away.size === 0;
  };
  return { away, met, world, writeNever };
}

test('a member that is parted from the others is healed though nobody takes writes', async () => {
  const { away, world, writeNever } = makeCluster();
  writeNever();
  const injected = kindOf('member isolated').inject(world, seededRandom(1), node);
  await assert.doesNotReject(injected, 'it is a fault like any other');
  const injection = await injected;
  assert.match(injection?.detail ?? '', /no member took writes/);
  assert.equal(injection?.lastsMs, 0, 'and lasts no longer than it has to');
  await injection?.heal();
  assert.equal(away.size, 0);
});

test('no member is taken before the one that was taken last is back', async () => {
  const { met, world } = makeCluster();
  const stopping = new AbortController();
  const { signal } = stopping;
  const table = new FaultTable(world, {
    signal,
    trouble: (text) => assert.fail(text),
    done: () => {
      if (met.length > 20) stopping.abort();
    },
    lasting: new Set(),
  });
  await dealFaults(table, {
    kinds: memberFaults(),
    random: shortly(seededRandom(3)),
    untilMs: bootNowMs() + 60_000,
    weather: { gapMs: [0, 0], stormMs: 60_000, calmMs: 0 },
    signal,
  });
  assert.deepEqual(
    met.filter((what) => !what.endsWith(' 0 away')),
    [],
  );
  assert.equal(new Set(met).size, 4, 'each of the four kinds');
});

/** Whatever is to last lasts a millisecond. */
function shortly(random: Random): Random {
  return {
    ...random,
    between: (least, most) => Math.min(least, most, 1),
    fork: () => shortly(random.fork()),
  };
}
