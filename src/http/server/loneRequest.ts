import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections on which a request waits for its answer. */
const busy = new WeakSet<Socket>();

/** Whether a request of this connection waits for its answer. */
export function isBusy(socket: Socket): boolean {
  return busy.has(socket);
}

/** To be called with each request: its connection is free for the next when it was answered. */
export function awaitAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  response.once('close', () => busy.delete(socket));
}

/**
 * A request that ends its connection when the one before it was not answered yet. Node reads up to
 * 64 KiB at once and begins every request in it, 1,500 and more, before anything else has a turn;
 * clients in practice wait for an answer before the next request (RFC 9112, 9.3.2, has those that
 * do not be ready for a connection that ends).
 *
 * What stops Node's parser in the middle of what was read, on every version (20, 22, 24), is a
 * request that becomes another protocol: it says so of itself here, and the rest is never parsed.
 * 64 KiB cost 0.5 ms then instead of 20 to 100.
 */
export class LoneRequest extends IncomingMessage {
  #isOneTooMany = false;
  #isUpgrade = false;

  constructor(socket: Socket) {
    super(socket);
    this.#isOneTooMany = busy.has(socket);
    // Not before the parser has let go of it.
    if (this.#isOneTooMany) process.nextTick(() => socket.destroy());
    busy.add(socket);
  }

  get upgrade(): boolean {
    return this.#isOneTooMany || this.#isUpgrade;
  }

  set upgrade(isUpgrade: boolean) {
    // The constructor of the base sets it before there are fields of our own.
    if (#isUpgrade in this) this.#isUpgrade = isUpgrade;
  }
}
