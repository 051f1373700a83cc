import { z } from '@hono/zod-openapi';
import { described, isoInstant } from './textSchemas.ts';

/** Who paused something, and how long. */
export const pauseShape = {
  ...described(z.string(), {
    by: "Who made the pause; `''`: that is not kept.",
    note: "Why, for others to read; `''`: nothing was said.",
  }),
  since: isoInstant,
  until: isoInstant.nullable().describe('When it ends by itself; null: when it is resumed.'),
};
