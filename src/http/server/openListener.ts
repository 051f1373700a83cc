import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { ConnectionBounds } from './connectionBounds.ts';
import type { HttpSettings } from './httpSettings.ts';
import { awaitAnswer, LoneRequest } from './loneRequest.ts';
import { bodyMsMax, headMsMax, patienceMs } from './patience.ts';
import { readServerTls } from './serverTls.ts';

/** A socket that listens, before and while there is an API behind it. */
export interface HttpListener {
  /** As a client writes it, e.g. `http://127.0.0.1:7700`. */
  readonly url: string;
  /** Hands requests over; those that came before get 503. */
  attach(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /**
   * Reads the certificate again, for connections that come from now on.
   * @throws OperatorError `http_certificate`: the one before stays in use.
   */
  renew(): void;
  /** Takes no more, lets what is being answered end within a second, then cuts it. */
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
  IncomingMessage: LoneRequest,
  // Node would answer at once, and have the next one begin while it still reads.
  requireHostHeader: false,
} as const;

/** A connection on which nothing moves for so long, in either direction, is cut. */
const stillMsMax = 120_000;
const closeMsMax = 1_000;
/** Requests that begin in a turn of the event loop: hundreds may come in one. */
const requestsPerTurn = 8;
/** How many ports are tried when none was named. */
const portsMax = 10;

/**
 * Listens as the settings say. Off this machine's own addresses it does so only when `hasToken`
 * says that somebody could be let in. Where no port was given the next ones will do, too.
 * @throws OperatorError `http_without_token` (75), `http_certificate` (78) and `http_address`: 75
 * when it may come right by itself, as a port that is taken, 78 when it will not.
 */
export async function openListener(
  settings: HttpSettings,
  hasToken: () => Promise<boolean>,
): Promise<HttpListener> {
  const { address } = await lookup(settings.host).catch((error) => {
    throw addressFault(settings, error);
  });
  if (!isLoopback(address) && !(await hasToken())) throw withoutToken(settings.host);
  const ports = settings.isPortWanted || settings.port === 0 ? 1 : portsMax;
  for (let port = settings.port; ; port += 1) {
    const server = makeServer(settings);
    try {
      server.listen(port, address);
      await once(server, 'listening');
      return listenerOf(server, settings);
    } catch (error) {
      const isTaken = (error as { code?: unknown }).code === 'EADDRINUSE';
      const isLast = port === settings.port + ports - 1;
      if (isLast || !isTaken) throw addressFault({ ...settings, port }, error);
    }
  }
}

/** Whether an address is of this machine alone. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';
}

function makeServer(settings: HttpSettings): Server {
  const { tls } = settings;
  const server =
    tls === null
      ? createServer(limits)
      : createTlsServer({ ...limits, ...readServerTls(tls), handshakeTimeout: headMsMax });
  const bounds = new ConnectionBounds(settings);
  server.on(beginOf(settings), (socket) => bounds.add(socket));
  // For those that Node has not closed yet; it gives no reason when it ends one.
  server.maxConnections = 2 * settings.connectionsMax + 100;
  server.setTimeout(stillMsMax);
  endSlowHeads(server, settings);
  return server;
}

/** When there is a connection that requests come by: with TLS after the handshake. */
function beginOf({ tls }: HttpSettings): 'connection' | 'secureConnection' {
  return tls === null ? 'connection' : 'secureConnection';
}

/** Until there is somebody who answers: a browser comes again by itself. */
const starting = { 'retry-after': '1', refresh: '1', 'content-type': 'text/plain' };

function listenerOf(server: Server, { tls }: HttpSettings): HttpListener {
  let answer = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503, starting).end('The node starts. This is tried again each second.\n');
  };
  const beginInTurns = inTurns(requestsPerTurn);
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    awaitAnswer(request, response);
    beginInTurns(() => answer(request, response));
  };
  server.on('request', begin);
  // Whatever else is expected of us is not, and the request is answered as any other is.
  server.on('checkExpectation', begin);
  // Nobody waits for it; a connection that breaks ends by itself.
  server.on('error', () => undefined);
  const { address, family, port } = server.address() as AddressInfo;
  const scheme = tls === null ? 'http' : 'https';
  return {
    url: `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    attach: (next) => {
      answer = next;
    },
    renew: () => {
      if (tls !== null) (server as TlsServer).setSecureContext(readServerTls(tls));
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
    exitCode: exitCodes.tryAgain,
  });
}

/** No such name, no right to the port; a port is freed, an address comes up, a resolver answers. */
const codesForGood: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EACCES', 'EINVAL']);

function addressFault({ host, port }: HttpSettings, cause: unknown): OperatorError {
  const isForGood = codesForGood.has((cause as { code?: unknown }).code);
  return new OperatorError({
    code: 'http_address',
    message: `The API cannot listen on ${host}:${port}: ${(cause as Error).message}.`,
    hint: 'Give another address: --http PORT, --http-host ADDRESS; or none: --http off',
    exitCode: isForGood ? exitCodes.configuration : exitCodes.tryAgain,
    cause,
  });
}

/**
 * What may come by the hundred, and shall not hold up everything else, e.g. every request and the
 * node's own work, for as long: so many of it begin in each turn of the event loop, in the order in
 * which they came. The first begin in the next turn.
 */
function inTurns(perTurn: number): (begin: () => void) => void {
  let waiting: (() => void)[] = [];
  const takeTurn = (): void => {
    const turn = waiting.slice(0, perTurn);
    waiting = waiting.slice(perTurn);
    if (waiting.length > 0) setImmediate(takeTurn);
    for (const begin of turn) begin();
  };
  return (begin) => {
    waiting.push(begin);
    if (waiting.length === 1) setImmediate(takeTurn);
  };
}

/**
 * Ends connections whose first request does not come in. Node's own time-out is for the requests
 * after it: that ends all that are over in one turn of the event loop.
 */
function endSlowHeads(server: Server, settings: HttpSettings): void {
  const timers = new WeakMap<Socket, NodeJS.Timeout>();
  server.on(beginOf(settings), (socket: Socket) => {
    const timer = setTimeout(() => {
      socket.write(tooSlow);
      socket.destroySoon();
    }, patienceMs(headMsMax));
    timers.set(socket, timer);
    socket.once('close', () => clearTimeout(timer));
  });
  server.on('request', ({ socket }) => clearTimeout(timers.get(socket)));
}

/** As Node has it: there is no request yet that could be answered. */
const tooSlow = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';
