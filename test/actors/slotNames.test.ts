import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf } from '../../src/actors/runtime/actorEvents.ts';
import { until } from '../support/until.ts';
import { makeActorWorld } from './actorWorld.ts';

test('the ends of all slots are one event to the scheduler, which xstate remembers', async (t) => {
  const world = await makeActorWorld(t);
  const { adopted, running } = world.node('a');
  const { roster } = running;
  await world.addOnce('first', 2);
  await until('a slot is held', () => roster.size > 0);
  const [member] = roster.members();
  assert.ok(member);
  assert.equal(nameOf(member.actor), member.launch.launchId);
  const ends: string[] = [];
  member.actor.system.inspect((inspected) => {
    if (inspected.type !== '@xstate.event' || nameOf(inspected.actorRef) !== 'scheduler') return;
    const { event, sourceRef } = inspected;
    const from = sourceRef === undefined ? null : nameOf(sourceRef);
    const isSlot = adopted.some(({ launchId }) => launchId === from);
    if (isSlot && event.type.startsWith('xstate.')) ends.push(event.type);
  });
  await world.runShortOnes();
  await until('all have ended', () => roster.size === 0 && ends.length >= 13);
  assert.deepEqual([...new Set(ends)], ['xstate.done.actor.slot']);
});
