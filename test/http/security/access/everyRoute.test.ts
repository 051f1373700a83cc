import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isRoleEnough } from '../../../../src/domain/access/role.ts';
import { fileScope } from '../../../support/testEngine.ts';
import type { HeardAnswer } from '../../world/askRaw.ts';
import { type CallerKind, callers, makeRouteWorld, marker } from '../../world/routeWorld.ts';
import { tableChecksums } from '../../world/tableChecksums.ts';
import type { RouterRoute } from '../../world/wholeApi.ts';

const world = await makeRouteWorld(fileScope);
const { routes } = world;

/** What somebody is to be told, by nothing but the role that the route says it needs. */
type Verdict = 'open' | 'unauthenticated' | 'role_forbidden' | 'let in' | 'other group';

function verdictOf(role: RouterRoute['role'], kind: CallerKind): Verdict {
  if (role === undefined) throw new Error('it does not say whom it is for');
  if (role === 'anyone') return 'open';
  if (kind === 'other group') return 'other group';
  if (kind === 'viewer' || kind === 'operator' || kind === 'admin') {
    return isRoleEnough(kind, role) ? 'let in' : 'role_forbidden';
  }
  return 'unauthenticated';
}

/** What the guard says; a route itself never does. */
const guardCodes = new Set([
  ...['unauthenticated', 'too_many_failures', 'role_forbidden', 'group_forbidden'],
  ...['origin_forbidden', 'host_unknown', 'path_missing', 'method_wrong'],
]);
const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** GET is asked as HEAD, too. */
const asked = routes.flatMap((route) =>
  route.method === 'GET' ? [route, { ...route, method: 'HEAD' }] : [route],
);

function requireVerdict(verdict: Verdict, answer: HeardAnswer, told: string): void {
  const { status, text } = answer;
  const said = `${told}: ${status} ${text.slice(0, 300)}`;
  assert.ok(status < 500 || told.includes('/readyz'), said);
  // A HEAD has no body to read the code of.
  const code = (answer.json as { code?: string } | undefined)?.code;
  if (verdict === 'unauthenticated') assert.equal(status, 401, said);
  else if (verdict === 'role_forbidden') assert.equal(status, 403, said);
  else if (verdict === 'let in') {
    assert.ok(![401, 403, 405].includes(status), said);
    assert.ok(code === undefined || !guardCodes.has(code), said);
  }
  const isGuarded = verdict === 'unauthenticated' || verdict === 'role_forbidden';
  if (isGuarded && code !== undefined) assert.equal(code, verdict, said);
}

test('the router has routes, and each says whom it is for', () => {
  assert.ok(routes.length >= 50, `${routes.length} routes`);
  const silent = routes.filter(({ role }) => role === undefined);
  assert.deepEqual(silent, []);
  const names = routes.map(({ method, path }) => `${method} ${path}`);
  for (const known of ['GET /api/v1/events', 'GET /events', 'GET /metrics', 'GET /docs']) {
    assert.ok(names.includes(known), known);
  }
});

const objects = 'XXL-JOB #3333 CVE-2023-48089, CVE-2023-33779, CVE-2022-36157, GHSA-6rq7-m52p-8pqg';
describe(`${objects}, dagu CVE-2026-31882: every route asks who it is, and whose it is`, () => {
  for (const route of asked) {
    test(`${route.method} ${route.path} refuses whom it is not for, and nothing changes`, () =>
      requireRefusals(route));
  }
});

async function requireRefusals(route: RouterRoute): Promise<void> {
  const before = await tableChecksums(world);
  for (const kind of callers) {
    const verdict = verdictOf(route.role, kind);
    if (verdict === 'let in') continue;
    const answer = await world.askAs(kind, world.sample(route));
    const told = `${route.method} ${route.path} as ${kind}`;
    requireVerdict(verdict, answer, told);
    // A token of another group gets in, and finds nothing there that is not its own.
    assert.ok(!answer.text.includes(marker), `${told} is told of another group: ${answer.text}`);
  }
  assert.deepEqual(await tableChecksums(world), before);
}

describe('Nezha CVE-2026-49396: nothing that reads changes anything', () => {
  for (const route of asked.filter(({ method }) => isSafe(method))) {
    test(`${route.method} ${route.path} lets in whom it is for, and changes nothing`, async () => {
      const before = await tableChecksums(world);
      for (const kind of callers) {
        if (verdictOf(route.role, kind) !== 'let in') continue;
        const answer = await world.askAs(kind, world.sample(route));
        requireVerdict('let in', answer, `${route.method} ${route.path} as ${kind}`);
        assert.equal(answer.status, 200, answer.text);
        if (route.method === 'HEAD') assert.equal(answer.text, '');
        assert.ok(!answer.text.includes(`${marker}-hidden`), 'a secret variable was told');
      }
      assert.deepEqual(await tableChecksums(world), before);
    });
  }
});

describe('what changes something', () => {
  for (const route of asked.filter(({ method }) => !isSafe(method))) {
    test(`${route.method} ${route.path} lets in whom it is for, and is in the log`, async () => {
      for (const kind of callers) {
        if (verdictOf(route.role, kind) !== 'let in') continue;
        const sample = world.sample(route, await world.makeThings());
        const answer = await requireAudited(() => world.askAs(kind, sample));
        requireVerdict('let in', answer, `${route.method} ${route.path} as ${kind}`);
        // The table would say little if what it sends were refused for another reason.
        assert.ok(answer.status < 300 || refusedFor(answer), answer.text);
      }
    });
  }
});

/** Tables that tell of no change: locks, and what a node is asked to tell of a run just now. */
const silent = new Set(['lock_row', 'run_live']);

async function requireAudited(work: () => Promise<HeardAnswer>): Promise<HeardAnswer> {
  const before = await tableChecksums(world);
  const answer = await work();
  const now = await tableChecksums(world);
  const changed = Object.keys(now).filter((table) => now[table] !== before[table]);
  const isChanged = changed.some((table) => !silent.has(table));
  assert.equal(changed.includes('audit_log'), isChanged, `${changed} changed: ${answer.text}`);
  return answer;
}

/** The things that are there have ended, or were never there: no fault of the request. */
function refusedFor({ json }: HeardAnswer): boolean {
  return ['run_ended', 'node_missing'].includes((json as { code: string }).code);
}

test('what is for anyone answers everybody alike', async () => {
  for (const route of asked.filter(({ role }) => role === 'anyone')) {
    const statuses = new Set<number>();
    for (const kind of callers) {
      statuses.add((await world.askAs(kind, world.sample(route))).status);
    }
    assert.equal(statuses.size, 1, `${route.method} ${route.path}: ${[...statuses]}`);
  }
});

test('nothing of it was a mistake of ours', () => {
  assert.deepEqual(world.troubles, []);
});
