import assert from 'node:assert/strict';
import { makeApiServer } from '../../../src/http/apiServer.ts';
import { httpDefaults } from '../../../src/http/server/httpSettings.ts';
import { openListener } from '../../../src/http/server/openListener.ts';
import { type RunningNode, startNode } from '../../../src/startNode.ts';
import { readDatabaseUrl } from '../../../src/store/connection/databaseAddress.ts';
import { addToken } from '../../../src/store/tokens/addToken.ts';
import type { ActorWorld } from '../../actors/actorWorld.ts';
import { within } from '../../support/until.ts';
import { type EventStream, openStream } from '../events/eventStream.ts';

/** A node with its API, as its clients see it. */
export interface Watched {
  readonly url: string;
  readonly token: string;
  readonly running: RunningNode;
  get(path: string, token?: string | null): Promise<{ status: number; text: string }>;
  stream(query: string): Promise<EventStream>;
}

interface WatchedOptions {
  readonly databaseUrl?: string;
  readonly isMetricsOpen?: boolean;
  readonly metricsJobsMax?: number;
}

/** A whole node in this process with its API, whose children are a ledger. */
export async function watchNode(world: ActorWorld, options: WatchedOptions = {}): Promise<Watched> {
  const { databaseUrl = world.url, ...more } = options;
  const settings = { ...httpDefaults, port: 0, ...more };
  const listener = await openListener(settings, async () => false);
  assert.ok(listener);
  const wishes = { name: 'test', role: 'viewer', groups: null, expiresMs: null } as const;
  const token = (await addToken(world.channel, wishes)).secret ?? '';
  const nothing = (): void => undefined;
  const running = startNode({
    database: readDatabaseUrl(databaseUrl),
    nodeName: 'a',
    settings: {
      ...{ capacity: 100, concurrency: 4, horizonMs: 30_000, ttlMs: 60_000, drainTimeoutMs: 100 },
    },
    threads: 1,
    version: '1.2.3',
    reports: {
      ...{ serving: nothing, draining: nothing, waitingForName: nothing, runEnded: nothing },
      ...{ batchEnded: nothing, trouble: nothing },
    },
    guardian: null,
    makeApi: (...args) => makeApiServer({ settings, listener }, ...args),
    makeExecutor: () => world.ledger.executor('a'),
  });
  world.scope.after(async () => {
    running.drain();
    running.drain();
    for (const entry of world.ledger.running('a')) entry.end({ result: 'stopped' });
    await within('the node has ended', running.ended);
  });
  const { url } = listener;
  return {
    ...{ url, token, running },
    get: async (path, given = token) => {
      const connection = { connection: 'close' };
      const headers =
        given === null ? connection : { ...connection, authorization: `Bearer ${given}` };
      const response = await fetch(`${url}${path}`, { headers });
      return { status: response.status, text: await response.text() };
    },
    stream: (query) => openStream(url, { token, query }),
  };
}
