import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';
import { alike, several, trigger } from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

const instant = z.iso.datetime({ precision: 3 });
const state = z.enum(['idle', 'prepare', 'executing']);

/** What every event about a launch has. */
const launch = {
  group: z.string().describe("the job's group today; default for none"),
  launchId: z.string().nullable().describe('null: ticks that ended without a launch'),
  nodeName: z.string().describe("'' unless the slot is pinned to a node"),
  node: z.string().nullable().describe('the name of the node that has, or had, it'),
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
    .describe('sent once a connection; the same number is the same event, also after a reconnect'),
  result: z.enum(runResults),
  isFinal: z.boolean().describe('false: another attempt follows'),
  scheduledUntil: instant.nullable().describe('the last tick of a range'),
  startedAt: instant.nullable(),
  endedAt: instant,
  exitCode: z.int().nullable(),
  ...alike(z.string().nullable(), 'signal', 'reason'),
  ...alike(z.int(), 'ticks', 'outputBytes'),
}).describe('a row of the history; none is left out, and those since the position come first');

const slotChanged = event('slot.changed', { ...launch, state, from: state }).describe(
  'between two looks at the slots, about a second apart; what came between is not seen',
);

const session = alike(z.string(), 'node', 'sessionId');
const sessionJoined = event('session.joined', {
  ...{ ...session, ...alike(z.string(), 'host', 'version'), at: instant },
});
const sessionDraining = event('session.draining', session);
const sessionEnded = event('session.ended', {
  ...session,
  at: instant,
  why: z.string().nullable(),
});

const actorMessage = event('actor.message', {
  from: z.string().nullable().describe('null: from outside, or from a slot by way of the system'),
  to: z.string().describe("the actor's name; a launch id for the actor of a slot"),
  ...alike(z.string(), 'node', 'machine', 'event'),
  ...alike(z.string().nullable(), 'launchId', 'job'),
}).describe('of the node that serves; not resumed');
const actorChanged = event('actor.changed', {
  ...alike(z.string(), 'node', 'actor', 'machine'),
  state: z.string().describe('as a path, e.g. prepare.waiting'),
  job: z.string().nullable(),
}).describe('of the node that serves; not resumed');
const actorLeftOut = event('actor.left_out', { node: z.string(), events: z.int() }).describe(
  'so many events of actors were more than one second may have',
);

const streamOpened = event('stream.opened', {
  node: z.string().describe('the node that serves'),
  isResumed: z.boolean(),
});
const streamLive = event('stream.live', {}).describe(
  'everything since the position has been sent; from here on events come as they happen',
);
const streamStalled = event('stream.stalled', {}).describe(
  'the database does not answer; nothing is lost, stream.live follows',
);
const streamReset = event('stream.reset', {
  reason: z.enum(['cleaned', 'restored', 'unreadable']),
  message: z.string(),
}).describe('what was between the position and here is not, or not wholly, sent: read it anew');

/** The data of an event, by its type; what a client gets as the text after `data: `. */
export const streamEventSchema = z
  .discriminatedUnion('type', [
    runStarted,
    runEnded,
    slotChanged,
    sessionJoined,
    sessionDraining,
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
  job: names.describe('only of these jobs; repeatable'),
  group: names.describe('only of the jobs of these groups; repeatable'),
  kinds: z
    .string()
    .regex(/^(?:run|slot|session|actor)(?:,(?:run|slot|session|actor))*$/)
    .optional()
    .describe('of run, slot, session and actor; run,slot,session when not given'),
  lastEventId: z
    .string()
    .max(1_000)
    .optional()
    .describe('as the header Last-Event-ID, which counts if there are both'),
});
export type EventQuery = z.infer<typeof query>;

export const eventContract = {
  'GET /events': {
    ...{ id: 'getEvents', role: 'viewer', tag: 'events' },
    summary: 'Follow what happens in the cluster',
    description:
      'Server-sent events of all nodes, from any node. The `id` of an event is a position: sent ' +
      'back as `Last-Event-ID`, to whichever node, it goes on there, and no end of a run is left ' +
      'out; the last ones before it may come again, with the same `runId`. Slots and actors are ' +
      'sent live only. A client that does not read is cut, and a stream ends after some minutes: ' +
      'reconnect with the position. It ends within seconds of its token.',
    query,
    answers: 'A stream that lasts; comments every 15 s keep it alive.',
    content: { 'text/event-stream': { schema: streamEventSchema } },
  },
} as const satisfies Contract;

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.strictObject({ type: z.literal(type), ...shape });
}
