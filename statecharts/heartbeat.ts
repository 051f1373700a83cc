import { fromPromise, setup } from 'xstate';
import type { Outcome } from '../src/domain/errors/outcome.ts';

type Renewed = Outcome<null>;

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Renews the session and with it the lease, on a connection of its own, waiting for nobody. */
export const heartbeatMachine = setup({
  actors: {
    renewSession: fromPromise<Renewed>(notProvided),
  },
  actions: {
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
  initial: 'renewing',
  states: {
    renewing: {
      description: 'UPDATE of the own session row by primary key.',
      invoke: {
        id: 'renewal',
        src: 'renewSession',
        onDone: [
          {
            guard: { type: 'isRefused', params: ({ event }) => ({ renewed: event.output }) },
            target: 'fenced',
          },
          {
            guard: { type: 'isUnknown', params: ({ event }) => ({ renewed: event.output }) },
            target: 'doubting',
          },
          { target: 'resting' },
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
