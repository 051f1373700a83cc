import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { transitionKey } from '../sim/chartCoverage.ts';
import { notSimulated } from '../sim/notSimulated.ts';
import { chartedMachines } from './chartedMachines.ts';
import { ignoredEvents, leavesOf, rulesFor } from './ignoredEvents.ts';

test('each event of a mailbox is handled in each state, or ignored for a reason', () => {
  for (const machine of chartedMachines) {
    for (const leaf of leavesOf(machine)) {
      for (const event of mailboxOf(machine)) {
        const reasons = rulesFor(leaf.id, event).length;
        const wanted = isHandled(leaf, event) ? 0 : 1;
        assert.equal(reasons, wanted, `${event} in ${leaf.id}: ${reasons} reasons to ignore it`);
      }
    }
  }
});

test('a reason to ignore an event speaks of events and states that there are', () => {
  const ids = new Set(
    chartedMachines.flatMap((machine) => nodesOf(machine.root)).map(({ id }) => id),
  );
  for (const { machine: id, events, states } of ignoredEvents) {
    const machine = chartedMachines.find((each) => each.id === id);
    assert.ok(machine, id);
    for (const event of events) assert.ok(mailboxOf(machine).includes(event), event);
    for (const state of states) assert.ok(ids.has(state), state);
  }
});

test('an event that nobody thought of would be noticed', () => {
  const [slot] = chartedMachines;
  assert.ok(slot);
  const [leaf] = leavesOf(slot);
  assert.ok(leaf && !isHandled(leaf, 'start.forgotten'));
  assert.deepEqual(rulesFor(leaf.id, 'start.forgotten'), []);
});

test('every transition of every chart is taken in some state by its event', () => {
  let taken = 0;
  for (const machine of chartedMachines) {
    for (const node of nodesOf(machine.root)) {
      for (const candidate of [...node.transitions.values()].flat()) {
        assert.ok(isTaken(machine, node, candidate), transitionKey(candidate));
        taken += 1;
      }
    }
  }
  assert.ok(taken > 100, `${taken} transitions`);
});

test('what no simulated world takes is a transition of a chart', () => {
  const keys = new Set(
    chartedMachines
      .flatMap((machine) => nodesOf(machine.root))
      .flatMap((node) => [...node.transitions.values()].flat().map(transitionKey)),
  );
  for (const key of Object.keys(notSimulated)) assert.ok(keys.has(key), key);
});

/** In one of the states inside of its own, with no guard true but its own, the event takes it. */
function isTaken(
  machine: AnyStateMachine,
  node: AnyStateNode,
  candidate: AnyTransitionDefinition,
): boolean {
  const ownGuard = guardName(candidate);
  const names = Object.keys(machine.implementations.guards);
  const guards = Object.fromEntries(names.map((name) => [name, () => name === ownGuard]));
  const guarded = machine.provide({ guards });
  return leavesOf(machine)
    .filter(({ id }) => id === node.id || id.startsWith(`${node.id}.`) || node === machine.root)
    .some((leaf) => {
      const snapshot = guarded.resolveState({ value: valueOfPath(leaf.path), context: {} });
      const event = { type: candidate.eventType, output: {}, error: new Error('planted') };
      const selected = guarded.getTransitionData(snapshot, event) ?? [];
      return selected.some((each) => transitionKey(each) === transitionKey(candidate));
    });
}

function guardName({ guard }: AnyTransitionDefinition): string | null {
  if (guard === undefined) return null;
  return typeof guard === 'string' ? guard : (guard as { type: string }).type;
}

/** `['live', 'serving']` is `{ live: 'serving' }`. */
function valueOfPath(path: readonly string[]): string | Record<string, never> {
  const [first = '', ...rest] = path;
  if (rest.length === 0) return first;
  return { [first]: valueOfPath(rest) } as Record<string, never>;
}

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

/** The events that others send: those of delays and of what is invoked are the chart's own. */
function mailboxOf(machine: AnyStateMachine): string[] {
  return machine.events.filter((event) => !event.startsWith('xstate.'));
}

function isHandled(leaf: AnyStateNode, event: string): boolean {
  for (let node: AnyStateNode | undefined = leaf; node !== undefined; node = node.parent) {
    if (node.transitions.has(event)) return true;
  }
  return false;
}
