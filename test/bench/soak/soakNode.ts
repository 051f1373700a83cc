import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../fault/proxy/freePort.ts';
import type { BenchDatabase, BenchServer } from '../benchServer.ts';
import { rssMb } from '../rssMb.ts';
import { startWholeNode } from '../startWholeNode.ts';

/** A whole node, with what tells how much memory it has. */
export interface SoakNode {
  readonly url: string;
  /**
   * With a snapshot of each heap, for the developer tools of a browser, where a folder is given: a
   * node stands still meanwhile (on a busy machine until it loses its session), and its process
   * keeps the memory that it takes.
   */
  weigh(snapshots: string | null): Promise<Weight>;
  stop(): Promise<void>;
}

/** In MB. */
export interface Weight {
  /** Of the node's process, before the collection. */
  readonly rss: number;
  /** After a collection: the heaps of its threads and of its guardian together. */
  readonly heap: number;
  /** What these hold outside of them: buffers, mostly. */
  readonly external: number;
}

const probe = pathToFileURL(path.join(import.meta.dirname, 'heapProbe.mjs')).href;

/**
 * Starts a node whose history is bounded to what no node removes, the last ten minutes: then the
 * tables soon stay as they are, and what grows is the process.
 */
export async function startSoakNode(
  server: BenchServer,
  database: BenchDatabase,
  name: string,
): Promise<SoakNode> {
  const heaps = path.join(server.folder, `heaps-${name}`);
  await mkdir(heaps);
  const port = await freePort();
  const { pid, stop } = await startWholeNode(server, database, name, {
    flags: ['--http', `${port}`, '--keep-runs', '100', '--clean-period', '1m'],
    runtimeFlags: ['--expose-gc', '--import', probe],
    env: { STATECRON_BENCH_HEAPS: heaps },
  });
  const weigh: SoakNode['weigh'] = async (snapshots) => {
    const rss = rssMb(pid);
    const found = [];
    for (const place of await readdir(heaps)) {
      found.push(await askHeap(path.join(heaps, place), snapshots ?? ''));
    }
    return {
      rss,
      heap: found.reduce((sum, { heapMb }) => sum + heapMb, 0),
      external: found.reduce((sum, { externalMb }) => sum + externalMb, 0),
    };
  };
  return { url: `http://127.0.0.1:${port}`, weigh, stop };
}

interface Heap {
  readonly heapMb: number;
  readonly externalMb: number;
}

/** Of one thread; rejects when its process has ended, which none does during a soak. */
async function askHeap(place: string, snapshots: string): Promise<Heap> {
  const socket = connect(place);
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(socket, 'close');
  socket.write(`${snapshots}\n`);
  await ended;
  return JSON.parse(Buffer.concat(chunks).toString());
}
