import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReasonCode, reasons, reasonTable } from '../../../src/domain/reasons/reasons.ts';
import { startCutProxy } from '../../support/cutProxy.ts';
import { executionCases } from './executionCases.ts';
import { killGone, startOnGone } from './killGone.ts';
import { launchCases } from './launchCases.ts';
import { makeReasonWorld, type ReasonCase } from './reasonWorld.ts';
import { startNodes } from './startNodes.ts';
import { tickCases } from './tickCases.ts';

const cases: Readonly<Record<ReasonCode, ReasonCase>> = {
  ...tickCases,
  ...launchCases,
  ...executionCases,
};

test('every reason of the table has its case here', () => {
  assert.deepEqual(Object.keys(cases).sort(), Object.keys(reasonTable).sort());
});

test('every reason of the table is recorded when it is the true one', {
  concurrency: true,
}, async (t) => {
  const world = await makeReasonWorld(t);
  const proxy = await startCutProxy(world.scope, world.url);
  for (const { prepare } of Object.values(cases)) await prepare?.(world);
  const start = startNodes(world, proxy.url);
  const main = start('main').then(() => world.history('nobody', 1));
  const [gone] = await Promise.all([start('gone'), start('poor'), main]);
  // As if they had been there when the ticks were missed that others come to.
  await world.rows('UPDATE session SET started_at = NOW(3) - INTERVAL 1 HOUR');
  const lose = async () => {
    await startOnGone(world, proxy);
    const back = killGone(world, proxy, gone).then(() => start('gone'));
    await Promise.all([back, start('bare')]);
  };
  const seen = new Set<string>();
  const hold = ([code, each]: [string, ReasonCase]) =>
    t.test(code, { skip: each.skip ?? false }, async () => {
      const [found, says] = await each.cause(world);
      assert.ok(found.includes(says), `it says: ${found}; not: ${says}`);
      const own: unknown = reasons[code as ReasonCode];
      assert.ok(typeof own !== 'string' || own === says, `${says}: this is not ${code}`);
      assert.ok(!seen.has(says), `${says}: another case has it`);
      seen.add(says);
    });
  const entries = Object.entries(cases);
  const come = entries.filter(([, each]) => each.isLast === undefined).map(hold);
  await Promise.all([lose(), ...come]);
  await Promise.all(entries.filter(([, each]) => each.isLast).map(hold));
});
