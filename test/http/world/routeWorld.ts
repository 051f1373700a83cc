import assert from 'node:assert/strict';
import type { Scope } from '../../support/createDatabase.ts';
import { askRaw, freshAddress, type HeardAnswer, type RawRequest } from './askRaw.ts';
import { type ApiDescription, readApiDescription } from './openApiDocument.ts';
import { sampleRequest, type Things } from './sampleRequest.ts';
import { makeWholeApi, type RouterRoute, type WholeApi } from './wholeApi.ts';

/** Everybody who may come: nobody, with something that is no token, with one, of which rights. */
export const callers = [
  ...(['none', 'bad', 'expired', 'revoked'] as const),
  ...(['viewer', 'operator', 'other group', 'admin'] as const),
] as const;

export type CallerKind = (typeof callers)[number];

/** A whole API with things in it of the group `mine`, and somebody of every kind. */
export interface RouteWorld extends WholeApi {
  readonly description: ApiDescription;
  /** Things that requests may read, and that nobody of this file changes. */
  readonly things: Things;
  /** Others, for a request that changes or removes them. */
  makeThings(): Promise<Things>;
  /** A token that is good for as long as the world is. */
  tokenOf(kind: 'viewer' | 'operator' | 'admin' | 'other group'): string;
  /** Sends a request as somebody of a kind would. */
  askAs(kind: CallerKind, request: RawRequest): Promise<HeardAnswer>;
  sample(route: RouterRoute, things?: Things): ReturnType<typeof sampleRequest>;
}

/** Stands in commands, variables and outputs of the group `mine`, and nowhere else. */
export const marker = 'only-for-the-group-mine';

export async function makeRouteWorld(context: Scope): Promise<RouteWorld> {
  const api = await makeWholeApi(context);
  const tokens = await makeTokens(api);
  const description = await readApiDescription(api.origin);
  const makeThings = () => addThings(api, tokens.admin());
  const things = await makeThings();
  return {
    ...{ ...api, description, things, makeThings },
    tokenOf: (kind) => tokens[kind](),
    askAs: (kind, request) => {
      const token = kind === 'none' ? undefined : tokens[kind]();
      // Those who fail too often from one address are told to wait, which is another test's.
      const isFailing = ['none', 'bad', 'expired', 'revoked'].includes(kind);
      const from = isFailing ? freshAddress() : undefined;
      return askRaw(api.origin, { token, from, ...request });
    },
    sample: (route, of = things) => sampleRequest(route, description, of),
  };
}

/** How often a token that is no good is tried before it is another one's turn: see the limiter. */
const triesMax = 8;

async function makeTokens(api: WholeApi) {
  const secretOf = async (...wishes: Parameters<WholeApi['token']>) =>
    (await api.token(...wishes)).secret;
  const [viewer, operator, admin] = [
    await secretOf('viewer'),
    await secretOf('operator'),
    await secretOf('admin'),
  ];
  const other = await secretOf('admin', { groups: ['others'] });
  const count = Math.ceil((api.routes.length * spellingsMax) / triesMax);
  const ids = Array.from({ length: count }, (_, place) => place);
  const made = await Promise.all(
    ids.map(() => secretOf('admin', { expiresMs: Date.now() - 86_400_000 })),
  );
  const revoked = await Promise.all(ids.map(() => secretOf('admin')));
  // In one statement, as so many transactions would take their time.
  await api.rows(
    `UPDATE api_token SET revoked_no = token_id, revoked_at = NOW(3)
     WHERE token_id IN (?)`,
    [revoked.map((secret) => secret.split('_')[1] ?? '')],
  );
  const inTurn = (texts: readonly string[]) => {
    let asked = 0;
    return () => texts[Math.floor(asked++ / triesMax) % texts.length] as string;
  };
  let bad = 0;
  return {
    bad: () => `statecron_${(++bad).toString(16).padStart(12, '0')}_${'x'.repeat(43)}`,
    expired: inTurn(made),
    revoked: inTurn(revoked),
    ...{ viewer: () => viewer, operator: () => operator, admin: () => admin },
    'other group': () => other,
  };
}

/** A token that is no good is shown so often for each route at most: GET and HEAD. */
const spellingsMax = 2;

let sets = 0;

/** A job of the group `mine` with a run that has ended, and one of each other thing. */
async function addThings(api: WholeApi, admin: string): Promise<Things> {
  sets += 1;
  const ask = async (method: string, path: string, body?: unknown): Promise<HeardAnswer> => {
    const answer = await askRaw(api.origin, {
      ...{ method, path, token: admin, body: JSON.stringify(body ?? {}) },
      headers: { 'content-type': 'application/json', 'if-none-match': '*' },
    });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const named = (what: string): string => `${what}-${sets}`;
  const [job, run, group, token] = [named('job'), named('run'), named('group'), named('token')];
  const target = named('target');
  const secretEnv = { HIDDEN: `${marker}-hidden` };
  const words = { cron: '0 0 1 1 *', command: `echo ${marker}`, group: 'mine', secretEnv };
  await ask('POST', '/api/v1/jobs', { name: job, ...words });
  await ask('PUT', `/api/v1/groups/${group}`, { nodes: ['worker'] });
  await ask('POST', '/api/v1/tokens', { name: token, role: 'viewer' });
  const mail = { kind: 'mail', address: 'ops@example.com' };
  await ask('POST', '/api/v1/notify/targets', { name: target, ...mail });
  await ask('POST', `/api/v1/jobs/${job}/run`, { requestId: run });
  await runOnce(api, job);
  return {
    job,
    run,
    revision: '1',
    group,
    node: 'gone',
    token,
    machine: 'slot',
    page: 'jobs',
    asset: 'page.js',
    target,
    kind: 'job',
    name: job,
  };
}

/** The worker takes what was asked for, and it ends with an output. */
async function runOnce({ worker }: WholeApi, job: string): Promise<void> {
  const launches = await worker.claim();
  const launch = launches.find(({ definition }) => definition.name === job);
  assert.ok(launch, `${job} was not claimed`);
  await worker.start(launch);
  const output = Buffer.from(`${marker}\n`);
  await worker.store.writeOutputs([{ launchId: launch.launchId, output }]);
  await worker.finish(launch, { output, outputBytes: output.length });
}
