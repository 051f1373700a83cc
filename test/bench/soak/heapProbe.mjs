// Preloaded into every process and thread of a node: each answers on a socket of its own with what
// its heap holds after a collection. No debugger is attached, which would record in between.
import { createServer } from 'node:net';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import { threadId } from 'node:worker_threads';

const folder = process.env.STATECRON_BENCH_HEAPS;
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', async (data) => {
    const snapshots = String(data).trim();
    if (snapshots !== '') {
      const name = `${process.pid}-${threadId}-${Date.now()}.heapsnapshot`;
      writeHeapSnapshot(path.join(snapshots, name));
    }
    // What finalizers let go in the turn after a collection goes with the next one.
    for (let round = 0; round < 2; round += 1) {
      globalThis.gc();
      await turn();
    }
    const { external, heapUsed } = process.memoryUsage();
    socket.end(JSON.stringify({ heapMb: heapUsed / 1e6, externalMb: external / 1e6 }));
  });
});
server.listen(path.join(folder, `${process.pid}-${threadId}`)).unref();
