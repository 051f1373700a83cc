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
  /** The same for a while: until the function that it returns is called. */
  goAway(): () => void;
}

const comQuery = 0x03;

interface Pending {
  readonly text: string;
  readonly cut: Cut | 'reply held';
  readonly done: (release: () => void) => void;
}

/**
 * A proxy before a database that cuts real sockets: before a statement reaches the server, or after
 * the server has done it and before its reply reaches the client. Both look the same to the client.
 */
export async function startCutProxy(scope: Scope, databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const state: { pending: Pending | null; isAway: boolean } = { pending: null, isAway: false };
  const sockets = new Set<Socket>();
  const takePending = (data: Buffer): Pending | null => {
    const { pending } = state;
    if (pending === null || !isStatement(data, pending.text)) return null;
    state.pending = null;
    return pending;
  };
  const server: Server = createServer((client) => {
    if (state.isAway) {
      client.destroy();
      return;
    }
    const upstream = connectTo(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined); // 'close' follows
    }
    relay(client, upstream, takePending);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const vanish = (): void => {
    server.close();
    cutAll();
  };
  scope.after(async () => vanish());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(databaseUrl);
  url.search = '';
  url.host = `127.0.0.1:${address.port}`;
  const waitFor = (pending: Pending): void => {
    state.pending = pending;
  };
  return {
    url: url.href,
    vanish,
    goAway: () => {
      state.isAway = true;
      cutAll();
      return () => {
        state.isAway = false;
      };
    },
    cutAt: (text, cut) => new Promise((resolve) => waitFor({ text, cut, done: () => resolve() })),
    holdAt: (text) => new Promise((resolve) => waitFor({ text, cut: 'reply held', done: resolve })),
  };
}

/** Passes everything on, but for the statement that a cut waits for, or its reply. */
function relay(
  client: Socket,
  upstream: Socket,
  takePending: (data: Buffer) => Pending | null,
): void {
  let onReply: ((data: Buffer) => void) | null = null;
  const sever = (): void => {
    client.destroy();
    upstream.destroy();
  };
  client.on('data', (data) => {
    const pending = takePending(data);
    if (pending?.cut === 'request lost') {
      sever();
      pending.done(() => undefined);
      return;
    }
    if (pending !== null) {
      onReply = (reply) => {
        onReply = null;
        if (pending.cut === 'reply lost') sever();
        pending.done(() => client.write(reply));
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
