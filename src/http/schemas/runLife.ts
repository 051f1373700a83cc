import { z } from '@hono/zod-openapi';
import { markKinds } from '../../domain/life/lifeMarks.ts';
import { phaseNames } from '../../domain/life/runLife.ts';
import { answerSchema, described, isoInstant } from './textSchemas.ts';

/** The life of a run: its phases, what happened, and what was said of it. */
export const runLife = answerSchema('RunLife', {
  at: isoInstant
    .nullable()
    .describe('When it was read: the last phase goes on until then. Null: the run has ended.'),
  phases: z
    .array(
      answerSchema('LifePhase', {
        name: z.enum(phaseNames).describe('`unknown`: its node was lost.'),
        states: z
          .array(z.string())
          .describe('The states of the machine `slot` in which it may have been.'),
        ...described(isoInstant.nullable(), {
          begin: 'Null: not known.',
          end: 'Null: it has not ended; of a run that has ended: not known.',
        }),
        text: z.string().describe('What the phase is and what is not known of it, for people.'),
      }),
    )
    .describe('One after the other.'),
  marks: z
    .array(
      answerSchema('LifeMark', {
        kind: z.enum(markKinds),
        at: isoInstant.describe('When it happened, or is to happen.'),
        text: z.string().describe('What happened, for people.'),
      }),
    )
    .describe('By time.'),
  messages: z
    .array(
      answerSchema('LifeMessage', {
        at: isoInstant.describe('By the database’s clock.'),
        from: z.string().nullable().describe('Null: a timer, a promise, or from outside.'),
        to: z.string().describe('The machine of the actor that was sent it.'),
        event: z.string().describe('Its type, as the drawing of the machine has it.'),
        state: z
          .string()
          .nullable()
          .describe(
            'Where it took the machine of the slot. Null: it is for another, or changed nothing.',
          ),
      }),
    )
    .nullable()
    .describe('What the actors of its node said of it. Null: nobody looked then.'),
});
