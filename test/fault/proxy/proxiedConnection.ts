import type { Socket } from 'node:net';
import { Dialogue } from './dialogue.ts';
import type { FaultRegister } from './faultRegister.ts';
import { Lane } from './lane.ts';
import { cutSocket, setReading } from './sockets.ts';
import type { Weather } from './weather.ts';

const requestsWaitingMax = 100;

/** What belongs to the proxy as a whole. */
export interface ProxySurroundings {
  readonly weather: Weather;
  readonly faults: FaultRegister;
  /** A statement came from the client. */
  onStatement(): void;
  onClosed(connection: ProxiedConnection): void;
}

/** The sockets of one client's connection and of the one that it leads to. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #toServer: Lane;
  readonly #toClient: Lane;
  readonly #dialogue: Dialogue;
  #isHalfOpen = false;
  #socketsOpen = 2;

  constructor(client: Socket, server: Socket, surroundings: ProxySurroundings) {
    this.#client = client;
    this.#server = server;
    const regulate = () => this.#regulate();
    this.#toServer = new Lane('to server', server, surroundings.weather, regulate);
    this.#toClient = new Lane('to client', client, surroundings.weather, regulate);
    this.#dialogue = this.#makeDialogue(surroundings);
    client.on('data', (chunk: Buffer) => {
      this.#dialogue.takeFromClient(chunk);
      this.#regulate();
    });
    server.on('data', (chunk: Buffer) => {
      this.#dialogue.takeFromServer(chunk);
      this.#regulate();
    });
    for (const event of ['end', 'close', 'error']) client.on(event, () => this.#clientEnded());
    for (const event of ['end', 'close']) server.on(event, () => this.#serverEnded());
    server.on('error', () => this.#serverFailed());
    const onClose = () => {
      this.#socketsOpen -= 1;
      if (this.#socketsOpen > 0) return;
      this.#toServer.stop();
      this.#toClient.stop();
      this.#dialogue.over();
      surroundings.onClosed(this);
    };
    for (const socket of [client, server]) socket.setNoDelay(true).on('close', onClose);
    this.#regulate();
  }

  get isHalfOpen(): boolean {
    return this.#isHalfOpen;
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

  #makeDialogue({ faults, onStatement }: ProxySurroundings): Dialogue {
    return new Dialogue(
      {
        toServer: (bytes) => this.#toServer.write(bytes),
        toClient: (bytes) => this.#toClient.write(bytes),
        endServer: () => this.#toServer.end(),
        reset: () => this.reset(),
        tearRequest: (bytes) => {
          this.#toServer.write(bytes);
          this.#toServer.end();
          cutSocket(this.#client);
        },
        tearReply: (bytes) => {
          this.#toClient.write(bytes);
          this.#toClient.end();
          cutSocket(this.#server);
        },
        fallSilent: () => {
          this.#isHalfOpen = true;
          this.#toServer.silence();
          this.#toClient.silence();
          this.#regulate();
        },
      },
      faults,
      onStatement,
    );
  }

  /** A socket that is not read from notices no end either, so an end that may not pass does not. */
  #regulate(): void {
    const crowded = this.#dialogue.waiting > requestsWaitingMax;
    setReading(this.#client, !this.#toServer.isHeld && !this.#toServer.isFull && !crowded);
    setReading(this.#server, !this.#toClient.isHeld && !this.#toClient.isFull);
  }

  #clientEnded(): void {
    if (!this.#isHalfOpen) this.#dialogue.clientEnded();
  }

  #serverEnded(): void {
    if (this.#isHalfOpen) return;
    this.#dialogue.over();
    this.#toClient.end();
  }

  #serverFailed(): void {
    if (!this.#isHalfOpen && !this.#toClient.isHeld) cutSocket(this.#client);
  }
}
