import { createServer } from 'node:net';

const lowest = 20_000;
const highest = 31_999;
const triesMax = 200;
const given = new Set<number>();

/**
 * A port of 127.0.0.1 that nobody listens on. It lies below those that the kernel deals out, so
 * that it is still free when a server that was killed, or a proxy that refused, wants it back.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest + 1));
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no port between ${lowest} and ${highest} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
