import { once } from 'node:events';
import type { Server, Socket } from 'node:net';

/** Ends a socket with a reset, which tells the other side at once; one of a file knows none. */
export function cutSocket(socket: Socket): void {
  if (socket.remoteFamily === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

/** Goes on or stops reading; a socket that is not read from notices no end either. */
export function setReading(socket: Socket, reads: boolean): void {
  if (socket.destroyed || socket.isPaused() !== reads) return;
  if (reads) socket.resume();
  else socket.pause();
}

/**
 * Listens at a port of 127.0.0.1, or at a path; rejects where somebody else does. To listen keeps
 * no process alive: who waits for somebody does, and a proxy whose clean-up was left out after the
 * error of another one must not hold up the end of its file.
 */
export async function listenAt(server: Server, place: number | string): Promise<void> {
  server.unref();
  if (typeof place === 'number') server.listen(place, '127.0.0.1');
  else server.listen(place);
  await once(server, 'listening');
}

/** Refuses new connections, as a host without a server does, or takes them again. */
export function refuseAt(server: Server, port: number, isRefused: boolean): void {
  if (isRefused) server.close();
  // Closed for new connections, it listens again at once: those that are there do not matter.
  else if (!server.listening) server.listen(port, '127.0.0.1');
}
