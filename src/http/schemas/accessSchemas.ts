import { z } from '@hono/zod-openapi';
import { roles } from '../../domain/role.ts';
import { isoInstant } from './jobSchemas.ts';
import { instantOrAgo, nameText, pageQuery } from './querySchemas.ts';

export const auditQuery = z.strictObject({
  target: nameText.optional().openapi({ description: 'Of what has this name or id.' }),
  actor: nameText.optional(),
  action: z.string().max(40).optional().openapi({ example: 'job.edit' }),
  since: instantOrAgo().optional(),
  until: instantOrAgo().optional(),
  ...pageQuery(200),
});

const auditSchema = z
  .object({
    auditId: z.int(),
    at: isoInstant,
    actor: z.string(),
    via: z.enum(['api', 'cli']),
    requestId: z.string(),
    address: z.string().nullable(),
    action: z.string(),
    target: z.string(),
    group: z.string().nullable(),
    before: z.unknown().nullable(),
    after: z.unknown().nullable(),
  })
  .openapi('AuditRow');

export const auditPageSchema = z
  .object({ items: z.array(auditSchema), next: z.string().nullable() })
  .openapi('AuditPage');

export const tokenSchema = z
  .object({
    tokenId: z.string(),
    name: z.string(),
    role: z.enum(roles),
    groups: z.array(z.string()).nullable().openapi({ description: 'Null: every group.' }),
    madeAt: isoInstant,
    expiresAt: isoInstant.nullable(),
    expired: z.boolean(),
  })
  .openapi('Token');

export const tokenListSchema = z.object({ items: z.array(tokenSchema) }).openapi('TokenList');
export type TokenListJson = z.infer<typeof tokenListSchema>;

export const tokenBody = z
  .strictObject({
    name: z.string().min(1).max(64),
    role: z.enum(roles),
    groups: z.array(nameText).min(1).max(100).nullable().optional(),
    expires: z.string().max(40).optional().openapi({
      description: 'An ISO instant, or a time from now on as 90d; else it does not expire.',
    }),
  })
  .openapi('TokenWishes');

export const addedTokenSchema = z
  .object({
    tokenId: z.string(),
    name: z.string(),
    secret: z.string().nullable().openapi({
      description: 'The token itself, shown only once; null for a repeat of the same request.',
    }),
  })
  .openapi('TokenAdded');
export type AddedTokenJson = z.infer<typeof addedTokenSchema>;

export const revokedTokenSchema = z.object({ tokenId: z.string(), name: z.string() });

export const tokenPath = z.object({
  token: nameText.openapi({ param: { name: 'token', in: 'path' }, description: 'Name or id.' }),
});
