import { getRequestListener } from '@hono/node-server';
import type { DatabaseAddress } from '../store/connection/databaseAddress.ts';
import { boundsOfTtl } from '../store/openNodeStore.ts';
import { ChannelPool } from './admission/channelPool.ts';
import { FairQueue } from './admission/fairQueue.ts';
import { HeldPlaces } from './admission/heldPlaces.ts';
import { RateLimit } from './admission/rateLimit.ts';
import type { Api } from './authentication/api.ts';
import { Authenticator } from './authentication/authenticator.ts';
import type { OneTimeLogin } from './authentication/oneTimeLogin.ts';
import { createApi } from './guard/createApi.ts';
import type { GuardParts } from './guard/guardParts.ts';
import { secureHeaders } from './guard/secureAnswer.ts';
import { problemOf } from './problems/problem.ts';
import { refusal } from './problems/refusals.ts';
import { addLoginRoutes } from './routes/loginRoutes.ts';
import type { HttpSettings } from './server/httpSettings.ts';
import type { KeptListener } from './server/keepListening.ts';
import { Calculator } from './work/calculator.ts';

interface ServedApi {
  readonly pool: ChannelPool;
  /** Takes no more requests, and ends those that are being answered within a second. */
  close(): Promise<void>;
}

interface ServeOptions {
  readonly database: DatabaseAddress;
  readonly settings: HttpSettings;
  readonly listener: KeptListener;
  /**
   * Of the node's session (45 s): what falls silent with locks, in the middle of a request, holds
   * others up no longer than the node's own work would.
   */
  readonly ttlMs?: number;
  readonly trouble: (what: string, error: unknown) => void;
  /** The link that logs one browser in; null: there is none. */
  readonly oneTime?: OneTimeLogin | null;
  /** Adds what the API has besides logins. */
  readonly addRoutes: (api: Api, pool: ChannelPool) => void;
}

/** What waits is not read yet, so that it waits in the kernel. */
const bodyBounds = {
  atOnce: 64,
  waitingOfOne: 256,
  waitMsMax: 10_000,
  what: 'requests with a body',
} as const;
/** After a rest so many seconds' worth of changes come at once. */
const changesAtOnceSeconds = 20;

/** So many connections of the database are for the API of a node at most. */
const channelsMax = 4;

/** Serves the API behind a socket that listens already. */
export function serveApi(options: ServeOptions): ServedApi {
  const { database, listener, settings, trouble, ttlMs = 45_000 } = options;
  const pool = new ChannelPool(database, channelsMax, boundsOfTtl(ttlMs).silenceSeconds);
  const parts: GuardParts = {
    ...{ pool, settings, trouble },
    authenticator: new Authenticator(pool),
    calculator: new Calculator(),
    streams: new HeldPlaces(settings.streamsPerTokenMax),
    bodies: new FairQueue({ ...bodyBounds, atOnceOfOne: settings.bodiesPerTokenMax }),
    openBodies: new FairQueue({ ...bodyBounds, atOnceOfOne: settings.bodiesPerTokenMax }),
    changes: new RateLimit({
      atOnce: changesAtOnceSeconds * settings.changesPerSecond,
      refillMs: 1_000 / settings.changesPerSecond,
    }),
    logins: new RateLimit({
      atOnce: settings.loginsPerHour,
      refillMs: 3_600_000 / settings.loginsPerHour,
    }),
  };
  const api = createApi(parts, (routes) => {
    addLoginRoutes(routes, parts, options.oneTime ?? null);
    options.addRoutes(routes, pool);
  });
  const answer = getRequestListener(api.fetch, { errorHandler: answerUnread });
  listener.attach((request, response) => {
    answer(request, response).catch((error) => {
      trouble('a request was not answered', error);
      response.destroy();
    });
  });
  return {
    pool,
    close: async () => {
      parts.bodies.close();
      parts.openBodies.close();
      await listener.close();
      await parts.calculator.close();
      await pool.close();
    },
  };
}

/** What is no valid request never gets to the API: an invalid target or Host. */
function answerUnread(): Response {
  const problem = problemOf(refusal('malformed', 'This is not a valid request.'));
  const headers = { ...secureHeaders, 'content-type': 'application/problem+json' };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}
