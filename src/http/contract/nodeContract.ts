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
    .describe('The groups whose jobs it may see; null: every job.'),
});

/** Logins of browsers. */
export const loginContract = {
  'POST /login': {
    ...{ id: 'postLogin', role: 'anyone', tag: 'logins' },
    summary: 'Log a browser in',
    description:
      'Sets a cookie for pages of this node that scripts cannot read. Send the header Origin, as ' +
      'browsers do.',
    body: z.strictObject({
      token: z
        .string()
        .max(200)
        .describe('A token, or what is in the link that `statecron up` prints, which works once.'),
    }),
    ...{ answers: 'The browser is logged in for some hours.', answer: caller },
  },
  'POST /logout': {
    ...{ id: 'postLogout', role: 'viewer', tag: 'logins' },
    summary: 'Log a browser out',
    ...{ status: 204, answers: 'The browser is logged out.' },
  },
  'GET /caller': {
    ...{ id: 'getCaller', role: 'viewer', tag: 'logins' },
    summary: 'Read the role of your token',
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
    summary: 'Check that the process is alive',
    description: 'Reads no database. Restart the node when this fails.',
    ...{ answers: 'The process is alive.', answer: z.strictObject({ isAlive: z.literal(true) }) },
  },
  'GET /readyz': {
    ...{ id: 'getReadyz', role: 'anyone', tag: 'health' },
    summary: 'Check that the node is ready',
    description: 'It serves, its lease is good, the database answers, and the schema fits.',
    ...{ answers: 'The node is ready.', answer: readiness },
    otherAnswers: {
      503: {
        description: 'The node is not ready; `checks` says why.',
        content: { 'application/json': { schema: readiness } },
      },
    },
  },
} as const satisfies Contract;

export const metricsContract = {
  'GET /metrics': {
    ...{ id: 'getMetrics', role: 'viewer', tag: 'health' },
    summary: 'Read metrics for Prometheus',
    description:
      'Metrics that begin with `statecron_cluster_` are the same on every node: aggregate them ' +
      'with `max`, the others with `sum`. `--metrics-open` shows them without a token.',
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
    ...{ ...page, id: 'getDocs', summary: 'Read the pages of the documentation' },
    answers: 'A page that lists them.',
  },
  'GET /docs/': {
    ...{ ...page, id: 'getDocsFolder', summary: 'Read the pages of the documentation' },
    answers: 'They are at /docs.',
  },
  'GET /docs/reference': {
    ...{ ...page, id: 'getReference', summary: 'Read the document of this API as a page' },
    answers: 'The page.',
  },
  'GET /docs/style.css': {
    ...{ ...page, id: 'getStyle', summary: 'Read the style of the pages', answers: 'The style.' },
  },
  'GET /docs/{page}': {
    ...{ ...page, id: 'getPage', summary: 'Read a page of the documentation, or a picture of one' },
    answers: 'The page.',
  },
} as const satisfies Contract;

export const pageContract = {
  'GET /': {
    ...{ ...page, id: 'getApp', summary: 'Load the page' },
    answers: 'The page.',
  },
  'GET /assets/{asset}': {
    ...{ ...page, id: 'getAsset', summary: 'Load a file of the page', answers: 'The file.' },
  },
} as const satisfies Contract;
