import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';
import { alike, several, trigger } from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

const instant = z.iso.datetime({ precision: 3 });
const state = z.enum(['idle', 'prepare', 'executing']);

/** What every event about a launch has. */
const launch = {
  group: z.string().describe("The job's group at present; `default`: it has none."),
  launchId: z.string().nullable().describe('Null: the tick did not start.'),
  nodeName: z.string().describe("The node that the slot belongs to; `''`: any node."),
  node: z.string().nullable().describe('The node that has, or had, the launch.'),
  job: z.string(),
  ...alike(z.int(), 'revision', 'slotNo', 'attempt'),
  ...alike(z.string().nullable(), 'sessionId', 'requestId'),
  trigger,
  scheduledFor: instant,
};

const runStarted = event('run.started', { ...launch, startedAt: instant });

const runEnded = event('run.ended', {
  ...launch,
  runId: z
    .int()
    .describe('The number of the run: the same number is the same event, also after a reconnect.'),
  result: z.enum(runResults),
  isFinal: z.boolean().describe('False: another attempt follows.'),
  scheduledUntil: instant.nullable().describe('The last tick, where one row stands for several.'),
  startedAt: instant.nullable(),
  endedAt: instant,
  exitCode: z.int().nullable(),
  ...alike(z.string().nullable(), 'signal', 'reason'),
  ...alike(z.int(), 'ticks', 'outputBytes'),
}).describe('A run ended, or a tick did not run. None is left out after a reconnect.');

const slotChanged = event('slot.changed', { ...launch, state, from: state }).describe(
  'The state of a slot changed. States of less than about a second may be left out.',
);

const session = alike(z.string(), 'node', 'sessionId');
const sessionJoined = event('session.joined', {
  ...{ ...session, ...alike(z.string(), 'host', 'version'), at: instant },
});
const sessionDraining = event('session.draining', session);
const sessionCordoned = event('session.cordoned', session).describe(
  'An operator keeps the node from new work; `session.uncordoned`: no more.',
);
const sessionUncordoned = event('session.uncordoned', session);
const sessionEnded = event('session.ended', {
  ...session,
  at: instant,
  why: z.string().nullable(),
});

const actorMessage = event('actor.message', {
  from: z.string().nullable().describe('The sender; null: no actor, or the actor of a slot.'),
  to: z.string().describe('The actor; the launch id for the actor of a slot.'),
  ...alike(z.string(), 'node', 'machine', 'event'),
  ...alike(z.string().nullable(), 'launchId', 'job'),
}).describe('A message between actors of the node that answers; not sent again.');
const actorChanged = event('actor.changed', {
  ...alike(z.string(), 'node', 'actor', 'machine'),
  state: z.string().describe('The state as a path, for example `prepare.waiting`.'),
  job: z.string().nullable(),
}).describe('An actor of the node that answers changed its state; not sent again.');
const actorLeftOut = event('actor.left_out', { node: z.string(), events: z.int() }).describe(
  'So many events of actors were left out, as there were too many in one second.',
);

const streamOpened = event('stream.opened', {
  node: z.string().describe('The node that answers.'),
  isResumed: z.boolean(),
});
const streamLive = event('stream.live', {}).describe(
  'Everything since the position was sent; from here on events come as they happen.',
);
const streamStalled = event('stream.stalled', {}).describe(
  'The database does not answer. Nothing is lost; `stream.live` follows.',
);
const streamReset = event('stream.reset', {
  reason: z.enum(['cleaned', 'restored', 'unreadable']),
  message: z.string(),
}).describe('Events between the position and now are missing: read the lists again.');

/** The data of an event, by its type; what a client gets as the text after `data: `. */
export const streamEventSchema = z
  .discriminatedUnion('type', [
    runStarted,
    runEnded,
    slotChanged,
    sessionJoined,
    sessionDraining,
    sessionCordoned,
    sessionUncordoned,
    sessionEnded,
    actorMessage,
    actorChanged,
    actorLeftOut,
    streamOpened,
    streamLive,
    streamStalled,
    streamReset,
  ])
  .openapi('StreamEvent');

export type StreamEventData = z.infer<typeof streamEventSchema>;

/** What a client may request, each the first word of the types of its events. */
export type EventKind = 'run' | 'slot' | 'session' | 'actor';

const names = several(z.string().max(191), 20).optional();

const query = z.strictObject({
  job: names.describe('Only events of these jobs; repeatable.'),
  group: names.describe('Only events of jobs of these groups; repeatable.'),
  kinds: z
    .string()
    .regex(/^(?:run|slot|session|actor)(?:,(?:run|slot|session|actor))*$/)
    .optional()
    .describe('A list of `run`, `slot`, `session` and `actor`. Default: `run,slot,session`.'),
  lastEventId: z
    .string()
    .max(1_000)
    .optional()
    .describe('The same as the header Last-Event-ID, which wins.'),
});
export type EventQuery = z.infer<typeof query>;

export const eventContract = {
  'GET /events': {
    ...{ id: 'getEvents', role: 'viewer', tag: 'events' },
    summary: 'Follow what happens in the cluster',
    description:
      'Server-sent events of all nodes, from any node. The `id` of an event is a position: send ' +
      'it as `Last-Event-ID`, to any node, and the stream continues there. No `run.ended` is ' +
      'left out; the last ones may come again, with the same `runId`. Events of slots and actors ' +
      'are sent only live. A stream ends after some minutes, when the client does not read, and ' +
      'when the token is no longer valid: connect again with the position.',
    query,
    answers: 'A stream of events; a comment each 15 s keeps the connection open.',
    content: { 'text/event-stream': { schema: streamEventSchema } },
  },
} as const satisfies Contract;

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), ...shape });
}
