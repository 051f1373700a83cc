import { assign, fromPromise, setup } from 'xstate';
import type {
  NotificationsSettled,
  NotificationsTaken,
} from '../src/domain/notifications/notificationStore.ts';

export interface TakenNotifications extends NotificationsTaken {
  /** Until when another message may be begun, by the node's monotonic clock. */
  readonly untilMs: number;
}

export interface NotifierContext {
  readonly taken: TakenNotifications;
  readonly settled: readonly NotificationsSettled[];
  /** How often it could not be written down what became of the messages at hand. */
  readonly tries: number;
}

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Sends people and programs what the outbox of notifications holds. */
export const notifierMachine = setup({
  types: {
    context: {} as NotifierContext,
  },
  actors: {
    takeNotifications: fromPromise<TakenNotifications>(notProvided),
    sendNotifications: fromPromise<readonly NotificationsSettled[], TakenNotifications>(
      notProvided,
    ),
    settleNotifications: fromPromise<unknown, readonly NotificationsSettled[]>(notProvided),
  },
  actions: {
    keepTaken: assign({ taken: (_, params: { taken: TakenNotifications }) => params.taken }),
    keepSettled: assign({
      settled: (_, params: { settled: readonly NotificationsSettled[] }) => params.settled,
    }),
    beginTries: assign({ tries: 0 }),
    countTry: assign({ tries: ({ context }) => context.tries + 1 }),
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  guards: {
    isAnyTaken: (_, params: { taken: TakenNotifications }) => params.taken.batches.length > 0,
    mayTryAgain: ({ context }) => context.tries < 20,
  },
  delays: {
    lookPeriod: 1000,
    retryPause: 1000,
  },
}).createMachine({
  id: 'notifier',
  description:
    'Sends what the outbox holds: each notification by one node, again until it is received.',
  context: { taken: { batches: [], leaseMs: 0, untilMs: 0 }, settled: [], tries: 0 },
  initial: 'resting',
  states: {
    resting: {
      description: 'Until the next look.',
      after: { lookPeriod: 'taking' },
    },
    taking: {
      description: 'Targets that have something due become this node’s for a while.',
      invoke: {
        id: 'take',
        src: 'takeNotifications',
        onDone: [
          {
            guard: { type: 'isAnyTaken', params: ({ event }) => ({ taken: event.output }) },
            target: 'sending',
            actions: { type: 'keepTaken', params: ({ event }) => ({ taken: event.output }) },
          },
          { target: 'resting' },
        ],
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    sending: {
      description: 'A bounded batch for each target, all targets side by side.',
      invoke: {
        id: 'send',
        src: 'sendNotifications',
        input: ({ context }) => context.taken,
        onDone: {
          target: 'settling',
          actions: [
            { type: 'keepSettled', params: ({ event }) => ({ settled: event.output }) },
            'beginTries',
          ],
        },
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    settling: {
      description: 'What became of each is written down; what is not is sent again, with its id.',
      invoke: {
        id: 'settle',
        src: 'settleNotifications',
        input: ({ context }) => context.settled,
        onDone: 'taking',
        onError: [
          {
            guard: 'mayTryAgain',
            target: 'waiting',
            actions: [
              'countTry',
              { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
            ],
          },
          { target: 'resting' },
        ],
      },
    },
    waiting: {
      description: 'The database is away; as long as the targets are this node’s it tries again.',
      after: { retryPause: 'settling' },
    },
  },
});
