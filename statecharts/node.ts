import { type AnyStateMachine, assign, fromPromise, setup } from 'xstate';

export type NodeEvent = { type: 'node.drain' } | { type: 'node.failed'; error: unknown };

export interface NodeContext {
  readonly error: unknown;
}

const notProvided = (): never => {
  throw new Error('not provided');
};

const machineNotProvided: AnyStateMachine = setup({}).createMachine({});

/**
 * The root: joins the cluster, serves, drains on request, and never goes on when it is fenced.
 */
export const nodeMachine = setup({
  types: {
    context: {} as NodeContext,
    events: {} as NodeEvent,
  },
  actors: {
    joinSession: fromPromise<unknown>(notProvided),
    leaveSession: fromPromise<unknown>(notProvided),
    heartbeat: machineNotProvided,
    committer: machineNotProvided,
    scheduler: machineNotProvided,
    compensator: machineNotProvided,
    reaper: machineNotProvided,
    recorder: machineNotProvided,
    courier: machineNotProvided,
    cleaner: machineNotProvided,
    reporter: machineNotProvided,
    notifier: machineNotProvided,
  },
  actions: {
    keepError: assign({ error: (_, params: { error: unknown }) => params.error }),
    reportServing: notProvided,
    reportDraining: notProvided,
    drainScheduler: notProvided,
    stopRuns: notProvided,
    killEverything: notProvided,
  },
  delays: {
    drainTimeout: 30_000,
  },
}).createMachine({
  id: 'node',
  description: 'One life of a node process: one session.',
  context: { error: null },
  initial: 'joining',
  on: {
    'node.failed': {
      target: '.failed',
      actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
    },
  },
  states: {
    joining: {
      description: 'Makes the session live; waits for a dead session of the same name to run out.',
      invoke: {
        id: 'joining',
        src: 'joinSession',
        onDone: 'live',
        onError: {
          target: 'failed',
          actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
        },
      },
      on: { 'node.drain': 'leaving' },
    },
    live: {
      description: 'The session is live and the lease good; its actors work, slots come and go.',
      invoke: [
        {
          id: 'heartbeat',
          systemId: 'heartbeat',
          src: 'heartbeat',
          onDone: 'fenced',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'committer',
          systemId: 'committer',
          src: 'committer',
          onDone: 'fenced',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'compensator',
          systemId: 'compensator',
          src: 'compensator',
          onDone: 'failed',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'reaper',
          systemId: 'reaper',
          src: 'reaper',
          onDone: 'failed',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'recorder',
          systemId: 'recorder',
          src: 'recorder',
          input: {
            duty: 'Completes lost runs with the results that earlier processes have spooled.',
          },
          onDone: 'failed',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'courier',
          systemId: 'courier',
          src: 'courier',
          input: { duty: 'Starts the jobs that follow others and ends the pauses that are over.' },
          onDone: 'failed',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'cleaner',
          systemId: 'cleaner',
          src: 'cleaner',
          input: {
            duty: 'Cleans the history in small steps, one node at a time; holds up no slot.',
          },
          onDone: 'failed',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'reporter',
          systemId: 'reporter',
          src: 'reporter',
          input: { duty: 'Writes what the actors do into the database while somebody looks.' },
          onDone: 'failed',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'notifier',
          systemId: 'notifier',
          src: 'notifier',
          onDone: 'failed',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
        {
          id: 'scheduler',
          systemId: 'scheduler',
          src: 'scheduler',
          onDone: 'leaving',
          onError: {
            target: 'failed',
            actions: { type: 'keepError', params: ({ event }) => ({ error: event.error }) },
          },
        },
      ],
      initial: 'serving',
      states: {
        serving: {
          description: 'Claims, starts and finishes launches.',
          entry: 'reportServing',
          on: { 'node.drain': 'draining' },
        },
        draining: {
          description: 'Claims nothing more; what executes may end by itself for a while.',
          entry: ['reportDraining', 'drainScheduler'],
          after: { drainTimeout: 'stopping' },
          on: { 'node.drain': 'stopping' },
        },
        stopping: {
          description: 'What still executes is stopped, and its run recorded as stopped.',
          entry: 'stopRuns',
        },
      },
    },
    leaving: {
      description: 'The session is ended by its own word, so that nobody waits for its TTL.',
      invoke: {
        id: 'leaving',
        src: 'leaveSession',
        onDone: 'left',
        onError: 'left',
      },
    },
    left: {
      description: 'A clean end.',
      type: 'final',
    },
    fenced: {
      description: 'The session is lost: its children die before anyone may start them again.',
      type: 'final',
      entry: 'killEverything',
    },
    failed: {
      description: 'Something broke that must not: nothing is half alive, the process ends.',
      type: 'final',
      entry: 'killEverything',
    },
  },
});
