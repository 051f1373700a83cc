import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import mysql, { type Connection } from 'mysql2/promise';
import { EventHub, type HubParts } from '../../../src/http/events/eventHub.ts';
import { addEventRoutes } from '../../../src/http/events/eventRoutes.ts';
import { serveApi } from '../../../src/http/serveApi.ts';
import { httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { openEventReader } from '../../../src/store/events/openEventReader.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';
import { type EventStream, openStream, type StreamRequest } from './eventStream.ts';

/** A database with servers of its events, as several nodes would be. */
export interface EventWorld extends StoreWorld {
  readonly scope: Scope;
  /** Serves events; `databaseUrl`: through a proxy. */
  serve(node: string, options?: ServeOptions): Promise<EventServer>;
  token(groups?: readonly string[] | null): Promise<string>;
  /** A connection for transactions of a test's own. */
  connect(): Promise<Connection>;
  /** Writes a row of the history; resolves to its number. */
  writeRun(connection?: Connection, jobId?: number): Promise<number>;
}

export interface ServeOptions extends Partial<HubParts> {
  readonly databaseUrl?: string;
}

export interface EventServer {
  readonly url: string;
  readonly hub: EventHub;
  readonly troubles: string[];
  /** Readers that were opened and closed so far. */
  readonly readers: { opened: number; closed: number };
  stream(request?: Partial<StreamRequest>): Promise<EventStream>;
  connections(): Promise<number>;
  /** Ends as a killed process does. */
  die(): void;
}

/** Makes a migrated database with one job, 1. */
export async function makeEventWorld(context: Scope, engine: Engine): Promise<EventWorld> {
  const scope = lastFirst(context);
  const world = await makeStoreWorld(scope, engine);
  await world.addJob('job', { dueInMs: 3_600_000 });
  const connect = async (): Promise<Connection> => {
    const connection = await mysql.createConnection({ uri: world.url, timezone: 'Z' });
    scope.after(async () => connection.destroy());
    return connection;
  };
  const own = await connect();
  let tokens = 0;
  const token = async (groups: readonly string[] | null = null): Promise<string> => {
    tokens += 1;
    const wishes = { name: `t${tokens}`, role: 'viewer', groups, expiresMs: null } as const;
    return (await addToken(world.channel, wishes)).secret ?? '';
  };
  const usual = await token();
  return {
    ...world,
    scope,
    connect,
    token,
    writeRun: async (connection = own, jobId = 1) => {
      const [result] = await connection.query(insertRun, [jobId]);
      return (result as { insertId: number }).insertId;
    },
    serve: (node, options = {}) => serve(scope, world.url, { node, token: usual, ...options }),
  };
}

const insertRun = `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
    started_at, ended_at, result)
  VALUES (?, 1, 'schedule', 1, NOW(3), NOW(3), NOW(3), 'succeeded')`;

async function serve(
  scope: Scope,
  worldUrl: string,
  { databaseUrl = worldUrl, node, token, ...parts }: ServeOptions & { node: string; token: string },
): Promise<EventServer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const database = readDatabaseUrl(databaseUrl);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const troubles: string[] = [];
  const trouble = (what: string, error: unknown) => void troubles.push(`${what}: ${error}`);
  const readers = { opened: 0, closed: 0 };
  const openReader = () => {
    readers.opened += 1;
    const reader = openEventReader(database, 'events');
    const close = async () => {
      await reader.close();
      readers.closed += 1;
    };
    return { ...reader, close };
  };
  const hub = new EventHub({ node, watchActors: null, trouble, openReader, ...parts });
  const die = (): void => {
    server.close();
    server.closeAllConnections();
  };
  const listener = {
    url,
    attach: (answer: Parameters<typeof server.on>[1]) => void server.on('request', answer as never),
    close: async () => die(),
  };
  const api = serveApi({
    // Tokens are read past the proxy: what is tried here is the stream.
    database: readDatabaseUrl(worldUrl),
    settings: { ...httpDefaults, port: 0 },
    listener: listener as never,
    trouble,
    addRoutes: (routes) => addEventRoutes(routes, hub),
  });
  scope.after(async () => {
    hub.close();
    await api.close();
  });
  return {
    ...{ url, hub, troubles, readers, die },
    connections: () => promisify(server.getConnections.bind(server))(),
    stream: (request = {}) => openStream(url, { token, ...request }),
  };
}
