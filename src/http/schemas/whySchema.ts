import { z } from '@hono/zod-openapi';
import { runResults } from '../../domain/run/run.ts';
import { checkNames, checkStates } from '../../domain/why/check.ts';
import { answerStates } from '../../domain/why/explainJob.ts';
import { muteSchema } from './muteSchema.ts';
import { alike, answerSchema, described, isoInstant, trigger } from './textSchemas.ts';

const check = answerSchema('WhyCheck', {
  check: z.enum(checkNames).describe('What was looked at.'),
  state: z
    .enum(checkStates)
    .describe('`failed`: it keeps runs from starting; `unknown`: that cannot be told.'),
  text: z.string().describe('One sentence; instants in it are in UTC.'),
  ...described(z.string().nullable(), {
    reason: 'What the history says of ticks that are kept so.',
    link: 'The path of what shows more.',
    hint: 'The command that helps.',
  }),
});

const node = answerSchema('WhyNode', {
  node: z.string(),
  level: z.int().nullable().describe('Null: it is not live.'),
  may: z.boolean().describe('Whether it may take the next run.'),
  keptBy: z
    .array(z.object({ by: z.string(), text: z.string() }))
    .describe(
      'What keeps it: `target`, `level`, `outranked`, `draining`, `format`, `user`, ' +
        '`capacity`, `concurrency`, `silent` or `away`, and a sentence.',
    ),
});

const last = z.object({
  ...alike(z.int(), 'runId'),
  ...alike(z.string().nullable(), 'launchId', 'node', 'reason'),
  trigger,
  result: z.enum(runResults),
  ...described(isoInstant, { scheduledFor: 'Its tick.', endedAt: 'When it ended.' }),
  startedAt: isoInstant.nullable(),
});

/** Why a job has not run, and when it will. */
export const whySchema = answerSchema('JobWhy', {
  ...alike(z.string(), 'job', 'group', 'timezone'),
  ...alike(z.int(), 'jobId', 'revision'),
  now: isoInstant.describe('The present time by the clock of the database.'),
  state: z
    .enum(answerStates)
    .describe('As in the list of jobs, and `removed`. What keeps it is `because`.'),
  text: z.string().describe('The answer in a sentence or two; instants in it are in UTC.'),
  because: z.enum(checkNames).nullable().describe('The check that the answer is from.'),
  checks: z.array(check).describe('Everything that may keep it, in the order of the questions.'),
  mutes: z.array(muteSchema).describe('What holds back its notifications.'),
  nodes: z.array(node).describe('Those that may run it come first.'),
  nodesLeftOut: z.int().describe('Nodes beside those that are listed.'),
  next: z
    .array(
      z.object({
        tick: isoInstant,
        startsAt: isoInstant.describe('The tick, or later by the splay.'),
      }),
    )
    .describe('The next ticks, which run if nothing keeps them; observed ones are only recorded.'),
  last: last.nullable().describe('The last row of its history.'),
});
