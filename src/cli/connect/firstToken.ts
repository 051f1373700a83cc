import path from 'node:path';
import { makeOwnFolder, readOwnSecret, writeOwnSecret } from '../../database/system/ownFolder.ts';
import type { DatabaseAddress } from '../../store/connection/databaseAddress.ts';
import { addToken } from '../../store/tokens/addToken.ts';
import { findHolders } from '../../store/tokens/findHolder.ts';
import { hadToken } from '../../store/tokens/listTokens.ts';
import { makeTokenText, type NewToken, readTokenText } from '../../store/tokens/tokenText.ts';
import { withUserChannel } from './withChannel.ts';

/**
 * Makes the first token of a database that never had one, for everything, and keeps it in a file
 * that only this user can read. The file is written first: when we are cut off in between, the next
 * start finds it and puts its token in force. Resolves to the file; null: there were tokens before.
 */
export async function makeFirstToken(
  address: DatabaseAddress,
  folder: string,
): Promise<string | null> {
  return withUserChannel(address, async (channel) => {
    if (await hadToken(channel)) return null;
    // Whoever could put a token there before us would have one for everything.
    await makeOwnFolder(folder);
    const file = path.join(folder, 'token');
    let made = await readMade(file);
    if (made === null) {
      made = makeTokenText();
      await writeOwnSecret(file, made.text);
    }
    const request = { name: 'first', role: 'admin', groups: null, expiresMs: null } as const;
    await addToken(channel, request, made);
    return file;
  });
}

/** The id of the token that the file has; null: there is none, or it is not in force here. */
export async function readFirstTokenId(
  address: DatabaseAddress,
  folder: string,
): Promise<string | null> {
  const made = await readMade(path.join(folder, 'token'));
  if (made === null) return null;
  const holders = await withUserChannel(address, (channel) => findHolders(channel, [made.text]));
  return holders.get(made.text)?.tokenId ?? null;
}

async function readMade(file: string): Promise<NewToken | null> {
  const text = await readOwnSecret(file);
  const key = text === null ? null : readTokenText(text);
  return text === null || key === null ? null : { text, key };
}
