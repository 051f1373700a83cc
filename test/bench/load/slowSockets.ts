import { connect, type Socket } from 'node:net';
import type { LoadPlan } from './loadPlan.ts';

const byteMs = 1_000;
/** One that the node has ended comes again after this. */
const againMs = 200;

/**
 * Connections that never come to their end: of half the head of a request, and of half a body that
 * was announced, a byte a second. As many as there are to be are open all the time.
 */
export class SlowSockets {
  readonly #plan: LoadPlan;
  readonly #sockets = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;
  #opened = 0;
  #endedByNode = 0;
  #isOver = false;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    for (let number = 0; number < plan.slowSockets; number += 1) this.#open(number % 2 === 0);
    this.#timer = setInterval(() => {
      for (const socket of this.#sockets) if (socket.writable) socket.write('x');
    }, byteMs);
  }

  report(): { opened: number; endedByNode: number } {
    return { opened: this.#opened, endedByNode: this.#endedByNode };
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  #open(isHead: boolean): void {
    const { hostname, port } = new URL(this.#plan.url);
    const socket = connect(Number(port), hostname);
    this.#sockets.add(socket);
    this.#opened += 1;
    socket.on('error', () => undefined); // its close follows
    socket.resume();
    socket.on('close', () => {
      this.#sockets.delete(socket);
      if (this.#isOver) return;
      this.#endedByNode += 1;
      setTimeout(() => this.#isOver || this.#open(isHead), againMs);
    });
    socket.write(isHead ? slowHead : slowBody(this.#plan.token));
  }
}

const slowHead = 'GET /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';

function slowBody(token: string): string {
  return [
    'POST /api/v1/jobs HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Content-Length: 100000',
    '',
    '{"name": "',
  ].join('\r\n');
}
