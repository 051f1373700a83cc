import { createServer, type Server, Socket } from 'node:net';
import type { Scope } from './createDatabase.ts';

/** What happens to the statement that the cut waits for. */
export type Cut = 'request lost' | 'reply lost';

export interface CutProxy {
  /** The database URL that leads through the proxy. */
  readonly url: string;
  /** Cuts the connection at the next statement that contains the text; resolves when it was cut. */
  cutAt(text: string, cut: Cut): Promise<void>;
  /**
   * Keeps the reply to the next statement that contains the text; resolves, when the server has
   * done it, to a function that lets the reply go.
   */
  holdAt(text: string): Promise<() => void>;
  /** Cuts every connection and takes no more, like a database that is gone. */
  vanish(): void;
}

const comQuery = 0x03;

/**
 * A proxy before a database that cuts real sockets: before a statement reaches the server, or after
 * the server has done it and before its reply reaches the client. Both look the same to the client.
 */
export async function startCutProxy(scope: Scope, databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  let pending: {
    text: string;
    cut: Cut | 'reply held';
    done: (release: () => void) => void;
  } | null = null;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // 'close' follows
  };
  const server: Server = createServer((client) => {
    const upstream = connectTo(target);
    keep(client);
    keep(upstream);
    const sever = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let onReply: ((data: Buffer) => void) | null = null;
    client.on('data', (data) => {
      if (pending !== null && isStatement(data, pending.text)) {
        const { cut, done } = pending;
        pending = null;
        if (cut === 'request lost') {
          sever();
          done(() => undefined);
          return;
        }
        onReply = (reply) => {
          onReply = null;
          if (cut === 'reply lost') sever();
          done(() => client.write(reply));
        };
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (onReply === null) client.write(data);
      else onReply(data);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const vanish = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  scope.after(async () => vanish());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(databaseUrl);
  url.search = '';
  url.host = `127.0.0.1:${address.port}`;
  return {
    url: url.href,
    vanish,
    cutAt: (text, cut) =>
      new Promise((resolve) => {
        pending = { text, cut, done: () => resolve() };
      }),
    holdAt: (text) =>
      new Promise((resolve) => {
        pending = { text, cut: 'reply held', done: resolve };
      }),
  };
}

function connectTo(target: URL): Socket {
  const socketPath = target.searchParams.get('socketPath');
  const socket = new Socket();
  if (socketPath !== null) socket.connect(socketPath);
  else socket.connect(Number(target.port || 3306), target.hostname);
  return socket;
}

/**
 * The driver sends one packet at a time: 3 bytes length, a sequence number, the command, its text.
 */
function isStatement(data: Buffer, text: string): boolean {
  return data[3] === 0 && data[4] === comQuery && data.includes(text);
}
