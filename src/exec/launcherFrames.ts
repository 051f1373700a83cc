/** One frame from the launcher: see the head of `launcher.pl`. */
export interface LauncherFrame {
  kind: string;
  id: number;
  /** A view of the read buffer, good during the call only. */
  payload: Buffer;
}

/** A frame for the launcher: length and body. */
export function encodeFrame(body: string): Buffer {
  const bytes = Buffer.byteLength(body);
  const frame = Buffer.allocUnsafe(4 + bytes);
  frame.writeUInt32BE(bytes, 0);
  frame.write(body, 4, 'utf8');
  return frame;
}

const headBytes = 9;

/**
 * Takes the launcher's byte stream apart into frames. Output is passed on as it comes, a frame of
 * it in several pieces perhaps; all other frames are small and come whole.
 */
export class FrameReader {
  readonly #onFrame: (frame: LauncherFrame) => void;
  readonly #head = Buffer.alloc(headBytes);
  #headRead = 0;
  /** Of the frame's payload, once its head is there. */
  #payloadLeft = 0;
  #parts: Buffer[] = [];

  constructor(onFrame: (frame: LauncherFrame) => void) {
    this.#onFrame = onFrame;
  }

  /** The chunk may be used again by the caller afterwards. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headRead < headBytes) {
        at += this.#readHead(chunk, at);
        if (this.#headRead < headBytes) return;
      }
      const end = Math.min(chunk.length, at + this.#payloadLeft);
      this.#payloadLeft -= end - at;
      this.#readPayload(chunk.subarray(at, end));
      at = end;
    }
  }

  #readHead(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#head, this.#headRead, at, at + headBytes - this.#headRead);
    this.#headRead += taken;
    if (this.#headRead === headBytes) this.#payloadLeft = this.#head.readUInt32BE(0) - 5;
    return taken;
  }

  #readPayload(part: Buffer): void {
    const kind = String.fromCharCode(this.#head[4] ?? 0);
    const id = this.#head.readUInt32BE(5);
    const whole = this.#payloadLeft === 0;
    if (whole) this.#headRead = 0;
    if (kind === 'O') {
      this.#onFrame({ kind, id, payload: part });
    } else if (whole && this.#parts.length === 0) {
      this.#onFrame({ kind, id, payload: part });
    } else {
      this.#parts.push(Buffer.from(part));
      if (!whole) return;
      const payload = Buffer.concat(this.#parts);
      this.#parts = [];
      this.#onFrame({ kind, id, payload });
    }
  }
}
