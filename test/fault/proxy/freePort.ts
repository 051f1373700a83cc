import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { listenAt } from './sockets.ts';

/** Below what the kernel deals out. */
const usual = { lowest: 20_000, highest: 31_999 } as const;
const triesMax = 200;

/**
 * A port of 127.0.0.1 that nobody listens on, and that no other test is given until this process
 * ends: it is still free when a server that was killed, a proxy that refused, or a transfer of a
 * member's data wants it.
 */
export async function freePort({ lowest, highest }: PortRange = usual): Promise<number> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    // A name of the kernel's, without a file: it is free again however its process ends.
    const reserved = await listen(`\0statecron-test-port-${port}`);
    if (reserved === null) continue;
    const listening = await listen(port);
    await once((listening ?? reserved).close(), 'close');
    if (listening === null) continue;
    reserved.unref();
    return port;
  }
  throw new Error(`no port between ${lowest} and ${highest} is free`);
}

interface PortRange {
  readonly lowest: number;
  readonly highest: number;
}

/** Null: somebody else has it. */
async function listen(place: number | string): Promise<Server | null> {
  const server = createServer();
  return await listenAt(server, place).then(
    () => server,
    () => null,
  );
}
