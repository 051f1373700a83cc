import { createServer, Socket } from 'node:net';
import type { Scope } from '../../support/createDatabase.ts';
import { FaultRegister } from './faultRegister.ts';
import { freePort } from './freePort.ts';
import { ProxiedConnection, type ProxySurroundings } from './proxiedConnection.ts';
import { listenAt, refuseAt } from './sockets.ts';
import type { ArmedFault, FaultRequest } from './statementFault.ts';
import { type Direction, Weather } from './weather.ts';

/** A proxy before one database server that knows the MySQL protocol. */
export interface FaultProxy {
  /** The URL that it was made with, leading through it; its path, user and password kept. */
  readonly url: string;
  readonly port: number;
  /** Where new connections lead. */
  readonly target: string;
  /** Each fault is done to one statement; of several that match, the oldest is. */
  arm(fault: FaultRequest): ArmedFault;
  /** New connections lead to another server from now on, like a name that moves. */
  retarget(url: string): void;
  /** Resets every connection; new ones are taken. */
  cutAll(): void;
  /** New connections are refused, as by a host without a server; those that are there go on. */
  refuse(on: boolean): void;
  /**
   * Nothing passes, of the end of a connection neither. What was sent meanwhile arrives when it
   * ends, as by TCP's retransmission, even when the sender is gone by then.
   */
  blackHole(direction: Direction | null): void;
  /** Everything arrives so much later, in both directions. */
  delay(delayMs: number): void;
  /** Of each connection, in each direction; 0: unlimited. */
  throttle(bytesPerSecond: number): void;
  /** Ends every fault, also the armed; half-open connections are reset. */
  heal(): void;
  connections(): number;
  /** Connections that it took so far. */
  taken(): number;
  /** Statements that came from clients so far. */
  statements(): number;
  close(): Promise<void>;
}

/** Starts a proxy before the server of a URL; it closes with its scope. */
export async function startFaultProxy(scope: Scope, targetUrl: string): Promise<FaultProxy> {
  const port = await freePort();
  const connections = new Set<ProxiedConnection>();
  const weather = new Weather();
  const faults = new FaultRegister();
  let target = new URL(targetUrl);
  let [statements, taken] = [0, 0];
  const surroundings: ProxySurroundings = {
    weather,
    faults,
    onStatement: () => {
      statements += 1;
    },
    onClosed: (connection) => connections.delete(connection),
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    taken += 1;
    connections.add(new ProxiedConnection(client, connectTo(target), surroundings));
  });
  const pumpAll = () => connections.forEach((connection) => void connection.pump());
  const cutAll = () => connections.forEach((connection) => void connection.reset());
  const refuse = (on: boolean) => refuseAt(server, port, on);
  await listenAt(server, port);
  const close = async () => {
    faults.clear();
    server.close();
    cutAll();
  };
  scope.after(close);
  return {
    url: leadTo(targetUrl, port),
    port,
    get target() {
      return target.href;
    },
    arm: (fault) => faults.arm(fault),
    retarget: (url) => {
      target = new URL(url);
    },
    cutAll,
    refuse,
    blackHole: (direction) => {
      weather.hold(direction);
      pumpAll();
    },
    delay: (delayMs) => {
      weather.delayMs = delayMs;
    },
    throttle: (bytesPerSecond) => {
      weather.bytesPerSecond = bytesPerSecond;
      pumpAll();
    },
    heal: () => {
      weather.clear();
      faults.clear();
      for (const connection of connections) if (connection.isHalfOpen) connection.reset();
      pumpAll();
      refuse(false);
    },
    connections: () => connections.size,
    taken: () => taken,
    statements: () => statements,
    close,
  };
}

function connectTo(target: URL): Socket {
  const socketPath = target.searchParams.get('socketPath');
  const socket = new Socket({ allowHalfOpen: true });
  if (socketPath !== null) socket.connect(socketPath);
  else socket.connect(Number(target.port || 3306), target.hostname);
  return socket;
}

function leadTo(targetUrl: string, port: number): string {
  const url = new URL(targetUrl);
  url.searchParams.delete('socketPath');
  url.host = `127.0.0.1:${port}`;
  return url.href;
}
