import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fetchDebianPackages } from '../../src/database/fetch/fetchDebianPackages.ts';

/** Says why something cannot be run on this machine; tests that need it are skipped with it. */
export class NotHereError extends Error {
  override readonly name = 'NotHereError';
}

/**
 * Fetches a real MySQL server into the cache, once. Debian's unstable suite carries it; with all
 * that it needs, libc and its loader included, it runs beside any release without touching it.
 * Measured: 58 MB to download, 329 MB unpacked.
 *
 * @returns the folder that it is unpacked in.
 * @throws NotHereError where it cannot be had: no apt, not Debian, offline.
 */
export async function fetchMysql(cache: string, report: (line: string) => void): Promise<string> {
  const mirror = await debianMirror();
  if (mirror === undefined) throw new NotHereError('real MySQL: no Debian source is set up here');
  const folder = path.join(cache, 'mysql');
  const outcome = await fetchDebianPackages({
    packages: ['mysql-server-core'],
    folder,
    // Only tests run it. A stable system has not all keys of unstable, and a mirror may be behind.
    sources: [`deb [trusted=yes check-valid-until=no] ${mirror} sid main`],
    installed: 'nothing',
    report,
  });
  if (!outcome.fetched) throw new NotHereError(`real MySQL: ${outcome.reason}`);
  return folder;
}

/** The mirror that the system's own sources name for Debian, in either of apt's two formats. */
export async function debianMirror(etc = '/etc/apt'): Promise<string | undefined> {
  const parts = path.join(etc, 'sources.list.d');
  const names = await readdir(parts).catch(() => []);
  const files = [path.join(etc, 'sources.list'), ...names.sort().map((n) => path.join(parts, n))];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const uris = file.endsWith('.sources') ? deb822Uris(text) : classicUris(text);
    const mirror = uris.find((uri) => /\/debian\/?$/.test(uri));
    if (mirror !== undefined) return mirror;
  }
  return undefined;
}

function deb822Uris(text: string): string[] {
  return [...text.matchAll(/^URIs:[ \t]*(.+)$/gim)].flatMap(
    (match) => match[1]?.split(/\s+/) ?? [],
  );
}

function classicUris(text: string): string[] {
  const lines = text.matchAll(/^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s/gm);
  return [...lines].map((match) => match[1] ?? '');
}
