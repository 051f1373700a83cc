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

/** Puts the launcher's byte stream back together into frames. */
export class FrameReader {
  readonly #onFrame: (frame: LauncherFrame) => void;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #neededBytes = 4;

  constructor(onFrame: (frame: LauncherFrame) => void) {
    this.#onFrame = onFrame;
  }

  /** Pieces of an unfinished frame are only joined when it is whole, so nothing is copied twice. */
  push(chunk: Buffer): void {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    if (this.#restBytes < this.#neededBytes) return;
    const bytes = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest);
    let at = 0;
    this.#neededBytes = 4;
    while (bytes.length - at >= 4) {
      const end = at + 4 + bytes.readUInt32BE(at);
      if (end > bytes.length) {
        this.#neededBytes = end - at;
        break;
      }
      this.#onFrame({
        kind: String.fromCharCode(bytes[at + 4] ?? 0),
        id: bytes.readUInt32BE(at + 5),
        payload: bytes.subarray(at + 9, end),
      });
      at = end;
    }
    this.#rest = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#restBytes = bytes.length - at;
  }
}
