import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** Events that a chart leaves unhandled on purpose. */
export interface Ignored {
  readonly machine: string;
  readonly events: readonly string[];
  /** The states in which they are ignored, each with all that is inside of it. */
  readonly states: readonly string[];
  readonly why: string;
  /** False: it would be a broken invariant, which every simulated world watches for. */
  readonly comes: boolean;
}

const notStarting = [
  'slot.prepare.waiting',
  'slot.prepare.queueing',
  'slot.prepare.early',
  'slot.prepare.returning',
  'slot.executing',
];

/** Every pair of a state and an event of its mailbox that no transition of the chart is for. */
export const ignoredEvents: readonly Ignored[] = [
  {
    machine: 'slot',
    events: ['start.committed', 'start.early', 'start.refused', 'start.unknown'],
    states: notStarting,
    why: 'only starting requests, and leaves by nothing but the one answer',
    comes: false,
  },
  {
    machine: 'slot',
    events: ['reset.committed', 'reset.refused', 'reset.unknown'],
    states: [
      'slot.prepare.waiting',
      'slot.prepare.queueing',
      'slot.prepare.starting',
      'slot.prepare.early',
      'slot.executing',
    ],
    why: 'only returning requests, and ends by the answer or before it',
    comes: false,
  },
  {
    machine: 'slot',
    events: ['finish.committed', 'finish.refused', 'finish.unknown'],
    states: ['slot.prepare', 'slot.executing.running', 'slot.executing.retrying'],
    why: 'only finishing requests, and leaves by nothing but the one answer',
    comes: false,
  },
  {
    machine: 'slot',
    events: ['permit.granted'],
    states: [
      'slot.prepare.waiting',
      'slot.prepare.starting',
      'slot.prepare.early',
      'slot.prepare.returning',
      'slot.executing',
    ],
    why: 'who leaves the queue gives back what was granted meanwhile',
    comes: true,
  },
  {
    machine: 'slot',
    events: ['slot.release'],
    states: ['slot.prepare.starting', 'slot.prepare.returning', 'slot.executing'],
    why: 'what is about to run may end by itself; the drain requests again',
    comes: true,
  },
  {
    machine: 'slot',
    events: ['slot.drop'],
    states: ['slot.executing'],
    why: 'a launch that lost its row learns it from its finish, which is refused',
    comes: true,
  },
  {
    machine: 'slot',
    events: ['run.stop'],
    states: ['slot.prepare', 'slot.executing.finishing', 'slot.executing.retrying'],
    why: 'nothing runs yet, or any more; while the row requests it, so does the next look',
    comes: true,
  },
  {
    machine: 'node',
    events: ['node.drain'],
    states: ['node.live.stopping', 'node.leaving'],
    why: 'it is on its way out already',
    comes: true,
  },
  {
    machine: 'reaper',
    events: ['reap.refused', 'reap.unknown'],
    states: [
      'reaper.resting',
      'reaper.looking',
      'reaper.ending',
      'reaper.waiting',
      'reaper.closing',
    ],
    why: 'only reaping requests, and leaves by nothing but the one answer',
    comes: false,
  },
];

/** The rules for one pair. */
export function rulesFor(state: string, event: string): Ignored[] {
  return ignoredEvents.filter(
    ({ machine, events, states }) =>
      machine === state.split('.')[0] &&
      events.includes(event) &&
      states.some((each) => state === each || state.startsWith(`${each}.`)),
  );
}

/** The states of a machine in which it can rest: without states inside, and not final. */
export function leavesOf(machine: AnyStateMachine): AnyStateNode[] {
  const leavesIn = (node: AnyStateNode): AnyStateNode[] => {
    const inner = Object.values(node.states);
    if (inner.length > 0) return inner.flatMap(leavesIn);
    return node.type === 'final' ? [] : [node];
  };
  return leavesIn(machine.root);
}
