import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exitCodes, OperatorError } from '../../domain/errors.ts';
import type { HttpSettings } from '../httpSettings.ts';
import { inTurns } from '../inTurns.ts';
import { bringsBody } from './bringsBody.ts';
import { endSlowHeads } from './endSlowHeads.ts';
import { bodyMsMax, headMsMax } from './patience.ts';

/** A socket that listens, before and while there is an API behind it. */
export interface HttpListener {
  /** As a client writes it, e.g. `http://127.0.0.1:7700`. */
  readonly url: string;
  /** Hands requests over; those that came before are told 503. */
  attach(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Takes no more, lets what is being answered end within a moment, then cuts it. */
  close(): Promise<void>;
}

/** Every wait for a client is bounded: it may be slow for a while, not for ever. */
const limits = {
  headersTimeout: headMsMax,
  requestTimeout: bodyMsMax,
  connectionsCheckingInterval: 1_000,
  // Longer than proxies keep a connection that is idle: one that we end just as they use it again
  // costs their client an answer.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
} as const;

/** A connection on which nothing moves for so long, in either direction, is cut. */
const stillMsMax = 120_000;
const closeMsMax = 1_000;
/** Requests that bring a body let others go first: they wait for the rest of it anyway. */
const bodiesPerTurn = 8;
/** How many ports are tried when none was asked for. */
const portsMax = 10;

/**
 * Listens as the settings say. Off this machine's own addresses it does so only when `hasToken`
 * says that somebody could be let in: who opens a door to others has made a key before.
 * @throws OperatorError `http_without_token`, `http_address` (78). Null: no port was asked for, and
 * those that were tried are taken.
 */
export async function openListener(
  settings: HttpSettings,
  hasToken: () => Promise<boolean>,
): Promise<HttpListener | null> {
  const { address } = await lookup(settings.host).catch((error) => {
    throw addressFault(settings, error);
  });
  if (!isLoopback(address) && !(await hasToken())) throw withoutToken(settings.host);
  const ports = settings.isPortWanted || settings.port === 0 ? 1 : portsMax;
  for (let port = settings.port; port < settings.port + ports; port += 1) {
    const server = makeServer(settings.connectionsMax);
    try {
      server.listen(port, address);
      await once(server, 'listening');
      return listenerOf(server);
    } catch (error) {
      const isTaken = (error as { code?: unknown }).code === 'EADDRINUSE';
      if (settings.isPortWanted || !isTaken) throw addressFault(settings, error);
    }
  }
  return null;
}

/** Whether only this machine itself gets there. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';
}

function makeServer(connectionsMax: number): Server {
  const server = createServer(limits);
  server.maxConnections = connectionsMax;
  server.setTimeout(stillMsMax);
  endSlowHeads(server);
  return server;
}

function listenerOf(server: Server): HttpListener {
  let answer = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503, { 'retry-after': '1' }).end();
  };
  const beginInTurns = inTurns(bodiesPerTurn);
  server.on('request', (request, response) => {
    if (bringsBody(request)) beginInTurns(() => answer(request, response));
    else answer(request, response);
  });
  // Nobody waits for it; a connection that breaks ends by itself.
  server.on('error', () => undefined);
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    attach: (next) => {
      answer = next;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const cut = setTimeout(() => server.closeAllConnections(), closeMsMax);
      await closed;
      clearTimeout(cut);
    },
  };
}

function withoutToken(host: string): OperatorError {
  return new OperatorError({
    code: 'http_without_token',
    message: `${host} is reached by other machines, and there is no token of the API yet.`,
    hint: 'Make one first: statecron token add NAME --role admin',
    exitCode: exitCodes.configuration,
  });
}

function addressFault({ host, port }: HttpSettings, cause: unknown): OperatorError {
  return new OperatorError({
    code: 'http_address',
    message: `The API cannot listen on ${host}:${port}: ${(cause as Error).message}.`,
    hint: 'Give another address: --http PORT, --http-host ADDRESS; or none: --http off',
    exitCode: exitCodes.configuration,
    cause,
  });
}
