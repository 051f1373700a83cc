import { z } from '@hono/zod-openapi';
import { roles } from '../../domain/access/role.ts';
import { isoInstant } from '../schemas/jobSchemas.ts';
import { instantOrAgo, nameText, pageQuery } from '../schemas/querySchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const token = z
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
export type TokenView = Shown<typeof token>;

const tokenWishes = z
  .strictObject({
    name: z.string().min(1).max(64),
    role: z.enum(roles),
    groups: z.array(nameText).min(1).max(100).nullable().optional(),
    expires: z.string().max(40).optional().openapi({
      description: 'An ISO instant, or a time from now on as 90d; else it does not expire.',
    }),
  })
  .openapi('TokenWishes');

const addedToken = z
  .object({
    tokenId: z.string(),
    name: z.string(),
    secret: z.string().nullable().openapi({
      description: 'The token itself, shown only once; null for a repeat of the same request.',
    }),
  })
  .openapi('TokenAdded');

/** Tokens are the whole cluster's: one for some groups makes none. */
export const tokenContract = {
  'GET /tokens': {
    ...{ id: 'listTokens', role: 'admin', scope: 'cluster', tag: 'tokens' },
    summary: 'List the tokens that are not revoked',
    answers: 'All of them, without their secrets.',
    answer: z.object({ items: z.array(token) }).openapi('TokenList'),
  },
  'POST /tokens': {
    ...{ id: 'addToken', role: 'admin', scope: 'cluster', kept: 'secret', tag: 'tokens' },
    summary: 'Make a token',
    description: 'The token itself is in this answer and nowhere else.',
    body: tokenWishes,
    ...{ status: 201, answers: 'It is made.', answer: addedToken },
  },
  'DELETE /tokens/{token}': {
    ...{ id: 'revokeToken', role: 'admin', scope: 'cluster', tag: 'tokens' },
    summary: 'Revoke a token',
    description: 'From the answer on no node lets it in.',
    answers: 'It is revoked.',
    answer: z.object({ tokenId: z.string(), name: z.string() }),
  },
} as const satisfies Contract;

const auditRow = z
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

export const auditContract = {
  'GET /audit': {
    ...{ id: 'listAudit', role: 'admin', tag: 'audit' },
    summary: 'Who changed what, newest first',
    query: z.strictObject({
      target: nameText.optional().openapi({ description: 'Of what has this name or id.' }),
      actor: nameText.optional(),
      action: z.string().max(40).optional().openapi({ example: 'job.edit' }),
      since: instantOrAgo().optional(),
      until: instantOrAgo().optional(),
      ...pageQuery(200),
    }),
    answers: 'A page of the log.',
    answer: z
      .object({ items: z.array(auditRow), next: z.string().nullable() })
      .openapi('AuditPage'),
  },
} as const satisfies Contract;
