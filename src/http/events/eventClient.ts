import { inTurns } from '../inTurns.ts';
import { joinFrames } from './joinFrames.ts';

/** What a client may leave unread before it is cut. Frames are shared by all that wait for them. */
const queuedBytesMax = 1024 * 1024;
const queuedFramesMax = 5_000;
/** Frames that go to the socket at once. */
const chunkBytesMax = 64 * 1024;
/** A client that is being told the past and reads nothing of it for so long is cut. */
const stillMsMax = 30_000;
/** All clients hear of the same events. To write to one takes some hundredths of a millisecond. */
const wakeInTurns = inTurns(16);

/**
 * One reader of a stream, with a buffer that is bounded: frames wait here until its socket takes
 * them, and one that does not read is cut, since it may come back and go on where it was.
 */
export class EventClient {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #destroy: () => void;
  readonly #onEnd: (why: ClientEnd) => void;
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  /** Called when there is something to read, or nothing any more. */
  #wake: (() => void) | null = null;
  /** Called when something was read, or nobody reads any more. */
  #onRoom: (() => void) | null = null;
  #state: 'open' | 'closing' | 'ended' = 'open';

  /**
   * @param destroy ends the connection, whatever waits in it
   * @param onEnd told once, when nothing more is sent
   */
  constructor(destroy: () => void, onEnd: (why: ClientEnd) => void) {
    this.#destroy = destroy;
    this.#onEnd = onEnd;
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end('left'),
      },
      { highWaterMark: 0 },
    );
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Puts a frame behind those that wait; one too many cuts the client. */
  send(frame: Uint8Array): void {
    if (this.#state !== 'open') return;
    this.#queue.push(frame);
    this.#queuedBytes += frame.byteLength;
    if (this.#queuedBytes > queuedBytesMax || this.#queue.length > queuedFramesMax) this.cut();
    else this.#wakeSoon();
  }

  /** Waits until little waits; false: the client is gone, or reads nothing and was cut. */
  async room(): Promise<boolean> {
    while (this.#state === 'open' && this.#queuedBytes > chunkBytesMax) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => this.cut(), stillMsMax);
        this.#onRoom = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#state === 'open';
  }

  /** Ends it after what waits was read, for which it has half a minute. */
  close(): void {
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#wake?.();
    setTimeout(() => this.cut(), stillMsMax).unref();
  }

  /** Ends it at once: the server lets go of the stream when it finds the connection gone. */
  cut(): void {
    if (this.#state === 'ended') return;
    this.#end('cut');
    this.#destroy();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.#queue.length === 0 && this.#state === 'open') {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    if (this.#queue.length > 0) controller.enqueue(this.#take());
    else if (this.#state === 'closing') {
      controller.close();
      this.#end('closed');
    }
    this.#onRoom?.();
    this.#onRoom = null;
  }

  /** Whatever comes before its turn goes to the socket with it. */
  #wakeSoon(): void {
    const wake = this.#wake;
    if (wake === null) return;
    this.#wake = null;
    wakeInTurns(wake);
  }

  #take(): Uint8Array {
    let bytes = 0;
    let count = 0;
    for (const frame of this.#queue) {
      if (count > 0 && bytes + frame.byteLength > chunkBytesMax) break;
      bytes += frame.byteLength;
      count += 1;
    }
    const frames = this.#queue.splice(0, count);
    this.#queuedBytes -= bytes;
    return joinFrames(frames);
  }

  #end(why: ClientEnd): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#wake?.();
    this.#onRoom?.();
    this.#onEnd(why);
  }
}

/** `left`: it hung up; `cut`: it did not read; `closed`: the node ended it. */
export type ClientEnd = 'left' | 'cut' | 'closed';
