import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { whyNotOurs } from '../../domain/versions/whyNotOurs.ts';

/**
 * Why a folder, as `lstat` describes it, may not be written to nor believed: a link, or a folder
 * that others may write to, leads where somebody else chooses. Null: it may.
 */
export function whyNotTrusted(folder: Stats): string | null {
  if (!folder.isDirectory()) return 'it is no folder';
  return whyNotOurs(folder, process.getuid?.() ?? 0);
}

/** @param what it is, for the message. @throws when others may write to it, or lead elsewhere. */
export async function requireTrusted(folder: string, what: string): Promise<void> {
  const why = whyNotTrusted(await lstat(folder));
  if (why !== null) throw new Error(`${what} ${folder} cannot be trusted: ${why}`);
}
