import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findDebianFile } from './findDebianFile.ts';

const libraryName = 'faketime/libfaketimeMT.so.1';

/**
 * The library that, preloaded, lets one process see another wall clock.
 *
 * @returns its path, for LD_PRELOAD.
 * @throws NotHereError where it cannot be had.
 */
export function findFaketime(report?: (line: string) => void): Promise<string> {
  return findDebianFile('libfaketime', lookIn, report);
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
