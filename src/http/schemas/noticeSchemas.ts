import { z } from '@hono/zod-openapi';
import { noticeEvents } from '../../domain/notices/notice.ts';
import { targetBounds, targetKinds } from '../../domain/notices/noticeTarget.ts';
import { isoInstant } from './jobSchemas.ts';
import { nameText, wholeNumber } from './querySchemas.ts';

const events = z.array(z.enum(noticeEvents)).max(noticeEvents.length);
const address = z.string().min(1).max(targetBounds.addressCharactersMax);
const longMs = z.int().min(targetBounds.longMsMin).max(targetBounds.longMsMax).nullable();
const minuteMax = z.int().min(1).max(targetBounds.minuteMax);
const secret = z.string().max(128);

export const targetPath = z.object({
  target: nameText.openapi({ param: { name: 'target', in: 'path' } }),
});

export const targetBody = z
  .strictObject({
    name: z.string().min(1).max(targetBounds.nameCharactersMax),
    kind: z.enum(targetKinds),
    address: address.openapi({ description: 'A mail address, or a URL.' }),
    secret: secret.optional().openapi({
      description: 'whsec_… to sign webhooks with; absent: a new one, in the answer.',
    }),
    events: events.optional().openapi({ description: 'Which events of any job it gets.' }),
    longMs: longMs.optional().openapi({ description: 'With long-running: how long, in ms.' }),
    minuteMax: minuteMax.optional().openapi({ description: 'Messages a minute, about.' }),
  })
  .openapi('NoticeTargetWishes');

export const targetChangeBody = z
  .strictObject({
    address: address.optional(),
    secret: secret.optional(),
    events: events.optional(),
    longMs: longMs.optional(),
    minuteMax: minuteMax.optional(),
  })
  .openapi('NoticeTargetChange');

export const addedTargetSchema = z
  .object({
    name: z.string(),
    secret: z.string().nullable().openapi({
      description: 'The new secret, shown only once; null: it was given, or there is none.',
    }),
  })
  .openapi('NoticeTargetAdded');

export const changedTargetSchema = z.object({ name: z.string(), changed: z.boolean() });
export const removedTargetSchema = z.object({ name: z.string(), removed: z.boolean() });
export const testedTargetSchema = z.object({ name: z.string(), id: z.string() });
export const retriedNoticesSchema = z.object({ name: z.string(), notices: z.int() });

export const targetSchema = z.object({
  name: z.string(),
  kind: z.enum(targetKinds),
  address: z.string(),
  events,
  longMs: z.int().nullable(),
  minuteMax: z.int(),
  waiting: z.int(),
  givenUp: z.int(),
  lastSentAt: isoInstant.nullable(),
  lastError: z.string().nullable(),
});

export const targetListSchema = z
  .object({ items: z.array(targetSchema) })
  .openapi('NoticeTargetList');
export type TargetListJson = z.infer<typeof targetListSchema>;

export const noticeQuery = z.strictObject({
  target: nameText.optional(),
  limit: wholeNumber(1, 10_000).optional(),
});

export const noticeSchema = z.object({
  id: z.string(),
  target: z.string(),
  event: z.string(),
  state: z.enum(['waiting', 'sent', 'digested', 'dropped', 'given_up']),
  facts: z.looseObject({}),
  createdAt: isoInstant,
  dueAt: isoInstant,
  endedAt: isoInstant.nullable(),
  tries: z.int(),
  lastError: z.string().nullable(),
});

export const noticeListSchema = z.object({ items: z.array(noticeSchema) }).openapi('NoticeList');
export type NoticeListJson = z.infer<typeof noticeListSchema>;
