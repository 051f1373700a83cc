import { assign, fromPromise, setup } from 'xstate';
import type { Outcome } from '../src/domain/errors/outcome.ts';

type Renewed = Outcome<null>;

/** Beats are counted from 1; each renewal carries the next one. */
export interface HeartbeatContext {
  readonly sentBeats: number;
  /** The last beat whose renewal was acknowledged. */
  readonly ackedBeats: number;
}

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Renews the session and with it the lease, on a connection of its own, waiting for nobody. */
export const heartbeatMachine = setup({
  types: {
    context: {} as HeartbeatContext,
  },
  actors: {
    renewSession: fromPromise<Renewed, HeartbeatContext>(notProvided),
  },
  actions: {
    countBeat: assign({ sentBeats: ({ context }) => context.sentBeats + 1 }),
    keepAcked: assign({ ackedBeats: ({ context }) => context.sentBeats }),
    reportFailure: notProvided,
  },
  guards: {
    isRefused: (_, params: { renewed: Renewed }) => params.renewed.outcome === 'refused',
    isUnknown: (_, params: { renewed: Renewed }) => params.renewed.outcome === 'unknown',
    leaseIsOver: notProvided,
  },
  delays: {
    beatPeriod: 3000,
    retryPeriod: 1000,
  },
}).createMachine({
  id: 'heartbeat',
  description: 'Keeps the session live. The lease counts from when the renewal was sent.',
  context: { sentBeats: 0, ackedBeats: 0 },
  initial: 'renewing',
  states: {
    renewing: {
      description: 'UPDATE of the own session row by primary key.',
      entry: 'countBeat',
      invoke: {
        id: 'renewal',
        src: 'renewSession',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ renewed: event.output }) },
            target: 'fenced',
          },
          {
            guard: { type: 'isUnknown', params: ({ event }) => ({ renewed: event.output }) },
            target: 'doubting',
          },
          { target: 'resting', actions: 'keepAcked' },
        ],
        onError: { target: 'fenced', actions: 'reportFailure' },
      },
    },
    resting: {
      description: 'The lease is good.',
      after: { beatPeriod: 'renewing' },
    },
    doubting: {
      description:
        'The last renewal has an unknown outcome: try again sooner, while the lease lasts.',
      after: {
        retryPeriod: [{ guard: 'leaseIsOver', target: 'fenced' }, { target: 'renewing' }],
      },
    },
    fenced: {
      description: 'The session is lost: this process must end.',
      type: 'final',
    },
  },
});
