import type { HttpSettings } from '../http/httpSettings.ts';
import type { DoorOptions } from '../http/nodeDoor.ts';
import { type HttpListener, openListener } from '../http/server/openListener.ts';
import { Channel } from '../store/channel.ts';
import type { DatabaseAddress } from '../store/databaseAddress.ts';
import { boundsOfTtl } from '../store/openNodeStore.ts';
import { hasToken } from '../store/tokens/listTokens.ts';

/**
 * Begins to listen for a node's API, before the node joins: an address that cannot be had, or may
 * not be, is told of while nothing runs yet. One that the guardian has started again goes on
 * without an API rather than not at all. Null: there is to be none, or there cannot be.
 */
export async function openDoor(
  { database, http: settings }: { database: DatabaseAddress; http: HttpSettings | null },
  isRestarted: boolean,
  say: (line: string) => void,
): Promise<DoorOptions | null> {
  if (settings === null) return null;
  let listener: HttpListener | null;
  try {
    listener = await openListener(settings, () => askForToken(database));
  } catch (error) {
    if (!isRestarted) throw error;
    say(`this node has no API until it is started anew: ${(error as Error).message}`);
    return null;
  }
  if (listener === null) {
    say(`the ports from ${settings.port} on are taken: this node has no API (--http PORT)`);
    return null;
  }
  say(`the API listens on ${listener.url}`);
  return { settings, listener };
}

async function askForToken(database: DatabaseAddress): Promise<boolean> {
  const channel = new Channel('tokens', database, boundsOfTtl(45_000));
  try {
    return await hasToken(channel);
  } finally {
    await channel.close();
  }
}
