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

/** Takes the launcher's byte stream apart into frames, of which the longest has 64 KiB. */
export class FrameReader {
  readonly #onFrame: (frame: LauncherFrame) => void;
  /** The beginning of a frame that has not come whole. */
  #rest = Buffer.alloc(0);

  constructor(onFrame: (frame: LauncherFrame) => void) {
    this.#onFrame = onFrame;
  }

  /** The chunk may be used again by the caller afterwards. */
  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (bytes.length - at >= headBytes) {
      const end = at + 4 + bytes.readUInt32BE(at);
      if (end > bytes.length) break;
      const kind = String.fromCharCode(bytes[at + 4] ?? 0);
      const payload = bytes.subarray(at + headBytes, end);
      this.#onFrame({ kind, id: bytes.readUInt32BE(at + 5), payload });
      at = end;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
  }
}
