import { z } from '@hono/zod-openapi';
import { jobFields, pauseFields } from '../../domain/job/fields.ts';
import type { Field } from '../../domain/job/fieldTable/field.ts';
import { leastGiven } from '../../domain/job/readField.ts';
import { alike, inputSchema } from './textSchemas.ts';

/** A text longer than this is in no field: what a whole request may have is bounded, too. */
const textCharactersMax = 1024 * 1024;
const itemsMax = 1_000;
/** A list of which each may have a name of a job. */
const itemCharactersMax = 1_024;

const text = z.string().max(textCharactersMax);
const item = z.string().max(itemCharactersMax);

const fieldShape = shapeOf(jobFields);

const patchShape = Object.fromEntries(
  jobFields.map((field) => {
    const schema = field.kind === 'variables' ? patchOfVariables() : schemaOf(field);
    const description = descriptionOf(field);
    return [field.key, schema.nullable().optional().openapi({ description })];
  }),
);

/** All that a job is: a field that is not given has its default. */
export const fieldsSchema = z.strictObject(fieldShape).openapi('JobFields', {
  description: 'The fields of a job. A field that is left out has its default.',
});

export const newJobSchema = inputSchema('NewJob', {
  name: z.string().max(itemCharactersMax).describe('The name of the job, unique in the cluster.'),
  ...fieldShape,
  ...shapeOf(pauseFields),
  origin: item.optional().describe('The file and line that the job was imported from.'),
});

export const fieldsPatchSchema = z
  .strictObject({
    ...patchShape,
    origin: item.optional().describe('The file and line that the job was imported from.'),
  })
  .openapi('JobPatch', {
    description: 'A JSON merge patch (RFC 7396): null sets a field back to its default.',
  });

/** Fields as they were and as they are, in the form that they are given in; null: not given. */
export const fieldChanges = z.array(
  z.object({ field: z.string(), ...alike(z.unknown().nullable(), 'before', 'after') }),
);

function shapeOf(fields: readonly Field[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    fields.map((field) => {
      const schema = schemaOf(field).openapi({ description: descriptionOf(field) });
      return [field.key, field.isNeeded ? schema : schema.optional()];
    }),
  );
}

function schemaOf(field: Field): z.ZodType {
  switch (field.kind) {
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
      return z.int().min(leastGiven(field)).max(field.most);
    case 'choice':
      return z.enum(Object.keys(field.choices));
    case 'choices':
      return z.array(z.enum(field.choices)).max(itemsMax);
  }
}

function patchOfVariables(): z.ZodType {
  return z.record(z.string().max(itemCharactersMax), text.nullable());
}

/** The help of its flag as sentences, with what each of its choices means. */
function descriptionOf(field: Field): string {
  const sentence = field.help.replace(/; (may be repeated|repeatable)$/, '');
  const help = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  if (field.kind !== 'choice') return help;
  const choices = Object.entries(field.choices).map(([name, text]) => `\`${name}\`: ${text}`);
  return `${help} ${choices.join('; ')}.`;
}
