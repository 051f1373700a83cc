import { z } from '@hono/zod-openapi';
import { roles } from '../../domain/access/role.ts';
import {
  alike,
  answerSchema,
  inputSchema,
  instantOrAgo,
  isoInstant,
  nameText,
  pageQuery,
  timeText,
} from '../schemas/textSchemas.ts';
import type { Contract } from './routeContract.ts';

const token = answerSchema('Token', {
  ...alike(z.string(), 'tokenId', 'name'),
  role: z.enum(roles),
  groups: z.array(z.string()).nullable().describe('Null: every group.'),
  madeAt: isoInstant,
  expiresAt: isoInstant.nullable(),
  expired: z.boolean(),
});

const tokenOptions = inputSchema('TokenOptions', {
  name: z.string().min(1).max(64),
  role: z.enum(roles),
  groups: z.array(nameText).min(1).max(100).nullable().optional(),
  expires: timeText
    .optional()
    .describe('An ISO instant, or a time from now on as 90d; else it does not expire.'),
});

const addedToken = answerSchema('TokenAdded', {
  ...alike(z.string(), 'tokenId', 'name'),
  secret: z
    .string()
    .nullable()
    .describe('The token itself, shown only once; null for a repeat of the same request.'),
});

/** Tokens belong to the whole cluster: one for some groups cannot add others. */
export const tokenContract = {
  'GET /tokens': {
    ...{ id: 'listTokens', role: 'admin', scope: 'cluster', tag: 'tokens' },
    summary: 'List the tokens that are not revoked',
    answers: 'All of them, without their secrets.',
    answer: answerSchema('TokenList', { items: z.array(token) }),
  },
  'POST /tokens': {
    ...{ id: 'addToken', role: 'admin', scope: 'cluster', kept: 'secret', tag: 'tokens' },
    summary: 'Add a token',
    description: 'The token itself is in this answer and nowhere else.',
    body: tokenOptions,
    ...{ status: 201, answers: 'The new token.', answer: addedToken },
  },
  'DELETE /tokens/{token}': {
    ...{ id: 'revokeToken', role: 'admin', scope: 'cluster', tag: 'tokens' },
    summary: 'Revoke a token',
    description: 'From the answer on no node lets it in.',
    answers: 'It is revoked.',
    answer: z.object({ tokenId: z.string(), name: z.string() }),
  },
} as const satisfies Contract;

const auditRow = answerSchema('AuditRow', {
  auditId: z.int(),
  at: isoInstant,
  ...alike(z.string(), 'actor', 'requestId', 'action', 'target'),
  via: z.enum(['api', 'cli']),
  ...alike(z.string().nullable(), 'address', 'group'),
  ...alike(z.unknown().nullable(), 'before', 'after'),
});

export const auditContract = {
  'GET /audit': {
    ...{ id: 'listAudit', role: 'admin', tag: 'audit' },
    summary: 'List changes and who made them, newest first',
    query: z.strictObject({
      target: nameText.optional().describe('Of what has this name or id.'),
      actor: nameText.optional(),
      action: timeText.optional().openapi({ example: 'job.edit' }),
      since: instantOrAgo().optional(),
      until: instantOrAgo().optional(),
      ...pageQuery(200),
    }),
    answers: 'A page of the log.',
    answer: answerSchema('AuditPage', { items: z.array(auditRow), next: z.string().nullable() }),
  },
} as const satisfies Contract;
