import { command } from './command.ts';
import { headerBytes } from './packetReader.ts';

/** The texts of statements on one connection: as they are sent, or as they were prepared. */
export class PreparedTexts {
  readonly #byId = new Map<number, Buffer>();
  #preparing: Buffer | null = null;

  /** What the request says; for a prepared statement, what it was prepared from. Null: no text. */
  textOf(request: Buffer): Buffer | null {
    const payload = request.subarray(headerBytes);
    switch (payload[0]) {
      case command.query:
        return payload;
      case command.statementPrepare:
        this.#preparing = payload;
        return null;
      case command.statementExecute:
      case command.statementBulkExecute:
        return this.#byId.get(payload.readUInt32LE(1)) ?? null;
      case command.statementClose:
        this.#byId.delete(payload.readUInt32LE(1));
        return null;
      default:
        return null;
    }
  }

  /** Takes the first packet of a reply, which tells a prepared statement's id. */
  noteReply(payload: Buffer): void {
    if (this.#preparing !== null && payload[0] === 0x00 && payload.length >= 5) {
      this.#byId.set(payload.readUInt32LE(1), this.#preparing);
    }
    this.#preparing = null;
  }
}
