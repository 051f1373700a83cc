import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { headMsMax, patienceMs } from './patience.ts';

/**
 * Ends connections whose first request does not come in. Node's own time-out is for the requests
 * after it: that ends all that are over in one turn of the event loop.
 */
export function endSlowHeads(server: Server): void {
  const timers = new WeakMap<Socket, NodeJS.Timeout>();
  server.on('connection', (socket) => {
    const timer = setTimeout(() => {
      socket.write(tooSlow);
      socket.destroySoon();
    }, patienceMs(headMsMax));
    timers.set(socket, timer);
    socket.once('close', () => clearTimeout(timer));
  });
  server.on('request', ({ socket }) => clearTimeout(timers.get(socket)));
}

/** As Node has it: there is no request yet that could be answered. */
const tooSlow = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';
