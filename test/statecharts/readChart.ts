import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { ArrowLabel, ArrowSign, Chart, ChartArrow, ChartState } from './chart.ts';

/** Reads what is to be drawn from the very machine object that runs. */
export function readChart(machine: AnyStateMachine): Chart {
  const arrows = new Map<string, { from: string; to: string; labels: ArrowLabel[] }>();
  const root = readState(machine.root, (from, to, label) => {
    const key = `${from}>${to}`;
    const arrow = arrows.get(key) ?? { from, to, labels: [] };
    arrow.labels.push(label);
    arrows.set(key, arrow);
  });
  const merged = [...arrows.values()].map(
    (arrow): ChartArrow => ({ ...arrow, labels: mergeLabels(arrow.labels) }),
  );
  return { id: machine.id, root, arrows: merged };
}

type AddArrow = (from: string, to: string, label: ArrowLabel) => void;

function readState(node: AnyStateNode, addArrow: AddArrow): ChartState {
  const inner: ArrowLabel[] = [];
  for (const candidates of candidatesOf(node)) {
    for (const [place, transition] of candidates.entries()) {
      const label = readLabel(node, transition, place);
      const targets = (transition.target ?? []).filter(
        (target) => target !== node || transition.reenter,
      );
      for (const target of targets) addArrow(node.id, target.id, label);
      if (targets.length === 0) inner.push(label);
    }
  }
  const initial = node.initial.target[0];
  return {
    id: node.id,
    name: node.key,
    description: node.description ?? '',
    isFinal: node.type === 'final',
    initial: node.type === 'compound' && initial !== undefined ? initial.id : null,
    invokes: node.invoke.map(({ src }) => nameOf(src)),
    entry: listOf(node.config.entry).map(nameOf),
    exit: listOf(node.config.exit).map(nameOf),
    inner: mergeLabels(inner),
    states: Object.values(node.states).map((child) => readState(child, addArrow)),
  };
}

/** The candidates of each event in their order, `always` last. */
function candidatesOf(node: AnyStateNode): (readonly AnyTransitionDefinition[])[] {
  const always = (node.always ?? []) as readonly AnyTransitionDefinition[];
  const byEvent = [...node.transitions.values()] as (readonly AnyTransitionDefinition[])[];
  return always.length === 0 ? byEvent : [...byEvent, always];
}

function readLabel(
  node: AnyStateNode,
  transition: AnyTransitionDefinition,
  place: number,
): ArrowLabel {
  const { sign, name } = readTrigger(node, transition);
  const guard = transition.guard === undefined ? null : nameOf(transition.guard);
  const actions = transition.actions.map(nameOf);
  return {
    sign,
    names: name === '' ? [] : [name],
    guard: guard ?? (place > 0 ? 'else' : null),
    actions,
    description: transition.description ?? '',
    isForbidden: transition.target === undefined && actions.length === 0,
  };
}

function readTrigger(
  node: AnyStateNode,
  transition: AnyTransitionDefinition,
): { sign: ArrowSign; name: string } {
  const { eventType } = transition;
  if (eventType === '') return { sign: 'always', name: '' };
  const after = node.after.find((delayed) => delayed.eventType === eventType);
  if (after !== undefined) {
    const { delay } = after;
    return { sign: 'after', name: typeof delay === 'number' ? `${delay} ms` : nameOf(delay) };
  }
  for (const [prefix, sign] of actorEvents) {
    if (!eventType.startsWith(prefix)) continue;
    const id = eventType.slice(prefix.length);
    const invoked = node.invoke.find((candidate) => candidate.id === id);
    return { sign, name: invoked === undefined ? id : nameOf(invoked.src) };
  }
  if (eventType.startsWith('xstate.done.state.')) return { sign: 'done', name: node.key };
  return { sign: 'event', name: eventType };
}

const actorEvents = [
  ['xstate.done.actor.', 'done'],
  ['xstate.error.actor.', 'error'],
] as const;

/** Lines that differ in the event alone become one line that names them all. */
function mergeLabels(labels: readonly ArrowLabel[]): ArrowLabel[] {
  const merged = new Map<string, ArrowLabel>();
  for (const label of labels) {
    const { names, ...rest } = label;
    const key = JSON.stringify(rest);
    const earlier = merged.get(key)?.names ?? [];
    merged.set(key, { ...label, names: [...earlier, ...names] });
  }
  return [...merged.values()];
}

function listOf(actions: unknown): readonly unknown[] {
  if (actions === undefined) return [];
  return Array.isArray(actions) ? actions : [actions];
}

/** Actions, guards, actors and delays are strings or `{ type }`; an assign names its keys. */
function nameOf(reference: unknown): string {
  if (typeof reference === 'string') return reference;
  const { type, assignment } = reference as { type?: unknown; assignment?: object };
  if (type === 'xstate.assign' && assignment !== undefined) {
    return `keep ${Object.keys(assignment).join(', ')}`;
  }
  if (typeof type === 'string') return type;
  throw new Error(`a chart refers to something without a name: ${String(reference)}`);
}
