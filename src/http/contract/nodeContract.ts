import { z } from '@hono/zod-openapi';
import { roles } from '../../domain/access/role.ts';
import { answerSchema, inputSchema } from '../schemas/textSchemas.ts';
import type { Contract, Shown } from './routeContract.ts';

const caller = answerSchema('Caller', {
  name: z.string(),
  role: z.enum(roles),
  groups: z
    .array(z.string())
    .nullable()
    .describe('The only groups whose jobs it sees; null: every job.'),
});

/** Logins of browsers. */
export const loginContract = {
  'POST /login': {
    ...{ id: 'postLogin', role: 'anyone', tag: 'logins' },
    summary: 'Log a browser in by a token',
    description:
      'For a page of this very node: the cookie is not for other sites, nor for scripts.',
    body: z.strictObject({ token: z.string().max(200) }),
    ...{ answers: 'The browser is logged in for some hours.', answer: caller },
  },
  'POST /logout': {
    ...{ id: 'postLogout', role: 'viewer', tag: 'logins' },
    summary: 'Log a browser out',
    ...{ status: 204, answers: 'The browser is logged out.' },
  },
  'GET /caller': {
    ...{ id: 'getCaller', role: 'viewer', tag: 'logins' },
    summary: 'Read what the token of the request may do',
    ...{ answers: 'The name, role and groups of the token.', answer: caller },
  },
} as const satisfies Contract;

const check = { isOk: z.boolean() };
const readiness = inputSchema('Readiness', {
  isReady: z.boolean(),
  node: z.string(),
  checks: z.strictObject({
    serving: z.strictObject({ ...check, state: z.string() }),
    lease: z.strictObject({ ...check, leftMs: z.int() }),
    database: z.strictObject({ ...check, answeredAgoMs: z.int() }),
    schema: z.strictObject({ ...check, fit: z.enum(['fits', 'older', 'newer', 'unknown']) }),
  }),
});
export type Readiness = Shown<typeof readiness>;

/** Of a node's health, at the root. */
export const healthContract = {
  'GET /livez': {
    ...{ id: 'getLivez', role: 'anyone', tag: 'health' },
    summary: 'Check that the process answers',
    description: 'Reads no database: a process that answers need not be killed.',
    ...{ answers: 'It answers.', answer: z.strictObject({ isAlive: z.literal(true) }) },
  },
  'GET /readyz': {
    ...{ id: 'getReadyz', role: 'anyone', tag: 'health' },
    summary: 'Check that the node does its work',
    ...{ answers: 'It does.', answer: readiness },
    otherAnswers: {
      503: {
        description: 'It does not; the checks say why.',
        content: { 'application/json': { schema: readiness } },
      },
    },
  },
} as const satisfies Contract;

export const metricsContract = {
  'GET /metrics': {
    ...{ id: 'getMetrics', role: 'viewer', tag: 'health' },
    summary: 'Metrics of the node for Prometheus',
    description: 'What begins with `statecron_cluster_` is the same on every node: use `max`.',
    answers: 'The text format of Prometheus.',
    content: { 'text/plain': { schema: z.string() } },
  },
} as const satisfies Contract;

const page = { role: 'anyone', tag: 'document', isHidden: true } as const;

export const documentContract = {
  'GET /openapi.json': {
    ...{ ...page, id: 'getDocument', summary: 'Read the OpenAPI 3.1 document of this API' },
    answers: 'The document.',
  },
  'GET /docs': {
    ...{ ...page, id: 'getDocs', summary: 'Read the same as a page', answers: 'The page.' },
  },
  'GET /docs/style.css': {
    ...{ ...page, id: 'getStyle', summary: 'Read the style of that page', answers: 'The style.' },
  },
} as const satisfies Contract;
