import type { Role } from '../../../src/domain/access/role.ts';
import { addApiRoutes } from '../../../src/http/routes/addApiRoutes.ts';
import { serveApi } from '../../../src/http/serveApi.ts';
import { httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../src/http/server/openListener.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { lastFirst } from '../../support/lastFirst.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeStoreWorld, type StoreWorld } from '../../support/storeWorld.ts';

/** A database with a server of its API. */
export interface ApiWorld extends StoreWorld {
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** What the server told its log. */
  readonly troubles: string[];
  token(role: Role, groups?: readonly string[] | null): Promise<string>;
  /** Asks as an admin of every group unless another token is given. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
}

export interface AskOptions {
  readonly body?: unknown;
  /** A body as it is, with its type. */
  readonly text?: string;
  readonly type?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as they come
  readonly json: any;
}

export async function makeApiWorld(context: Scope, engine: Engine = 'mariadb'): Promise<ApiWorld> {
  const scope = lastFirst(context);
  const world = await makeStoreWorld(scope, engine);
  const troubles: string[] = [];
  const settings = { ...httpDefaults, port: 0 };
  const listener = await openListener(settings, async () => true);
  if (listener === null) throw new Error('no port is free');
  const api = serveApi({
    ...{ database: readDatabaseUrl(world.url), settings, listener },
    trouble: (what, error) => troubles.push(`${what}: ${String((error as Error)?.stack ?? error)}`),
    addRoutes: (routes) => addApiRoutes(routes, '1.2.3'),
  });
  scope.after(() => api.close());
  let tokens = 0;
  const token: ApiWorld['token'] = async (role, groups = null) => {
    tokens += 1;
    const wishes = { name: `${role}-${tokens}`, role, groups, expiresMs: null };
    return (await addToken(world.channel, wishes)).secret ?? '';
  };
  const admin = await token('admin');
  const ask: ApiWorld['ask'] = (method, path, options = {}) =>
    askAt(`${listener.url}${path}`, method, { token: admin, ...options });
  return { ...world, origin: listener.url, troubles, token, ask };
}

async function askAt(url: string, method: string, options: AskOptions): Promise<Answer> {
  const { body, text, token, headers = {} } = options;
  const sent = text ?? (body === undefined ? null : JSON.stringify(body));
  const type = options.type ?? (sent === null ? null : 'application/json');
  const response = await fetch(url, {
    method,
    body: sent,
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(type === null ? {} : { 'content-type': type }),
      ...headers,
    },
  });
  const answer = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const json = isJson && answer !== '' ? JSON.parse(answer) : null;
  return { status: response.status, headers: response.headers, text: answer, json };
}
