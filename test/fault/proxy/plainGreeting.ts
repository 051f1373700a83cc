import { headerBytes } from './packetReader.ts';

/** Capabilities of the protocol by their bits; a client takes of what the server offers. */
const compress = 1 << 5;
const tls = 1 << 11;
const deprecateEof = 1 << 24;
const optionalColumns = 1 << 25;
const compressZstd = 1 << 26;

const version10 = 10;

/**
 * The server's greeting without what would hide statements from the proxy or change the shape of
 * replies: encryption, compression, column definitions that are left out (MySQL's way and
 * MariaDB's). A client that insists on one of them says that the server has it not.
 */
export function plainGreeting(bytes: Buffer): Buffer {
  if (bytes[headerBytes] !== version10) return bytes; // an error: too many connections
  const plain = Buffer.from(bytes);
  const low = plain.indexOf(0, headerBytes + 1) + 1 + 4 + 8 + 1;
  const high = low + 2 + 1 + 2;
  plain.writeUInt16LE(plain.readUInt16LE(low) & ~(compress | tls) & 0xff_ff, low);
  const dropped = (optionalColumns | compressZstd) >>> 16;
  plain.writeUInt16LE(plain.readUInt16LE(high) & ~dropped & 0xff_ff, high);
  const mariadbOwn = high + 2 + 1 + 6;
  plain.writeUInt32LE(0, mariadbOwn);
  return plain;
}

/** From the client's answer: results end with an OK packet, not with an EOF packet. */
export function endsWithOk(payload: Buffer): boolean {
  return payload.length >= 4 && (payload.readUInt32LE(0) & deprecateEof) !== 0;
}
