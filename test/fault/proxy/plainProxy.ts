import { createServer, Socket } from 'node:net';
import type { Scope } from '../../support/createDatabase.ts';
import type { FaultProxy } from './faultProxy.ts';
import { freePort } from './freePort.ts';
import { PlainConnection, type RequestCut } from './plainConnection.ts';
import { listenAt, refuseAt } from './sockets.ts';
import { Weather } from './weather.ts';

/** What can be done to all connections of a proxy, whatever they speak. */
export type LineWeather = Pick<
  FaultProxy,
  'cutAll' | 'refuse' | 'blackHole' | 'delay' | 'throttle' | 'heal'
>;

/** A proxy before an HTTP server on this machine. */
export interface PlainProxy extends LineWeather {
  /** `http://127.0.0.1:PORT`, through it. */
  readonly url: string;
  /** Where it leads to: the server's own port, free when the proxy starts. */
  readonly targetPort: number;
  /** Breaks the connection at the next request that may change something. */
  arm(cut: RequestCut): ArmedCut;
  close(): Promise<void>;
}

export interface ArmedCut {
  /** Resolves as soon as it was met. */
  readonly hit: Promise<void>;
  /** It waits no longer. */
  cancel(): void;
}

interface Waiting {
  readonly cut: RequestCut;
  readonly met: () => void;
}

/** Starts a proxy to a port that nobody listens on yet; it closes with its scope. */
export async function startPlainProxy(scope: Scope): Promise<PlainProxy> {
  const [port, targetPort] = [await freePort(), await freePort()];
  const connections = new Set<PlainConnection>();
  const weather = new Weather();
  const waiting: Waiting[] = [];
  const surroundings = {
    weather,
    takeCut: (request: Buffer): RequestCut | null => {
      if (!changes.test(request.toString('latin1', 0, methodBytes))) return null;
      const first = waiting.shift();
      first?.met();
      return first?.cut ?? null;
    },
    onClosed: (connection: PlainConnection) => connections.delete(connection),
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = new Socket({ allowHalfOpen: true });
    target.connect(targetPort, '127.0.0.1');
    connections.add(new PlainConnection(client, target, surroundings));
  });
  const pumpAll = () => connections.forEach((connection) => void connection.pump());
  const cutAll = () => connections.forEach((connection) => void connection.reset());
  await listenAt(server, port);
  const close = async () => {
    server.close();
    cutAll();
  };
  scope.after(close);
  return {
    url: `http://127.0.0.1:${port}`,
    targetPort,
    cutAll,
    close,
    arm: (cut) => armIn(waiting, cut),
    refuse: (on) => refuseAt(server, port, on),
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
      waiting.splice(0);
      pumpAll();
      refuseAt(server, port, false);
    },
  };
}

const changes = /^(POST|PUT|PATCH|DELETE) /;
const methodBytes = 8;

function armIn(waiting: Waiting[], cut: RequestCut): ArmedCut {
  let met = (): void => undefined;
  const hit = new Promise<void>((resolve) => {
    met = resolve;
  });
  const one = { cut, met };
  waiting.push(one);
  return {
    hit,
    cancel: () => {
      const at = waiting.indexOf(one);
      if (at !== -1) waiting.splice(at, 1);
    },
  };
}
