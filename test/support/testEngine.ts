import { after } from 'node:test';
import type { Engine, TestServer } from './startTestServer.ts';
import { serverVariables, startTestServer } from './startTestServer.ts';

const started = new Map<Engine, Promise<TestServer>>();
let cleanUps: (() => Promise<void>)[] = [];
let lastCleanUps: (() => Promise<void>)[] = [];

/**
 * The scope of a whole file, for what its tests share: cleaned up, last first, while the servers
 * are there still. With node's own `after` in its place they would be gone by then.
 */
export const fileScope = {
  after: (cleanUp: () => Promise<void>): void => {
    cleanUps.push(cleanUp);
  },
};

/** The scope of a whole process, for what the files of a lane may share. */
export const processScope = {
  after: (cleanUp: () => Promise<void>): void => {
    lastCleanUps.push(cleanUp);
  },
};

// Registered while the file loads, so that it belongs to the file and not to one of its tests. In a
// process that runs several files the runner calls it after each.
after(async () => {
  await endFileScope();
  await endProcessScope();
});

/** Cleans up what the tests of a file share and ends the servers that the file started. */
export async function endFileScope(): Promise<void> {
  const [ended, servers] = [cleanUps.reverse(), [...started.values()]];
  cleanUps = [];
  started.clear();
  for (const cleanUp of ended) await cleanUp();
  for (const server of servers) {
    // Who asked for a server that did not start has got the error already.
    const running = await server.catch(() => undefined);
    await running?.stop();
  }
}

/** Cleans up what the files of a process share. */
export async function endProcessScope(): Promise<void> {
  const ended = lastCleanUps.reverse();
  lastCleanUps = [];
  for (const cleanUp of ended) await cleanUp();
}

/**
 * The URL of the server to test on: the one that the whole run shares, or, in a file that is run by
 * hand, one of its own that ends with the file.
 *
 * @throws NotHereError when the engine cannot be had on this machine.
 */
export async function testEngine(engine: Engine): Promise<string> {
  const shared = process.env[serverVariables[engine]];
  if (shared !== undefined && shared !== '') return shared;
  const own = started.get(engine) ?? startTestServer(engine);
  started.set(engine, own);
  return (await own).url;
}
