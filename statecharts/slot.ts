import { assign, fromPromise, setup } from 'xstate';
import type { Launch } from '../src/domain/run/launch.ts';
import type { Execution } from '../src/domain/run/run.ts';

export type SlotEvent =
  | { type: 'permit.granted' }
  | { type: 'start.committed' }
  | { type: 'start.early' }
  | { type: 'start.refused'; reason: string }
  | { type: 'start.unknown' }
  | { type: 'finish.committed' }
  | { type: 'finish.refused'; reason: string }
  | { type: 'finish.unknown' }
  | { type: 'reset.committed' }
  | { type: 'reset.refused'; reason: string }
  | { type: 'reset.unknown' }
  | { type: 'slot.release' }
  | { type: 'slot.drop' }
  | { type: 'run.stop'; why: StopReason };

/** Who stops a run: an operator, the end of its node, or its job's overlap at the next tick. */
export type StopReason = 'operator' | 'drain' | 'replace' | 'terminate';

type RunStop = Extract<SlotEvent, { type: 'run.stop' }>;

export interface SlotContext {
  readonly launch: Launch;
  readonly execution: Execution | null;
  readonly tries: number;
  /** Why the run was first told to stop; null: it was not. */
  readonly stopped: StopReason | null;
}

const untouched = { execution: null, tries: 0, stopped: null } as const;

const notProvided = (): never => {
  throw new Error('not provided');
};

/** The life of one launch, from its acknowledged claim until its slot's row is idle again. */
export const slotMachine = setup({
  types: {
    context: {} as SlotContext,
    events: {} as SlotEvent,
    input: {} as { launch: Launch },
  },
  actors: {
    runCommand: fromPromise<Execution, Launch>(notProvided),
  },
  actions: {
    requestPermit: notProvided,
    returnPermit: notProvided,
    requestStart: notProvided,
    requestFinish: notProvided,
    requestReset: notProvided,
    stopCommand: notProvided,
    noteStop: assign({
      stopped: ({ context, event }) => context.stopped ?? (event as RunStop).why,
    }),
    watchNextTick: notProvided,
    reportFailure: notProvided,
    reportFreed: notProvided,
    countTry: assign({ tries: ({ context }) => context.tries + 1 }),
  },
  guards: {
    tickHasCome: notProvided,
  },
  delays: {
    untilTick: notProvided,
    earlyPause: notProvided,
    retryPause: notProvided,
  },
}).createMachine({
  id: 'slot',
  description:
    'One launch of a job: the lifecycle of a slot from its claim until it is idle again.',
  context: ({ input }) => ({ ...untouched, launch: input.launch }),
  initial: 'prepare',
  states: {
    prepare: {
      description: 'Claimed in the database by this session; nothing runs yet.',
      initial: 'waiting',
      on: { 'slot.drop': { target: 'idle', description: 'the row is no longer ours' } },
      states: {
        waiting: {
          description: 'Until the tick, by the database clock.',
          after: {
            untilTick: [
              { guard: 'tickHasCome', target: 'queueing' },
              { target: 'waiting', reenter: true },
            ],
          },
          on: { 'slot.release': 'returning' },
        },
        queueing: {
          description: 'Until one more child may run on this node.',
          entry: 'requestPermit',
          on: {
            'permit.granted': 'starting',
            'slot.release': { target: 'returning', actions: 'returnPermit' },
            'slot.drop': { target: '#slot.idle', actions: 'returnPermit' },
          },
        },
        starting: {
          description:
            'The start transaction is under way. Only its acknowledgement allows a child.',
          entry: 'requestStart',
          on: {
            'start.committed': '#slot.executing',
            'start.early': 'early',
            'start.refused': { target: '#slot.idle', actions: 'returnPermit' },
            'start.unknown': { target: '#slot.reset', actions: 'returnPermit' },
            'slot.drop': {},
          },
        },
        early: {
          description:
            'The tick has not come by the database, or others can run and its stripe is held.',
          entry: ['returnPermit', 'countTry'],
          after: { earlyPause: 'waiting' },
          on: { 'slot.release': 'returning' },
        },
        returning: {
          description: 'Draining, or too long without a permit: the tick is left to others.',
          entry: 'requestReset',
          on: {
            'reset.committed': '#slot.idle',
            'reset.refused': '#slot.idle',
            'reset.unknown': '#slot.reset',
          },
        },
      },
    },
    executing: {
      description: 'The start is committed and acknowledged.',
      initial: 'running',
      states: {
        running: {
          description: 'bash -c COMMAND runs on the pool.',
          entry: 'watchNextTick',
          invoke: {
            id: 'command',
            src: 'runCommand',
            input: ({ context }) => context.launch,
            onDone: {
              target: 'finishing',
              actions: assign({ execution: ({ event }) => event.output }),
            },
            onError: { target: '#slot.reset', actions: 'reportFailure' },
          },
          exit: 'returnPermit',
          on: { 'run.stop': { actions: ['noteStop', 'stopCommand'] } },
        },
        finishing: {
          description: 'The run row and the idle slot are written in one transaction.',
          entry: 'requestFinish',
          on: {
            'finish.committed': '#slot.idle',
            'finish.refused': '#slot.idle',
            'finish.unknown': 'retrying',
          },
        },
        retrying: {
          description: 'The outcome is unknown; it is tried again for ever.',
          entry: 'countTry',
          after: { retryPause: 'finishing' },
        },
      },
    },
    reset: {
      type: 'final',
      description: 'Memory lets go; the compensator finds the row and makes it idle.',
      entry: 'reportFreed',
    },
    idle: {
      type: 'final',
      description: 'A row like any other; the next tick is claimed anew.',
      entry: 'reportFreed',
    },
  },
});
