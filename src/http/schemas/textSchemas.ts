import { z } from '@hono/zod-openapi';
import { parseDuration } from '../../domain/time/duration.ts';
import { parseInstant } from '../../domain/time/parseInstant.ts';

/** An instant in UTC with milliseconds. */
export const isoInstant = z.iso.datetime().openapi({ example: '2030-01-31T09:30:00.000Z' });

/** What starts a launch. */
export const trigger = z
  .enum(['schedule', 'manual', 'misfire', 'queue', 'retry', 'backfill', 'chain'])
  .describe(
    'What started it: its tick, a request, a tick made up for, the queue of an overlap, a retry, ' +
      'a backfill, or the end of another job.',
  );

/** Fields of an object that have the same schema, by their names. */
export function alike<Schema extends z.ZodType, Name extends string>(
  schema: Schema,
  ...names: readonly Name[]
): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** The same, with what each is for. */
export function described<Schema extends z.ZodType, Name extends string>(
  schema: Schema,
  texts: Readonly<Record<Name, string>>,
): Record<Name, Schema> {
  const entries = Object.entries<string>(texts);
  return Object.fromEntries(entries.map(([name, text]) => [name, schema.describe(text)])) as Record<
    Name,
    Schema
  >;
}

/** An object of an answer, by its name in the document. */
export function answerSchema<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return z.object(shape).openapi(name);
}

/** An object of a request, which has no other fields, by its name in the document. */
export function inputSchema<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return z.strictObject(shape).openapi(name);
}

/** A whole number in a URL. */
export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, 'a whole number is wanted')
    .transform(Number)
    .pipe(z.number().min(least).max(most))
    .openapi({ type: 'integer', minimum: least, maximum: most });
}

/** Yes or no in a URL. */
export function yesOrNo() {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .openapi({ type: 'boolean' });
}

/** What may be named several times in a URL: `tag=a&tag=b`. */
export function several(item: z.ZodString, most: number) {
  return z
    .union([item, z.array(item).max(most)])
    .transform((value) => (typeof value === 'string' ? [value] : value))
    .openapi({ type: 'array', items: { type: 'string' }, maxItems: most });
}

/** A time: an ISO instant with its zone, or how long ago by the node's clock, e.g. `7d`. */
export function instantOrAgo() {
  const read = (text: string): number | null => {
    const agoMs = parseDuration(text);
    return parseInstant(text) ?? (typeof agoMs === 'number' ? Date.now() - agoMs : null);
  };
  return readTime(read, 'an instant, or a time ago as 7d, is wanted').openapi({
    ...{ type: 'string', example: '7d' },
  });
}

/** A length of time of up to a year, as milliseconds. */
export function duration() {
  const read = (text: string): number | null => {
    const lengthMs = parseDuration(text);
    return typeof lengthMs === 'number' && lengthMs <= yearMs ? lengthMs : null;
  };
  return readTime(read, 'a length of time as 1h30m is wanted, at most 366d').openapi({
    ...{ type: 'string', example: '1h' },
  });
}

const yearMs = 366 * 86_400_000;

/** An ISO instant with its zone, as epoch milliseconds. */
export function instant() {
  return readTime(parseInstant, 'write an instant as 2030-01-31T09:30:00Z').openapi({
    ...{ type: 'string', format: 'date-time' },
  });
}

/** An instant or a duration that is read later. */
export const timeText = z.string().max(40);

function readTime(read: (text: string) => number | null, message: string) {
  return z
    .string()
    .max(40)
    .transform((text, context) => {
      const instantMs = read(text);
      if (instantMs !== null) return instantMs;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    });
}

/** A name in a path or a query; what it may be is checked where it is looked up. */
export const nameText = z.string().min(1).max(1_024);

/** The id of a launch or a request, or the number of a run. */
export const runIdText = z
  .string()
  .regex(/^[0-9A-Za-z._:-]{1,64}$/, '1 to 64 letters, digits and . _ : - are allowed');

/**
 * The id of a request, as the client chooses it; those of chains are statecron's own, and so are
 * numbers, which name runs, whoever's they are.
 */
export const requestIdText = runIdText
  .refine((text) => !text.startsWith('chain:'), { message: 'may not begin with "chain:"' })
  .refine((text) => !/^\d+$/.test(text), { message: 'may not be a number' });

/** Variables of one request, beside those of the job. */
export const variables = z.record(z.string().max(1_024), z.string().max(256 * 1024));

/** `?limit=` and `?after=`, the two parameters of every list that goes on. */
export function pageQuery(most: number) {
  return {
    limit: wholeNumber(1, most).optional().describe('The most items of the page.'),
    after: z.string().max(1_024).optional().describe('`next` of the page before.'),
  };
}

/** `next` of a page that may be short. */
export const nextPage = z
  .string()
  .nullable()
  .describe('Send it as `after` to read the next page. Null: this is the last page.');

/** `If-Match`, which a change of what was read comes with. */
export const ifMatchHeader = z.object({
  'if-match': z
    .string()
    .max(1_000)
    .optional()
    .describe('The ETag of the version that was read, or `*` for any version.'),
});
