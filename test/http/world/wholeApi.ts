import type { NodeView } from '../../../src/actors/view/nodeView.ts';
import type { Role } from '../../../src/domain/access/role.ts';
import { addNodeRoutes } from '../../../src/http/apiServer.ts';
import type { Api, Needs } from '../../../src/http/authentication/api.ts';
import { tapActors } from '../../../src/http/events/actorTap.ts';
import { EventHub } from '../../../src/http/events/eventHub.ts';
import { ReadinessCheck } from '../../../src/http/health/readiness.ts';
import { NodeMetrics } from '../../../src/http/metrics/nodeMetrics.ts';
import { serveApi } from '../../../src/http/serveApi.ts';
import { type HttpSettings, httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../src/http/server/openListener.ts';
import { NodeActivities } from '../../../src/http/views/nodeActivities.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { openEventReader } from '../../../src/store/events/openEventReader.ts';
import { openGaugeReader } from '../../../src/store/metrics/openGaugeReader.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';

/** A route as the router has it. */
export interface RouterRoute {
  readonly method: string;
  /** `/api/v1/jobs/{job}` */
  readonly path: string;
  /** Undefined: it does not say. */
  readonly role: Needs['x-role'] | undefined;
}

/**
 * A database with a server of all that a node serves. There is no node behind it: what changes in
 * the database, requests have changed. Its one session claims and ends launches when it is told to.
 */
export interface WholeApi extends StoreWorld {
  readonly scope: Scope;
  readonly origin: string;
  /** What the server told its log. */
  readonly troubles: string[];
  /** The router's own list, each route once. */
  readonly routes: readonly RouterRoute[];
  readonly worker: TestNode;
  token(role: Role, options?: TokenOptions): Promise<NewToken>;
}

export interface TokenOptions {
  readonly groups?: readonly string[];
  readonly expiresMs?: number;
}

export interface NewToken {
  readonly name: string;
  readonly tokenId: string;
  readonly secret: string;
}

export async function makeWholeApi(
  context: Scope,
  more: Partial<HttpSettings> = {},
): Promise<WholeApi> {
  const scope = lastFirst(context);
  const world = await makeStoreWorld(scope, 'mariadb');
  const worker = await world.join('worker', { ttlMs: 3_600_000 });
  const troubles: string[] = [];
  const trouble = (what: string, error: unknown): void => {
    troubles.push(`${what}: ${String((error as Error)?.stack ?? error)}`);
  };
  const settings = { ...httpDefaults, port: 0, ...more };
  const listener = await openListener(settings, async () => true);
  if (listener === null) throw new Error('no port is free');
  const database = readDatabaseUrl(world.url);
  let routes: RouterRoute[] = [];
  const parts = openParts(scope, database, trouble);
  const served = serveApi({
    ...{ database, settings, listener, trouble },
    addRoutes: (api) => {
      const told = noteRoles(api);
      addNodeRoutes(api, { ...parts, settings });
      routes = listRoutes(api, told);
    },
  });
  scope.after(() => served.close());
  let tokens = 0;
  const token: WholeApi['token'] = async (role, { groups = null, expiresMs = null } = {}) => {
    tokens += 1;
    const name = `t${tokens}-${role}`;
    const added = await addToken(world.channel, { name, role, groups, expiresMs });
    return { name, tokenId: added.tokenId, secret: added.secret ?? '' };
  };
  return { ...world, scope, origin: listener.url, troubles, routes, worker, token };
}

function openParts(
  scope: Scope,
  database: ReturnType<typeof readDatabaseUrl>,
  trouble: (what: string, error: unknown) => void,
) {
  const reader = openGaugeReader(database);
  const metrics = new NodeMetrics({ reader, jobLabelsMax: 500, trouble });
  const hub = new EventHub({
    node: view.nodeName,
    openReader: () => openEventReader(database, 'events'),
    watchActors: (see) => tapActors(view, see),
    trouble,
  });
  metrics.show(view, () => hub.counts());
  const readSchemaFit = () => reader.schemaFit(view.version);
  scope.after(async () => {
    hub.close();
    await reader.close();
  });
  const activities = new NodeActivities(view, reader);
  return { view, activities, hub, metrics, ready: new ReadinessCheck({ view, readSchemaFit }) };
}

/** What a node that serves tells of itself. */
const view: NodeView = {
  nodeName: 'door',
  sessionId: '0'.repeat(32),
  version: '1.2.3',
  ttlMs: 45_000,
  state: () => 'live.serving',
  leaseLeftMs: () => 40_000,
  silentMs: () => 1_000,
  clockOffsetMs: () => 0,
  load: () => ({
    ...{ held: 0, capacity: 100, running: 0, queueing: 0, concurrency: 10, statements: 0 },
    pool: null,
  }),
  activity: () => ({
    actors: [{ actor: 'node', machine: 'node', state: 'live.serving' }],
    slots: {},
    transitions: [
      {
        ...{ machine: 'node', from: 'node.joining', to: 'node.live' },
        ...{ event: 'done joining', guard: null, count: 1 },
      },
    ],
    guards: [{ machine: 'slot', guard: 'tickHasCome', allowed: 0, refused: 0 }],
  }),
  watch: () => () => undefined,
};

type AnyRoute = { method: string; path: string; 'x-role'?: Needs['x-role'] };

/** Notes what routes that are added from now on say of themselves: the document leaves some out. */
function noteRoles(api: Api): AnyRoute[] {
  const told: AnyRoute[] = [];
  const add = api.openapi as (...all: unknown[]) => unknown;
  api.openapi = ((route: AnyRoute, ...rest: unknown[]) => {
    told.push(route);
    return add(route, ...rest);
  }) as unknown as typeof api.openapi;
  return told;
}

/** The router's routes, with the roles that they were added with. */
function listRoutes(api: Api, told: readonly AnyRoute[]): RouterRoute[] {
  const registered = api.openAPIRegistry.definitions.flatMap((each) =>
    each.type === 'route' ? [each.route as AnyRoute] : [],
  );
  const nameOf = (method: string, path: string) => `${method.toUpperCase()} ${path}`;
  const roles = new Map(
    [...registered, ...told].map((each) => [nameOf(each.method, each.path), each['x-role']]),
  );
  const routes = new Map<string, RouterRoute>();
  for (const { method, path: pattern } of api.routes) {
    // What is done for every request, such as its headers, is no route.
    if (method === 'ALL' && pattern === '/*') continue;
    const path = pattern.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    routes.set(nameOf(method, path), { method, path, role: roles.get(nameOf(method, path)) });
  }
  return [...routes.values()];
}
