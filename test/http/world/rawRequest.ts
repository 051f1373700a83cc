import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What a server said on a connection until it ended it, and how long that took. */
export interface RawAnswer {
  readonly text: string;
  readonly status: number;
  readonly tookMs: number;
}

/** Opens a plain connection, for requests that no client library would send. */
export async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => undefined); // whoever reads from it sees that it is cut
  return socket;
}

/** Sends bytes as they are and reads until the server closes the connection. */
export async function sendRaw(origin: string, text: string): Promise<RawAnswer> {
  return readToEnd(await openSocket(origin), text);
}

/** The same on a connection that is open; `text`: what is sent first. */
export async function readToEnd(socket: Socket, text = ''): Promise<RawAnswer> {
  const began = performance.now();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that cuts a connection may well cut it in the middle of what we send.
  socket.on('error', () => undefined);
  // It may have been cut off while others were opened.
  const closed = socket.closed || new Promise((resolve) => socket.once('close', resolve));
  if (text !== '') socket.write(text);
  await closed;
  const answer = Buffer.concat(chunks).toString('latin1');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
  return { text: answer, status, tookMs: performance.now() - began };
}

/** A request as text, which the server is to close the connection after. */
export function requestText(
  line: string,
  headers: readonly string[] = ['Host: localhost'],
  body = '',
): string {
  return [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', body].join('\r\n');
}
