import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Flavour } from '../../../src/database/system/serverVersion.ts';
import { NotHereError } from '../../support/fetchMysql.ts';
import { faketimeEnvironment, findFaketime } from '../../support/findFaketime.ts';

/** The wall clock of one server, which follows a file. */
export interface ClockFile {
  readonly env: Readonly<Record<string, string>>;
  step(offsetMs: number): Promise<void>;
}

/** Null where libfaketime cannot be had. */
export async function findClockLibrary(report: (line: string) => void): Promise<string | null> {
  try {
    return await findFaketime(report);
  } catch (error) {
    if (!(error instanceof NotHereError)) throw error;
    report(`clocks cannot be stepped: ${error.message}`);
    return null;
  }
}

/**
 * A server that looks up its clock less often than it asks sees a step up to a second late. MySQL
 * needs that: looking every time it did 21 SELECTs a second, so 3,500 (without the library 19,000).
 */
export async function makeClockFile(
  library: string,
  folder: string,
  flavour: Flavour,
): Promise<ClockFile> {
  const file = path.join(folder, 'clock');
  const step = async (offsetMs: number) => {
    const seconds = (offsetMs / 1_000).toFixed(3);
    // By a rename, since the server may look at any moment.
    await writeFile(`${file}.new`, offsetMs < 0 ? seconds : `+${seconds}`);
    await rename(`${file}.new`, file);
  };
  await step(0);
  const { FAKETIME_NO_CACHE, ...slow } = faketimeEnvironment(library, file);
  const env =
    flavour === 'mysql'
      ? { ...slow, FAKETIME_CACHE_DURATION: '1' }
      : { ...slow, FAKETIME_NO_CACHE };
  return { env: env as Record<string, string>, step };
}
