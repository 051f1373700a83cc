import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeLoop } from '../nodeLoop.ts';
import { realTimeline } from '../timeline.ts';
import { MemoryChannel } from './memoryChannel.ts';
import { MemoryServer } from './memoryServer.ts';
import { memoryTransact } from './memoryTransact.ts';

test('a transaction whose server crashed is committed by no other connection', async (t) => {
  const server = new MemoryServer(realTimeline, Date.now());
  const loop = new NodeLoop(realTimeline);
  t.after(() => loop.die());
  const wire = {
    isUp: true,
    latencyMs: () => 0.1,
    fate: () => 'through' as const,
    commitDelayMs: () => 0,
  };
  const bounds = { timeoutMs: 30_000, lockWaitMs: 20_000, silenceMs: 2_000 };
  const channel = new MemoryChannel({ server, timeline: realTimeline, wire, loop, bounds });
  const outcome = await memoryTransact(channel, async () => {
    await channel.step('written', () => undefined);
    server.crash();
    server.resume();
    return { commit: 'done' };
  });
  assert.equal(outcome.outcome, 'unknown');
  const again = await memoryTransact(channel, async () => {
    await channel.step('written', () => undefined);
    return { commit: 'done' };
  });
  assert.deepEqual(again, { outcome: 'committed', value: 'done' });
});
