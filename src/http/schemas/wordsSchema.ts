import { z } from '@hono/zod-openapi';
import type { JobFlag } from '../../domain/words/jobFlag.ts';
import { jobFlags, propertyOf } from '../../domain/words/jobFlags.ts';
import { pauseFlags } from '../../domain/words/pauseFlags.ts';

/** A text longer than this is in no word: what a whole request may have is bounded, too. */
const textCharactersMax = 1024 * 1024;
const itemsMax = 1_000;
/** A list of which each may have a name of a job. */
const itemCharactersMax = 1_024;

const text = z.string().max(textCharactersMax);
const item = z.string().max(itemCharactersMax);

/** Which words a job cannot do without. */
const neededWords: ReadonlySet<string> = new Set(['cron', 'command']);

const wordShape = shapeOf(jobFlags);

const patchShape = Object.fromEntries(
  jobFlags.map((flag) => {
    const schema = flag.kind === 'variables' ? patchOfVariables() : schemaOf(flag);
    const described = schema
      .nullable()
      .optional()
      .openapi({ description: descriptionOf(flag) });
    return [propertyOf(flag.flag), described];
  }),
);

/** All that a job is: what a word does not say is as usual. */
export const wordsSchema = z
  .strictObject(wordShape)
  .openapi('JobWords', { description: 'The fields of a job, as in a file of jobs, in camelCase.' });

export const newJobSchema = z
  .strictObject({
    name: z.string().max(itemCharactersMax).openapi({ description: 'Unique in the cluster.' }),
    ...wordShape,
    ...shapeOf(pauseFlags),
    origin: item.optional().openapi({ description: 'Where an imported job came from.' }),
  })
  .openapi('NewJob');

export const wordsPatchSchema = z
  .strictObject({
    ...patchShape,
    origin: item.optional().openapi({ description: 'Where it is imported from by now.' }),
  })
  .openapi('JobPatch', {
    description: 'A JSON merge patch (RFC 7396) of the fields of the job: null removes a field.',
  });

function shapeOf(flags: readonly JobFlag[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    flags.map((flag) => {
      const schema = schemaOf(flag).openapi({ description: descriptionOf(flag) });
      return [propertyOf(flag.flag), neededWords.has(flag.flag) ? schema : schema.optional()];
    }),
  );
}

function schemaOf(flag: JobFlag): z.ZodType {
  switch (flag.kind) {
    case 'text':
      return text;
    case 'list':
      return z.union([item, z.array(item).max(itemsMax)]);
    case 'variables':
      return z.record(z.string().max(itemCharactersMax), text);
    case 'duration':
      return z.string().max(40).openapi({ example: '1h30m' });
    case 'size':
      return z.union([z.string().max(20), z.int().min(0)]).openapi({ example: '64KiB' });
    case 'switch':
      return z.boolean();
    case 'number':
      return z.int().min(flag.least).max(flag.most);
    case 'choice':
      return z.enum(flag.choices as readonly [string, ...string[]]);
    case 'choices':
      return z.array(z.enum(flag.choices as readonly [string, ...string[]])).max(itemsMax);
  }
}

function patchOfVariables(): z.ZodType {
  return z.record(z.string().max(itemCharactersMax), text.nullable());
}

function descriptionOf(flag: JobFlag): string {
  const sentence = flag.text.replace(/; (may be repeated|repeatable)$/, '');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
