import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { connect, type Socket } from 'node:net';

/** Whom an attack is aimed at, and with what. */
export interface AttackPlan {
  readonly attack: AttackName;
  /**
   * `http://127.0.0.1:PORT`: of a node, or of a server that answers everything and does nothing.
   */
  readonly url: string;
  /** Of a viewer of one group. */
  readonly token: string;
}

export interface Attack {
  stop(): void;
  /** By what came of it: statuses of answers, `ended` connections. */
  readonly counts: Record<string, number>;
}

export type AttackName = keyof typeof attacks;

/** All of them come from a few addresses, so that the bound of one address is not all there is. */
const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'] as const;

/** Each goes on, at the same rate whatever is answered, until it is stopped. */
export const attacks = {
  /** 64 KB of requests in a packet, 2.9 MB/s. */
  pipelined: (plan: AttackPlan) => {
    const request = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const packet = request.repeat(Math.floor(65_536 / request.length));
    const { counts, isOver, open, stop } = makeSockets(plan, 4, 10);
    const sockets = open(() => undefined);
    const timer = setInterval(() => {
      const socket = sockets[Math.floor(Math.random() * sockets.length)];
      if (isOver()) clearInterval(timer);
      else if (socket?.writable && !socket.writableNeedDrain) socket.write(packet);
    }, 22);
    return { counts, stop };
  },
  /** 39 MB of lists in lists every 10 seconds, in bodies of 256 KB. */
  plans: (plan: AttackPlan) => {
    const body = '- - -\n'.repeat(Math.floor((255 * 1024) / 6));
    const path = '/api/v1/plan';
    return everySoOften(plan, 65, 156, { path, body, type: 'application/yaml' });
  },
  /** 900 previews at once, each again a second after its answer. */
  previews: (plan: AttackPlan) => {
    const cron = Array.from({ length: 3 }, (_, day) => `0 0 29 2 ${day}`);
    const body = JSON.stringify({ cron, timezone: 'Europe/Berlin', count: 1_000 });
    const path = '/api/v1/schedule/preview';
    return allTheTime(plan, 900, { path, body, type: 'application/json' });
  },
  /** 1,024 connections with half a head. */
  connections: (plan: AttackPlan) => {
    const { counts, open, stop } = makeSockets(plan, 1_024, 200);
    open((socket) => socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Slow:'));
    return { counts, stop };
  },
  /** 256 streams of one token. */
  streams: (plan: AttackPlan) => allTheTime(plan, 256, { path: '/api/v1/events' }),
  /** A token that is none, each second. */
  tokens: (plan: AttackPlan) => {
    const none = () => `statecron_${randomBytes(6).toString('hex')}_${'x'.repeat(43)}`;
    return everySoOften(plan, 1_000, 100, { path: '/api/v1/jobs', token: none });
  },
} as const satisfies Record<string, (plan: AttackPlan) => Attack>;

interface Sent {
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  readonly token?: () => string;
}

/** Sends one each period, but no more than so many that are not answered. */
function everySoOften(plan: AttackPlan, periodMs: number, most: number, sent: Sent): Attack {
  const { counts, send, stop } = makeSender(plan, sent);
  let waiting = 0;
  const timer = setInterval(() => {
    if (waiting >= most) return;
    waiting += 1;
    void send().then(() => {
      waiting -= 1;
    });
  }, periodMs);
  return {
    counts,
    stop: () => {
      clearInterval(timer);
      stop();
    },
  };
}

/** So many at once, each again a second after it was answered. */
function allTheTime(plan: AttackPlan, many: number, sent: Sent): Attack {
  const { counts, isOver, send, stop } = makeSender(plan, sent);
  const again = async (): Promise<void> => {
    await send();
    if (!isOver()) setTimeout(() => void again(), 1_000);
  };
  for (let number = 0; number < many; number += 1) void again();
  return { counts, stop };
}

function makeSender({ token, url }: AttackPlan, { body, path, type, ...sent }: Sent) {
  const counts: Record<string, number> = {};
  const asked = new Set<http.ClientRequest>();
  let [isOver, number] = [false, 0];
  const count = (word: string | number): void => {
    counts[word] = (counts[word] ?? 0) + 1;
  };
  const send = (): Promise<void> =>
    new Promise((resolve) => {
      number += 1;
      const request = http.request(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        agent: false,
        localAddress: addresses[number % addresses.length],
        headers: {
          authorization: `Bearer ${sent.token?.() ?? token}`,
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(body === undefined ? {} : { 'content-length': `${body.length}` }),
        },
      });
      asked.add(request);
      request.on('response', (response) => {
        count(response.statusCode ?? 0);
        response.on('error', () => undefined).resume();
      });
      request.on('error', () => count('ended'));
      request.on('close', () => {
        asked.delete(request);
        resolve();
      });
      request.end(body);
    });
  const stop = (): void => {
    isOver = true;
    for (const request of asked) request.destroy();
  };
  return { counts, isOver: () => isOver, send, stop };
}

/** So many plain connections; one that is ended is opened again a while later. */
function makeSockets({ url }: AttackPlan, many: number, againMs: number) {
  const { hostname, port } = new URL(url);
  const counts: Record<string, number> = {};
  const sockets: Socket[] = [];
  let isOver = false;
  const openAt = (place: number, begin: (socket: Socket) => void): void => {
    const localAddress = addresses[place % addresses.length] as string;
    const socket = connect({ port: Number(port), host: hostname, localAddress });
    sockets[place] = socket;
    socket.on('error', () => undefined).resume(); // its close follows
    socket.once('connect', () => begin(socket));
    socket.once('close', () => {
      if (isOver) return;
      counts.ended = (counts.ended ?? 0) + 1;
      setTimeout(() => isOver || openAt(place, begin), againMs);
    });
  };
  const open = (begin: (socket: Socket) => void): readonly Socket[] => {
    for (let place = 0; place < many; place += 1) openAt(place, begin);
    return sockets;
  };
  const stop = (): void => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  };
  return { counts, isOver: () => isOver, open, stop };
}
