import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { command } from '../fault/proxy/command.ts';
import { freePort } from '../fault/proxy/freePort.ts';
import { headerBytes, type Packet, PacketReader } from '../fault/proxy/packetReader.ts';
import type { Scope } from './createDatabase.ts';

/**
 * A server that does something else than it is told, as engines do that only speak MySQL's
 * protocol: each statement is changed on its way to a real one.
 * @returns the database's URL that leads through it.
 */
export async function startRewriteProxy(
  scope: Scope,
  databaseUrl: string,
  rewrite: (statement: string) => string,
): Promise<string> {
  const target = new URL(databaseUrl);
  const socketPath = target.searchParams.get('socketPath');
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const real =
      socketPath === null
        ? connect(Number(target.port || 3306), target.hostname)
        : connect(socketPath);
    const reader = new PacketReader();
    client.on('data', (chunk: Buffer) => {
      for (const packet of reader.push(chunk)) real.write(rewritten(packet, rewrite));
    });
    real.on('data', (chunk: Buffer) => client.write(chunk));
    for (const [socket, other] of [
      [client, real],
      [real, client],
    ] as const) {
      sockets.add(socket.setNoDelay(true));
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroySoon();
      });
    }
  });
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  scope.after(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  target.searchParams.delete('socketPath');
  target.host = `127.0.0.1:${port}`;
  return target.href;
}

function rewritten(
  { bytes, payload, sequence }: Packet,
  rewrite: (statement: string) => string,
): Buffer {
  if (sequence !== 0 || payload[0] !== command.query) return bytes;
  // MySQL wants to know of parameters first, of which there are none: two bytes.
  const head = payload.subarray(0, payload[1] === 0 ? 3 : 1);
  const text = Buffer.from(rewrite(payload.toString('utf8', head.length)));
  const header = Buffer.alloc(headerBytes);
  header.writeUIntLE(head.length + text.length, 0, 3);
  return Buffer.concat([header, head, text]);
}
