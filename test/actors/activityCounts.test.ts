import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type AnyStateMachine,
  type AnyTransitionDefinition,
  createActor,
  fromPromise,
  type InspectionEvent,
} from 'xstate';
import { ActivityCounts } from '../../src/actors/runtime/activityCounts.ts';
import { seededRandom } from '../fault/world/random.ts';
import { chartedMachines } from '../statecharts/chartedMachines.ts';

const walks = 100;
const stepsOfWalk = 40;

for (const machine of chartedMachines) {
  test(`counts of ${machine.id} are what xstate itself takes and asks`, () => {
    const random = seededRandom(machine.id.length);
    const asked = { allowed: 0, refused: 0 };
    const guard = (): boolean => {
      const isAllowed = random.between(0, 2) === 0;
      asked[isAllowed ? 'allowed' : 'refused'] += 1;
      return isAllowed;
    };
    const counts = new ActivityCounts();
    const counted = counts.count(withoutEffects(machine, guard));
    const taken = new Map<string, number>();
    for (let walk = 0; walk < walks; walk += 1) {
      const actor = createActor(counted, {
        input: { launch: {}, duty: '' },
        clock: { setTimeout: () => 0, clearTimeout: () => undefined },
        inspect: (inspected) => {
          for (const { source, target } of transitionsIn(inspected)) {
            const key = `${source.id} ${target?.[0]?.id ?? null}`;
            taken.set(key, (taken.get(key) ?? 0) + 1);
          }
        },
      });
      actor.subscribe({ error: () => undefined });
      actor.start();
      for (let step = 0; step < stepsOfWalk; step += 1) {
        const events = eventsOf(actor.getSnapshot()._nodes);
        if (events.length === 0) break;
        actor.send({ type: events[random.between(0, events.length - 1)] ?? '' });
      }
      actor.stop();
    }
    const found = new Map<string, number>();
    for (const { count, from, to } of counts.transitions()) {
      if (count > 0) found.set(`${from} ${to}`, (found.get(`${from} ${to}`) ?? 0) + count);
    }
    assert.deepEqual([...found].sort(), [...taken].sort());
    assert.ok(found.size >= 3, 'the walks have come somewhere');
    const answers = counts.guards();
    const sum = (of: 'allowed' | 'refused') => answers.reduce((all, each) => all + each[of], 0);
    assert.deepEqual({ allowed: sum('allowed'), refused: sum('refused') }, asked);
  });
}

test('machines of one id share their counts, and what never happened is there with zero', () => {
  const counts = new ActivityCounts();
  const poller = chartedMachines.find(({ id }) => id === 'poller');
  assert.ok(poller);
  for (const _ of [1, 2]) {
    const actor = createActor(counts.count(withoutEffects(poller, () => true)), {
      input: { duty: '' },
      clock: { setTimeout: () => 0, clearTimeout: () => undefined },
    });
    actor.start();
    actor.send({ type: 'xstate.after.period.poller.idle' });
    actor.stop();
  }
  const arrows = counts.transitions().map(({ count, event, from, to }) => [from, to, event, count]);
  assert.deepEqual(arrows, [
    ['poller.idle', 'poller.working', 'after period', 2],
    ['poller.working', 'poller.pausing', 'done round', 0],
    ['poller.working', 'poller.idle', 'done round', 0],
    ['poller.working', 'poller.idle', 'error round', 0],
    ['poller.pausing', 'poller.working', 'after pause', 0],
  ]);
});

test('no guard of a transition without an event is asked for another one', () => {
  for (const { id, root } of chartedMachines) {
    const all = statesIn(root);
    const always = all.flatMap((node) => (node.always ?? []).map(({ guard }) => guard));
    const others = all.flatMap((node) => [...node.transitions.values()].flat());
    for (const guard of always) {
      assert.equal(typeof guard, 'string', id);
      assert.ok(!others.some((each) => each.guard === guard), `${id}: ${String(guard)}`);
      assert.equal(always.filter((each) => each === guard).length, 1, id);
    }
  }
});

/** The machine with its guards replaced, and nothing that it does having an effect. */
function withoutEffects(machine: AnyStateMachine, guard: () => boolean): AnyStateMachine {
  const { actions, actors, delays, guards } = machine.implementations;
  const all = <Value>(of: object | undefined, value: Value) =>
    Object.fromEntries(Object.keys(of ?? {}).map((name) => [name, value]));
  const never = fromPromise(() => new Promise<never>(() => undefined));
  return machine.provide({
    actions: all(actions, () => undefined),
    actors: all(actors, never),
    delays: all(delays, 1),
    guards: all(guards, guard),
  } as never);
}

function transitionsIn(inspected: InspectionEvent): readonly AnyTransitionDefinition[] {
  if (inspected.type !== '@xstate.microstep') return [];
  return inspected._transitions;
}

/** Every event that the present states have a transition for. */
function eventsOf(nodes: readonly AnyStateMachine['root'][]): string[] {
  return nodes.flatMap((node) => [...node.transitions.keys()]).filter((type) => type !== '');
}

function statesIn(node: AnyStateMachine['root']): AnyStateMachine['root'][] {
  return [node, ...Object.values(node.states).flatMap(statesIn)];
}
