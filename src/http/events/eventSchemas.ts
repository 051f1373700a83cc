import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';

const instant = z.iso.datetime({ precision: 3 });
const triggers = ['schedule', 'manual', 'misfire', 'queue', 'retry', 'backfill', 'chain'] as const;

/** What every event about a launch has. */
const launch = {
  job: z.string(),
  group: z.string().describe("the job's group today; default for none"),
  launchId: z.string().nullable().describe('null: ticks that ended without a launch'),
  revision: z.int(),
  nodeName: z.string().describe("'' unless the slot is pinned to a node"),
  slotNo: z.int(),
  node: z.string().nullable().describe('the name of the node that has, or had, it'),
  sessionId: z.string().nullable(),
  trigger: z.enum(triggers),
  attempt: z.int(),
  requestId: z.string().nullable(),
  scheduledFor: instant,
};

const runStarted = z.strictObject({
  type: z.literal('run.started'),
  ...launch,
  startedAt: instant,
});

const runEnded = z
  .strictObject({
    type: z.literal('run.ended'),
    ...launch,
    runId: z
      .int()
      .describe(
        'sent once a connection; the same number is the same event, also after a reconnect',
      ),
    result: z.enum(runResults),
    isFinal: z.boolean().describe('false: another attempt follows'),
    scheduledUntil: instant.nullable().describe('the last tick of a range'),
    ticks: z.int(),
    startedAt: instant.nullable(),
    endedAt: instant,
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    reason: z.string().nullable(),
    outputBytes: z.int(),
  })
  .describe('a row of the history; none is left out, and those since the position come first');

const slotChanged = z
  .strictObject({
    type: z.literal('slot.changed'),
    ...launch,
    state: z.enum(['idle', 'prepare', 'executing']),
    from: z.enum(['idle', 'prepare', 'executing']),
  })
  .describe('between two looks at the slots, about a second apart; what came between is not seen');

const session = { node: z.string(), sessionId: z.string() };
const sessionJoined = z.strictObject({
  type: z.literal('session.joined'),
  ...session,
  host: z.string(),
  version: z.string(),
  at: instant,
});
const sessionDraining = z.strictObject({ type: z.literal('session.draining'), ...session });
const sessionEnded = z.strictObject({
  type: z.literal('session.ended'),
  ...session,
  at: instant,
  why: z.string().nullable(),
});

const actorMessage = z
  .strictObject({
    type: z.literal('actor.message'),
    node: z.string(),
    from: z.string().nullable().describe('null: from outside, or from a slot by way of the system'),
    to: z.string().describe("the actor's name; a launch id for the actor of a slot"),
    machine: z.string(),
    event: z.string(),
    launchId: z.string().nullable(),
    job: z.string().nullable(),
  })
  .describe('of the node that serves; not resumed');
const actorChanged = z
  .strictObject({
    type: z.literal('actor.changed'),
    node: z.string(),
    actor: z.string(),
    machine: z.string(),
    state: z.string().describe('as a path, e.g. prepare.waiting'),
    job: z.string().nullable(),
  })
  .describe('of the node that serves; not resumed');
const actorLeftOut = z
  .strictObject({ type: z.literal('actor.left_out'), node: z.string(), events: z.int() })
  .describe('so many events of actors were more than one second may have');

const streamOpened = z.strictObject({
  type: z.literal('stream.opened'),
  node: z.string().describe('the node that serves'),
  isResumed: z.boolean(),
});
const streamLive = z
  .strictObject({ type: z.literal('stream.live') })
  .describe('everything since the position has been sent; from here on events come as they happen');
const streamStalled = z
  .strictObject({ type: z.literal('stream.stalled') })
  .describe('the database does not answer; nothing is lost, stream.live follows');
const streamReset = z
  .strictObject({
    type: z.literal('stream.reset'),
    reason: z.enum(['cleaned', 'restored', 'unreadable']),
    message: z.string(),
  })
  .describe('what was between the position and here is not, or not wholly, sent: read it anew');

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

/** What a client may ask for, each the first word of the types of its events. */
const eventKinds = ['run', 'slot', 'session', 'actor'] as const;
export type EventKind = (typeof eventKinds)[number];

const namesMax = 20;
const names = z
  .union([z.string().max(191), z.array(z.string().max(191)).max(namesMax)])
  .transform((given) => (typeof given === 'string' ? [given] : given));

/** The query of a stream. */
export const eventQuerySchema = z.strictObject({
  job: names.optional().describe('only of these jobs; repeatable'),
  group: names.optional().describe('only of the jobs of these groups; repeatable'),
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

export type EventQuery = z.infer<typeof eventQuerySchema>;
