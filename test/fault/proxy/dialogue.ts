import { hasReply } from './command.ts';
import type { FaultRegister, MetFault } from './faultRegister.ts';
import { headerBytes, type Packet, PacketReader } from './packetReader.ts';
import { endsWithOk, plainGreeting } from './plainGreeting.ts';
import { PreparedTexts } from './preparedTexts.ts';
import { ReplyTracker } from './replyTracker.ts';

type Phase = 'greeting' | 'authenticating' | 'ready' | 'held' | 'busy' | 'over';

/** What a dialogue does to the connection that it is held over. */
export interface Wire {
  toServer(bytes: Buffer): void;
  toClient(bytes: Buffer): void;
  /** No more comes for the server; the connection ends in order. */
  endServer(): void;
  /** Both sides are cut at once. */
  reset(): void;
  /** The server gets these last bytes, then an end; the client is cut. */
  tearRequest(bytes: Buffer): void;
  tearReply(bytes: Buffer): void;
  /** From now on nothing passes, of an end neither. */
  fallSilent(): void;
}

/**
 * What client and server say to each other, and the faults that are done to it. Requests pass whole
 * and one at a time, so that each fault is exact: a lost request has not begun to reach the server,
 * and a reply is complete when the server has sent its last packet.
 */
export class Dialogue {
  readonly #wire: Wire;
  readonly #faults: FaultRegister;
  readonly #onStatement: () => void;
  readonly #fromClient = new PacketReader();
  readonly #fromServer = new PacketReader();
  readonly #texts = new PreparedTexts();
  readonly #requests: Buffer[] = [];
  #phase: Phase = 'greeting';
  /** The packets so far of a request that is not whole. */
  #request: Buffer[] = [];
  #hasOkAtEnd = false;
  #tracker: ReplyTracker | null = null;
  #met: MetFault | null = null;
  /** The reply so far, when it is not passed on as it comes. */
  #reply: Buffer[] | null = null;
  #timer: NodeJS.Timeout | null = null;
  #clientIsGone = false;

  constructor(wire: Wire, faults: FaultRegister, onStatement: () => void) {
    this.#wire = wire;
    this.#faults = faults;
    this.#onStatement = onStatement;
  }

  /** Requests that wait for the reply to an earlier one. */
  get waiting(): number {
    return this.#requests.length;
  }

  takeFromClient(chunk: Buffer): void {
    for (const packet of this.#fromClient.push(chunk)) this.#takeRequestPacket(packet);
  }

  takeFromServer(chunk: Buffer): void {
    for (const packet of this.#fromServer.push(chunk)) this.#takeReplyPacket(packet);
  }

  clientEnded(): void {
    if (this.#clientIsGone) return;
    this.#clientIsGone = true;
    // What was sent still goes to the server, and its connection ends when that has answered.
    if (this.#met?.request.kind === 'request delayed' || this.#requests.length > 0) return;
    if (this.#phase === 'held') this.#resume();
    else this.#wire.endServer();
  }

  /** Nothing more comes of it. */
  over(): void {
    this.#phase = 'over';
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#met?.settle();
    this.#met = null;
  }

  #takeRequestPacket(packet: Packet): void {
    if (this.#phase === 'over') return;
    const isLogin = this.#phase === 'authenticating' || this.#phase === 'greeting';
    if (isLogin && packet.sequence === 1) this.#hasOkAtEnd = endsWithOk(packet.payload);
    // Within a longer exchange (LOAD DATA LOCAL, another login) the numbers go on.
    if (isLogin || (packet.sequence !== 0 && !packet.isContinuation)) {
      this.#wire.toServer(packet.bytes);
      return;
    }
    this.#request.push(packet.bytes);
    if (!packet.isLast) return;
    this.#requests.push(Buffer.concat(this.#request));
    this.#request = [];
    this.#startNext();
  }

  #startNext(): void {
    while (this.#phase === 'ready') {
      const request = this.#requests.shift();
      if (request === undefined) return;
      this.#start(request);
    }
  }

  #start(request: Buffer): void {
    const text = this.#texts.textOf(request);
    if (text !== null) {
      this.#onStatement();
      this.#met = this.#faults.meet(text);
    }
    const kind = this.#met?.request.kind;
    if (kind === 'request lost') {
      this.#wire.reset();
      this.over();
    } else if (kind === 'request torn') {
      this.#wire.tearRequest(halfOf(request));
      this.over();
    } else if (kind === 'half-open') {
      this.#wire.fallSilent();
      this.over();
    } else if (kind === 'request delayed') {
      this.#hold(() => this.#forward(request));
    } else {
      this.#reply = kind === undefined ? null : [];
      this.#forward(request);
    }
  }

  #forward(request: Buffer): void {
    const code = request[headerBytes] ?? 0;
    this.#wire.toServer(request);
    this.#phase = hasReply(code) ? 'busy' : 'ready';
    this.#tracker = hasReply(code) ? new ReplyTracker(code, this.#hasOkAtEnd) : null;
  }

  #takeReplyPacket(packet: Packet): void {
    if (this.#phase === 'over') return;
    if (this.#phase === 'greeting') {
      this.#phase = 'authenticating';
      this.#wire.toClient(plainGreeting(packet.bytes));
      return;
    }
    const passes = this.#reply === null || this.#tracker?.requestsFile(packet) === true;
    if (passes) this.#wire.toClient(packet.bytes);
    else this.#reply?.push(packet.bytes);
    if (this.#phase === 'authenticating') {
      if (packet.payload[0] === 0x00) this.#phase = 'ready';
    } else if (this.#phase === 'busy') {
      this.#texts.noteReply(packet.payload);
      if (this.#tracker?.take(packet) === true) this.#replyEnded();
    }
  }

  #replyEnded(): void {
    const reply = Buffer.concat(this.#reply ?? []);
    const kind = this.#met?.request.kind;
    this.#reply = null;
    this.#tracker = null;
    if (kind === 'reply lost') {
      this.#wire.reset();
      this.over();
    } else if (kind === 'reply torn') {
      this.#wire.tearReply(halfOf(reply));
      this.over();
    } else if (kind === 'half-open after') {
      this.#wire.fallSilent();
      this.over();
    } else if (kind === 'reply delayed' && !this.#clientIsGone) {
      this.#hold(() => {
        this.#wire.toClient(reply);
        this.#resume();
      });
    } else {
      this.#resume();
    }
  }

  /** Keeps something back until its time is over or it is released. */
  #hold(release: () => void): void {
    this.#phase = 'held';
    let isHeld = true;
    const letGo = () => {
      if (!isHeld || this.#phase !== 'held') return;
      isHeld = false;
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
      release();
    };
    const delayMs = this.#met?.request.delayMs;
    if (delayMs !== undefined) this.#timer = setTimeout(letGo, delayMs);
    this.#met?.done(letGo);
  }

  /** The exchange is over; the connection is as it was before. */
  #resume(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#phase = 'ready';
    this.#met?.settle();
    this.#met = null;
    this.#startNext();
    if (this.#clientIsGone && this.#phase === 'ready') this.#wire.endServer();
  }
}

function halfOf(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}
