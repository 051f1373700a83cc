import type { Logger } from 'pino';
import { OperatorError } from '../../domain/errors/errors.ts';
import type { ApiServerOptions } from '../../http/apiServer.ts';
import type { HttpSettings } from '../../http/server/httpSettings.ts';
import { keepListening } from '../../http/server/keepListening.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { boundsOfTtl } from '../../store/openNodeStore.ts';
import { hasToken } from '../../store/tokens/listTokens.ts';
import { withChannel } from '../connect/withChannel.ts';

const retryMs = 5_000;

/**
 * Begins to listen for a node's API, before the node joins: an address that can never be had is an
 * error while nothing runs yet. Anything else costs a warning, and is tried again: the node works
 * without its API meanwhile. So does one that the guardian has started again, whatever the reason.
 * Null: there is to be none.
 */
export async function openApiListener(
  { database, http: settings }: { database: DatabaseAddress; http: HttpSettings | null },
  isRestarted: boolean,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<ApiServerOptions | null> {
  if (settings === null) return null;
  const reports = {
    listens: (url: string) => log.info(`the API listens on ${url}`),
    cannot: (error: Error) => {
      const meanwhile = `The node works without it; it is tried again every ${retryMs / 1000} s.`;
      // The hint comes last: one that ends with a command has no full stop to be copied with it.
      const hint = error instanceof OperatorError ? ` ${error.hint}` : '';
      log.warn(`${error.message} ${meanwhile}${hint}`);
    },
  };
  const patience = { retryMs, isForAnything: isRestarted };
  const isTokenThere = () => withChannel(database, hasToken, 'tokens', boundsOfTtl(45_000));
  return { settings, listener: await keepListening(settings, isTokenThere, reports, patience) };
}
