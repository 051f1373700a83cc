/**
 * One packet as it travels: three bytes of length, a sequence number, then the payload. A payload
 * of 16 MiB − 1 is continued by the next packet.
 */
export interface Packet {
  /** Header and payload. */
  readonly bytes: Buffer;
  readonly payload: Buffer;
  readonly sequence: number;
  readonly isContinuation: boolean;
  /** False: the next packet goes on where this one ends. */
  readonly isLast: boolean;
}

export const headerBytes = 4;
export const payloadBytesMax = 0xff_ff_ff;

/** Finds the packets of one direction in what TCP delivers, however that is cut into chunks. */
export class PacketReader {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #continues = false;

  /** Takes a chunk; returns the packets that are whole with it. */
  push(chunk: Buffer): Packet[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    const packets: Packet[] = [];
    for (;;) {
      const packet = this.#shift();
      if (packet === null) return packets;
      packets.push(packet);
    }
  }

  /** What has come of a packet that is not whole; it is given away. */
  rest(): Buffer {
    const rest = this.#joined();
    this.#chunks = [];
    this.#bytes = 0;
    return rest;
  }

  #shift(): Packet | null {
    if (this.#bytes < headerBytes) return null;
    // The length may itself be spread over chunks; joining is cheap while the first is short.
    if ((this.#chunks[0]?.length ?? 0) < headerBytes) this.#joined();
    const length = this.#chunks[0]?.readUIntLE(0, 3) ?? 0;
    const end = headerBytes + length;
    if (this.#bytes < end) return null;
    const all = this.#joined();
    const bytes = all.subarray(0, end);
    this.#chunks = all.length === end ? [] : [all.subarray(end)];
    this.#bytes -= end;
    const isContinuation = this.#continues;
    this.#continues = length === payloadBytesMax;
    return {
      bytes,
      payload: bytes.subarray(headerBytes),
      sequence: bytes[3] ?? 0,
      isContinuation,
      isLast: !this.#continues,
    };
  }

  #joined(): Buffer {
    const only = this.#chunks[0];
    if (this.#chunks.length === 1 && only !== undefined) return only;
    const all = Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [all];
    return all;
  }
}
