/** What a client may leave unread before it is cut; each piece costs more than its bytes. */
const queuedBytesMax = 1024 * 1024;
const pieceBytes = 200;
/** A client that is behind gets more of the past when less than this is unread. */
const roomBytes = 64 * 1024;
/** A client that is behind and reads nothing for so long is cut. */
const stillMsMax = 30_000;

/**
 * One reader of a stream, with a bounded buffer: what is sent waits here until its socket takes it,
 * and a client that does not read is cut, since it may come back and go on where it was.
 */
export class EventClient {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #destroy: () => void;
  readonly #onEnd: (why: ClientEnd) => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  /** Called when there is room again, or the client is gone. */
  #onRoom: (() => void) | null = null;
  #isOpen = true;

  /**
   * @param destroy ends the connection, whatever waits in it
   * @param onEnd called once, when nothing more can be sent
   */
  constructor(destroy: () => void, onEnd: (why: ClientEnd) => void) {
    this.#destroy = destroy;
    this.#onEnd = onEnd;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#onRoom?.(),
        cancel: () => this.#end('left'),
      },
      { highWaterMark: roomBytes, size: (piece) => piece.byteLength + pieceBytes },
    );
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Puts frames behind those that wait; too much unread cuts the client. */
  send(...frames: readonly Uint8Array[]): void {
    if (!this.#isOpen || frames.length === 0) return;
    const piece = Buffer.concat(frames);
    if (this.#unreadBytes() + piece.byteLength > queuedBytesMax) this.cut();
    else this.#controller?.enqueue(piece);
  }

  /** Waits until little is unread; false: the client is gone, or reads nothing and was cut. */
  async room(): Promise<boolean> {
    if (this.#isOpen && this.#unreadBytes() >= roomBytes) {
      const timer = setTimeout(() => this.cut(), stillMsMax);
      await new Promise<void>((resolve) => {
        this.#onRoom = resolve;
      });
      clearTimeout(timer);
    }
    return this.#isOpen;
  }

  /** Ends it after what waits was read, for which it has half a minute. */
  close(): void {
    if (!this.#isOpen) return;
    this.#controller?.close();
    this.#end('closed');
    setTimeout(this.#destroy, stillMsMax).unref();
  }

  /** Ends it at once: the server lets go of the stream when it finds the connection gone. */
  cut(): void {
    if (!this.#isOpen) return;
    this.#end('cut');
    this.#destroy();
  }

  #unreadBytes(): number {
    return roomBytes - (this.#controller?.desiredSize ?? roomBytes);
  }

  #end(why: ClientEnd): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onRoom?.();
    this.#onEnd(why);
  }
}

/** `left`: it hung up; `cut`: it did not read; `closed`: the node ended it. */
export type ClientEnd = 'left' | 'cut' | 'closed';
