import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseAddress } from '../store/databaseAddress.ts';
import { addToken } from '../store/tokens/addToken.ts';
import { hadToken } from '../store/tokens/listTokens.ts';
import { type MadeToken, makeTokenText, readTokenText } from '../store/tokens/tokenText.ts';
import { whoAsks } from './whoAsks.ts';
import { withAddress } from './withChannel.ts';

/**
 * Makes the first token of a database that never had one, for everything, and keeps it in a file
 * that only this user can read. The file is written first: when we are cut off in between, the next
 * start finds it and puts its token in force. Resolves to the file; null: there were tokens before.
 */
export async function makeFirstToken(
  address: DatabaseAddress,
  folder: string,
): Promise<string | null> {
  return withAddress(address, async (channel) => {
    if (await hadToken(channel)) return null;
    channel.by = whoAsks();
    const file = path.join(folder, fileName);
    const made = (await readMade(file)) ?? (await writeMade(file, makeTokenText()));
    const wishes = { name: 'first', role: 'admin', groups: null, expiresMs: null } as const;
    await addToken(channel, wishes, made);
    return file;
  });
}

const fileName = 'token';

async function readMade(file: string): Promise<MadeToken | null> {
  let text: string;
  try {
    text = (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
  const key = readTokenText(text);
  return key === null ? null : { text, key };
}

/** Under another name until it is whole; nobody else ever sees it, not even for a moment. */
async function writeMade(file: string, made: MadeToken): Promise<MadeToken> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${made.text}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  return made;
}
