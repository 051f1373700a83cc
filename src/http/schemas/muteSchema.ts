import { z } from '@hono/zod-openapi';
import { muteKinds } from '../../domain/notifications/mute.ts';
import { answerSchema, described, isoInstant } from './textSchemas.ts';

/** Since when and until when something is muted, by whom and why. */
export const muteTime = {
  ...described(isoInstant, { since: 'Since when.', until: 'When it ends by itself.' }),
  ...described(z.string(), { by: 'Who muted it.', note: "Why; `''`: nothing was said." }),
};

/** A mute in force. */
export const muteSchema = answerSchema('MuteShown', {
  kind: z.enum(muteKinds).describe('What is muted; `group`: the jobs of a group.'),
  name: z.string(),
  ...muteTime,
});
