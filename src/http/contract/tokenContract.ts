import { z } from '@hono/zod-openapi';
import { roles } from '../../domain/access/role.ts';
import { fieldChanges } from '../schemas/fieldsSchema.ts';
import {
  alike,
  answerSchema,
  described,
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
  role: z.enum(roles).describe('What it may do: read; run and change jobs; everything.'),
  groups: z
    .array(z.string())
    .nullable()
    .describe('The groups whose jobs it may see; null: every job.'),
  madeAt: isoInstant,
  lastUsedAt: isoInstant
    .nullable()
    .describe('When it let a request in last, to ten minutes; null: never that is known.'),
  expiresAt: isoInstant.nullable(),
  expired: z.boolean(),
});

const tokenOptions = inputSchema('TokenOptions', {
  name: z.string().min(1).max(64),
  role: z.enum(roles),
  groups: z
    .array(nameText)
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .describe('Only for jobs of these groups. Default: every job.'),
  expires: timeText
    .optional()
    .describe('An ISO instant, or a time from now such as `90d`. Default: never.'),
});

const addedToken = answerSchema('TokenAdded', {
  ...alike(z.string(), 'tokenId', 'name'),
  secret: z
    .string()
    .nullable()
    .describe('The token, shown only once; null in the answer to a repeat of the request.'),
});

/** Tokens belong to the whole cluster: one for some groups cannot add others. */
export const tokenContract = {
  'GET /tokens': {
    ...{ id: 'listTokens', role: 'admin', scope: 'cluster', tag: 'tokens' },
    summary: 'List tokens',
    answers: 'All tokens that are not revoked, without their secrets.',
    answer: answerSchema('TokenList', { items: z.array(token) }),
  },
  'POST /tokens': {
    ...{ id: 'addToken', role: 'admin', scope: 'cluster', kept: 'secret', tag: 'tokens' },
    summary: 'Add a token',
    description: 'The token is shown in this answer only; the database has its hash.',
    body: tokenOptions,
    ...{ status: 201, answers: 'The new token.', answer: addedToken },
  },
  'DELETE /tokens/{token}': {
    ...{ id: 'revokeToken', role: 'admin', scope: 'cluster', tag: 'tokens' },
    summary: 'Revoke a token',
    description: 'From the answer on, every node refuses it.',
    answers: 'The token is revoked.',
    answer: z.object({ tokenId: z.string(), name: z.string() }),
  },
} as const satisfies Contract;

const auditRow = answerSchema('AuditRow', {
  auditId: z.int(),
  at: isoInstant,
  ...described(z.string(), {
    actor: 'The name of the token or person, or the user of the command line.',
    requestId: 'The request that made it.',
    action: 'What was done, for example `job.edit`.',
    target: 'The name or id of what was changed.',
  }),
  via: z
    .enum(['api', 'cli', 'proxy'])
    .describe('By a token, by a command line, or by a person whom a trusted proxy names.'),
  ...described(z.string().nullable(), {
    address: 'Where the request came from.',
    group: 'The group of the job, where it is about one.',
  }),
  ...described(z.unknown().nullable(), {
    before: 'The values before the change.',
    after: 'The values after the change.',
  }),
  changes: fieldChanges
    .optional()
    .describe('Of a change of a job, the fields that it changed; null: not given.'),
});

export const auditContract = {
  'GET /audit': {
    ...{ id: 'listAudit', role: 'admin', tag: 'audit' },
    summary: 'List changes and who made them',
    description: 'The audit log, newest first; of a token for some groups only what is about them.',
    query: z.strictObject({
      target: nameText
        .optional()
        .describe('Only changes of the job, token and so on of this name or id.'),
      job: nameText
        .optional()
        .describe('Only changes of the job of this name, also a removed one.'),
      actor: nameText.optional().describe('Only changes by the token or person of this name.'),
      action: timeText
        .optional()
        .openapi({ description: 'Only changes of this kind.', example: 'job.edit' }),
      since: instantOrAgo().optional().describe('Only changes since then.'),
      until: instantOrAgo().optional().describe('Only changes before.'),
      ...pageQuery(200),
    }),
    answers: 'A page of the audit log.',
    answer: answerSchema('AuditPage', { items: z.array(auditRow), next: z.string().nullable() }),
  },
} as const satisfies Contract;
