import { assign, fromPromise, setup } from 'xstate';

export type ReaperEvent =
  | { type: 'reap.committed'; sessionId: string; stripes: readonly number[] }
  | { type: 'reap.refused'; sessionId: string; reason: string }
  | { type: 'reap.unknown'; sessionId: string };

/** What a look at the sessions calls for. */
export type ReaperFinding =
  | { readonly finding: 'nothing' }
  | {
      readonly finding: 'stalled';
      readonly sessionId: string;
      readonly nodeName: string;
      readonly beats: number;
    }
  | { readonly finding: 'ended'; readonly sessionId: string };

/** The beats of a session that were seen last, and since when, by the node's monotonic clock. */
export interface SeenBeats {
  readonly beats: number;
  readonly sinceMs: number;
}

/** What the last look came to, and what the next one compares with. */
export interface ReaperLook {
  readonly finding: ReaperFinding;
  /** Of the live sessions but the own one. */
  readonly seenBeats: ReadonlyMap<string, SeenBeats>;
  /** The session that was reaped last; '': none yet. */
  readonly reaping: string;
  /** Over which live sessions stripes were dealt last, and what came of it. */
  readonly dealtOver: string;
  readonly dealt: string;
  /** By which targeting, and which others, this node has all its own slots; null: it has not. */
  readonly placedBy: string | null;
  /** Of the live sessions that were read whole last; null: they never were. */
  readonly sessionsVersion: number | null;
  /** The sessions that watch all others; none: it is not known yet. */
  readonly housekeepers: readonly string[];
  readonly looks: number;
}

export interface ReaperContext extends ReaperLook {
  /** By ended session: the stripes on which nothing of it is left. */
  readonly reapedStripes: ReadonlyMap<string, readonly number[]>;
}

const nothingSeen = {
  finding: { finding: 'nothing' },
  reaping: '',
  dealtOver: 'nobody',
  dealt: 'nothing',
  placedBy: null,
  sessionsVersion: null,
  housekeepers: [],
  looks: 0,
} as const;

type Reaped = Extract<ReaperEvent, { type: 'reap.committed' }>;
type StripesOf = ReaperContext['reapedStripes'];

const withStripes = (known: StripesOf, { sessionId, stripes }: Reaped): StripesOf =>
  new Map(known).set(sessionId, [...(known.get(sessionId) ?? []), ...stripes]);

const without = (known: StripesOf, { finding }: ReaperContext): StripesOf =>
  new Map([...known].filter(([id]) => finding.finding !== 'ended' || id !== finding.sessionId));

const notProvided = (): never => {
  throw new Error('not provided');
};

/** Ends sessions whose beats stand still for their TTL and frees the slots of ended ones. */
export const reaperMachine = setup({
  types: {
    context: {} as ReaperContext,
    events: {} as ReaperEvent,
  },
  actors: {
    lookAtSessions: fromPromise<ReaperLook, ReaperContext>(notProvided),
    endSession: fromPromise<unknown, ReaperContext>(notProvided),
    markReaped: fromPromise<unknown, ReaperFinding>(notProvided),
  },
  actions: {
    keepLook: assign((_, look: ReaperLook) => look),
    requestReap: notProvided,
    keepStripes: assign({
      reapedStripes: ({ context, event }) => withStripes(context.reapedStripes, event as Reaped),
    }),
    forgetStripes: assign({
      reapedStripes: ({ context }) => without(context.reapedStripes, context),
    }),
    reportTrouble: (_, _params: { error: unknown }) => notProvided(),
  },
  guards: {
    isStalled: (_, { finding }: ReaperLook) => finding.finding === 'stalled',
    isEnded: (_, { finding }: ReaperLook) => finding.finding === 'ended',
    allStripesReaped: notProvided,
  },
  delays: {
    reapPeriod: 1000,
    busyPause: 50,
  },
}).createMachine({
  id: 'reaper',
  description: 'Watches the beats of all sessions by its own monotonic clock; compares no clocks.',
  context: () => ({ ...nothingSeen, seenBeats: new Map(), reapedStripes: new Map() }),
  initial: 'looking',
  on: {
    'reap.committed': { actions: 'keepStripes' },
  },
  states: {
    resting: {
      description: 'Until the next look.',
      after: { reapPeriod: 'looking' },
    },
    looking: {
      description:
        'Reads the sessions that are live or not reaped; most nodes only those of a few watchers.',
      invoke: {
        id: 'look',
        src: 'lookAtSessions',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isStalled', params: ({ event }) => event.output },
            target: 'ending',
            actions: { type: 'keepLook', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'isEnded', params: ({ event }) => event.output },
            target: 'reaping',
            actions: { type: 'keepLook', params: ({ event }) => event.output },
          },
          {
            target: 'resting',
            actions: { type: 'keepLook', params: ({ event }) => event.output },
          },
        ],
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    ending: {
      description: 'The session is marked ended, naming the beats that stood still.',
      invoke: {
        id: 'ending',
        src: 'endSession',
        input: ({ context }) => context,
        onDone: 'looking',
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    reaping: {
      description: 'Its slots are reset under their stripes; busy stripes are requested again.',
      entry: 'requestReap',
      on: {
        'reap.committed': [
          { guard: 'allStripesReaped', target: 'closing', actions: 'keepStripes' },
          { target: 'waiting', actions: 'keepStripes' },
        ],
        'reap.refused': 'resting',
        'reap.unknown': 'waiting',
      },
    },
    waiting: {
      description: 'Some stripes were busy: they are requested again, after a look at the others.',
      after: { busyPause: 'looking' },
    },
    closing: {
      description: 'Every stripe was visited under its lock: nothing of the session is left.',
      invoke: {
        id: 'closing',
        src: 'markReaped',
        input: ({ context }) => context.finding,
        onDone: { target: 'looking', actions: 'forgetStripes' },
        onError: {
          target: 'resting',
          actions: { type: 'reportTrouble', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
  },
});
