import { z } from '@hono/zod-openapi';
import { nameText, runIdText, wholeNumber } from '../schemas/textSchemas.ts';

/** A revision's number that another one can follow. */
export const revisionMax = 2 ** 32 - 2;

/** What stands in paths, by its name there. */
export const pathParameters = {
  group: nameText.openapi({ param: { name: 'group', in: 'path' } }),
  job: nameText.openapi({ param: { name: 'job', in: 'path' }, description: "The job's name." }),
  machine: z
    .string()
    .regex(/^[A-Za-z][0-9A-Za-z-]{0,63}$/, 'the id of a machine is wanted')
    .openapi({ param: { name: 'machine', in: 'path' } }),
  node: nameText.openapi({ param: { name: 'node', in: 'path' } }),
  revision: wholeNumber(1, revisionMax).openapi({ param: { name: 'revision', in: 'path' } }),
  run: runIdText.openapi({
    param: { name: 'run', in: 'path' },
    description: 'The id of its launch or of its request, or its number in the history.',
  }),
  target: nameText.openapi({ param: { name: 'target', in: 'path' } }),
  token: nameText.openapi({ param: { name: 'token', in: 'path' }, description: 'Name or id.' }),
};
