import type { HttpSettings } from '../http/httpSettings.ts';
import type { DoorOptions } from '../http/nodeDoor.ts';
import { openListener } from '../http/server/openListener.ts';
import { Channel } from '../store/channel.ts';
import type { DatabaseAddress } from '../store/databaseAddress.ts';
import { boundsOfTtl } from '../store/openNodeStore.ts';
import { hasToken } from '../store/tokens/listTokens.ts';

/**
 * Begins to listen for a node's API, before the node joins: an address that cannot be had, or may
 * not be, is told of while nothing runs yet. Null: there is to be none, or no port is free.
 */
export async function openDoor(
  settings: HttpSettings | null,
  database: DatabaseAddress,
  say: (line: string) => void,
): Promise<DoorOptions | null> {
  if (settings === null) return null;
  const listener = await openListener(settings, () => askForToken(database));
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
