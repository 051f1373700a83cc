import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fetchDebianPackages } from '../../src/database/fetch/fetchDebianPackages.ts';
import { NotHereError } from './fetchMysql.ts';
import { engineCache } from './startTestServer.ts';

const libraryName = 'faketime/libfaketimeMT.so.1';

/**
 * The library that, preloaded, lets one process see another wall clock: the system's where it is
 * installed, else fetched once into the cache of the test engines.
 *
 * @returns its path, for LD_PRELOAD.
 * @throws NotHereError where it cannot be had.
 */
export async function findFaketime(report: (line: string) => void = () => {}): Promise<string> {
  const folder = path.join(engineCache(), 'libfaketime');
  const found = lookIn('/') ?? lookIn(folder);
  if (found !== undefined) return found;
  const request = { packages: ['libfaketime'], folder, installed: 'system', report } as const;
  const outcome = await fetchDebianPackages(request);
  const fetched = lookIn(folder);
  if (fetched !== undefined) return fetched;
  const reason = outcome.fetched ? 'the package holds no library' : outcome.reason;
  throw new NotHereError(`libfaketime: ${reason}`);
}

/** Debian keeps it in the folder of the machine's architecture. */
function lookIn(root: string): string | undefined {
  const parent = path.join(root, 'usr/lib');
  const folders = existsSync(parent) ? readdirSync(parent) : [];
  return folders
    .map((name) => path.join(parent, name, libraryName))
    .find((file) => existsSync(file));
}

/**
 * The environment of a process whose wall clock follows a file (`+3600`: an hour ahead), read at
 * every look, so that it can be stepped while the process runs. Its monotonic clocks stay true:
 * with them faked, a step of an hour would fire every timer.
 */
export function faketimeEnvironment(libraryPath: string, file: string): Record<string, string> {
  return {
    LD_PRELOAD: libraryPath,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
