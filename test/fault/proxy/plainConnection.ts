import type { Socket } from 'node:net';
import { Lane } from './lane.ts';
import { cutSocket, setReading } from './sockets.ts';
import type { Weather } from './weather.ts';

/**
 * How a connection is broken at one request. Lost: nothing of it passes; torn: half of it, or of
 * its first packet, does. What the other side then holds of it is its own affair.
 */
export type RequestCut = 'request lost' | 'request torn' | 'answer lost' | 'answer torn';

export interface PlainSurroundings {
  readonly weather: Weather;
  /** The cut that waits for such a request; null: none does. Each is given once. */
  takeCut(request: Buffer): RequestCut | null;
  onClosed(connection: PlainConnection): void;
}

/** One client's connection and the one that it leads to, whatever is spoken on it. */
export class PlainConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #toServer: Lane;
  readonly #toClient: Lane;
  readonly #surroundings: PlainSurroundings;
  #cut: RequestCut | null = null;
  #socketsOpen = 2;

  constructor(client: Socket, server: Socket, surroundings: PlainSurroundings) {
    this.#client = client;
    this.#server = server;
    this.#surroundings = surroundings;
    const { weather } = surroundings;
    this.#toServer = new Lane('to server', server, weather, () => this.#regulate());
    this.#toClient = new Lane('to client', client, weather, () => this.#regulate());
    client.on('data', (bytes: Buffer) => this.#fromClient(bytes));
    server.on('data', (bytes: Buffer) => this.#fromServer(bytes));
    client.on('end', () => this.#toServer.end());
    server.on('end', () => this.#toClient.end());
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      // What one side has lost, the other is told of as a reset.
      socket.on('error', () => this.reset());
      socket.on('close', () => this.#closed());
    }
    this.#regulate();
  }

  /** Ends both sides at once, with a reset, as a router does that lost its state. */
  reset(): void {
    cutSocket(this.#client);
    cutSocket(this.#server);
  }

  /** Sends on what the weather held, and reads again from who may be heard. */
  pump(): void {
    this.#toServer.pump();
    this.#toClient.pump();
    this.#regulate();
  }

  #fromClient(bytes: Buffer): void {
    this.#cut ??= this.#surroundings.takeCut(bytes);
    if (this.#cut === 'request lost') {
      this.reset();
      return;
    }
    if (this.#cut === 'request torn') {
      this.#toServer.write(firstHalf(bytes));
      this.#toServer.end();
      cutSocket(this.#client);
      return;
    }
    this.#toServer.write(bytes);
    this.#regulate();
  }

  #fromServer(bytes: Buffer): void {
    if (this.#cut === 'answer lost') {
      this.reset();
      return;
    }
    if (this.#cut === 'answer torn') {
      this.#toClient.write(firstHalf(bytes));
      this.#toClient.end();
      cutSocket(this.#server);
      return;
    }
    this.#toClient.write(bytes);
    this.#regulate();
  }

  #regulate(): void {
    setReading(this.#client, !this.#toServer.isHeld && !this.#toServer.isFull);
    setReading(this.#server, !this.#toClient.isHeld && !this.#toClient.isFull);
  }

  #closed(): void {
    this.#socketsOpen -= 1;
    if (this.#socketsOpen > 0) return;
    this.#toServer.stop();
    this.#toClient.stop();
    this.#surroundings.onClosed(this);
  }
}

function firstHalf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}
