import path from 'node:path';
import { fetchDebianPackages } from '../../src/database/fetch/fetchDebianPackages.ts';
import { NotHereError } from './fetchMysql.ts';
import { engineCache } from './startTestServer.ts';

/**
 * A file of a Debian package: the system's where the package is installed, else fetched once into
 * the cache of the test engines, where nothing starts it.
 *
 * @param lookIn its path below a root, when it is there
 * @throws NotHereError where it cannot be had.
 */
export async function findDebianFile(
  packageName: string,
  lookIn: (root: string) => string | undefined,
  report: (line: string) => void = () => {},
): Promise<string> {
  const folder = path.join(engineCache(), packageName);
  const found = lookIn('/') ?? lookIn(folder);
  if (found !== undefined) return found;
  const request = { packages: [packageName], folder, installed: 'system', report } as const;
  const outcome = await fetchDebianPackages(request);
  const fetched = lookIn(folder);
  if (fetched !== undefined) return fetched;
  const reason = outcome.fetched ? 'the package does not hold the file' : outcome.reason;
  throw new NotHereError(`${packageName}: ${reason}`);
}
