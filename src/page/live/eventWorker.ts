import { type Batch, EventPump } from './eventPump.ts';
import type { WorkerRequest } from './workerRequest.ts';

/**
 * One event stream for all tabs of this browser (as a SharedWorker), or for one tab without being
 * in the way of its drawing (as a Worker).
 */
interface Port {
  postMessage(batch: Batch): void;
  onmessage: ((message: MessageEvent<WorkerRequest>) => void) | null;
}

const ports = new Set<Port>();
let pump: EventPump | null = null;

const scope = self as unknown as Port & { onconnect?: (event: MessageEvent) => void };
scope.onconnect = ({ ports: [port] }) => {
  if (port !== undefined) serve(port);
};
serve(scope);

function serve(port: Port): void {
  port.onmessage = ({ data }) => {
    if (data.what === 'leave') {
      ports.delete(port);
      if (ports.size > 0) return;
      pump?.close();
      pump = null;
      return;
    }
    ports.add(port);
    if (data.what === 'restart') pump?.close();
    if (data.what === 'restart' || pump === null) pump = new EventPump(data.url, sendAll);
    port.postMessage(pump.present);
  };
}

function sendAll(batch: Batch): void {
  for (const port of ports) port.postMessage(batch);
}
