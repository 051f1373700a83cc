import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run.ts';
import { isoInstant } from './jobSchemas.ts';
import { instantOrAgo, nameText, pageQuery, runIdText, several, yesOrNo } from './querySchemas.ts';

export const runSchema = z
  .object({
    job: z.string(),
    group: z.string(),
    runId: z.int().nullable().openapi({ description: 'Null while it has no row of the history.' }),
    nodeName: z.string(),
    slotNo: z.int(),
    launchId: z.string().nullable().openapi({ description: 'Null for ticks without a launch.' }),
    trigger: z.enum(['schedule', 'manual', 'misfire', 'queue', 'retry', 'backfill', 'chain']),
    attempt: z.int(),
    scheduledFor: isoInstant,
    startedAt: isoInstant.nullable(),
    endedAt: isoInstant.nullable(),
    result: z.enum(runResults).nullable().openapi({ description: 'Null: it has not ended.' }),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    node: z.string().nullable(),
    outputBytes: z.int(),
    scheduledUntil: isoInstant.nullable(),
    ticks: z.int(),
    reason: z.string().nullable(),
    isFinal: z.boolean(),
    requestId: z.string().nullable(),
    revision: z.int(),
  })
  .openapi('Run');

export const runPageSchema = z
  .object({
    items: z.array(runSchema),
    next: z.string().nullable().openapi({
      description: '`after` of the next page; null: there is none. A page may be short before.',
    }),
  })
  .openapi('RunPage');
export type RunPageJson = z.infer<typeof runPageSchema>;

export const runListQuery = z.strictObject({
  job: nameText.optional().openapi({ description: 'Of the job of this name, removed ones too.' }),
  request: runIdText.optional().openapi({ description: 'That came by this request.' }),
  result: several(z.string().max(16), runResults.length).optional(),
  node: nameText.optional().openapi({ description: 'That this node had.' }),
  final: yesOrNo().optional().openapi({ description: 'Only last attempts.' }),
  since: instantOrAgo().optional().openapi({ description: 'Ended then or later.' }),
  until: instantOrAgo().optional().openapi({ description: 'Ended before.' }),
  running: yesOrNo().optional().openapi({
    description: 'What executes now instead of what has ended, in one page.',
  }),
  ...pageQuery(1_000),
});

/** The path of one run. */
export const runPath = z.object({
  run: runIdText.openapi({
    param: { name: 'run', in: 'path' },
    description: 'The id of its launch or of its request, or its number in the history.',
  }),
});

export const logQuery = z.strictObject({
  format: z.enum(['text', 'json']).optional().openapi({ description: 'As it is, or in JSON.' }),
});

export const logSchema = z
  .object({
    launchId: z.string().nullable(),
    outputBytes: z.int().openapi({ description: 'All that it wrote.' }),
    keptBytes: z.int(),
    text: z.string(),
    base64: z.string(),
  })
  .openapi('RunLog');

export const liveBody = z
  .strictObject({
    seenBytes: z
      .int()
      .min(0)
      .max(2 ** 52)
      .optional(),
  })
  .openapi('LiveQuestion');

export const liveSchema = z
  .object({
    outputBytes: z.int(),
    base64: z.string().nullable().openapi({
      description: 'The last bytes; null: nothing more than was seen.',
    }),
    isTold: z.boolean().openapi({ description: 'Its node has reported it.' }),
  })
  .openapi('LiveLook');
export type LiveJson = z.infer<typeof liveSchema>;

export const stopBody = z.strictObject({
  waitingOnly: z.boolean().optional().openapi({
    description: 'Of a request only what still waits for its turn, not what has been claimed.',
  }),
});

export const stoppedSchema = z
  .object({
    launchId: z.string().nullable(),
    answer: z.enum(['withdrawn', 'asked', 'ended']),
    withdrawn: z.int().openapi({ description: 'Launches of the request that never start.' }),
  })
  .openapi('RunStopped');
export type StoppedJson = z.infer<typeof stoppedSchema>;

export const retriedSchema = z
  .object({
    job: z.string(),
    launchId: z.string(),
    requestId: z.string().nullable(),
    attempt: z.int(),
    isNew: z.boolean(),
  })
  .openapi('RunRetried');
export type RetriedJson = z.infer<typeof retriedSchema>;
