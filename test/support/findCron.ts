import { existsSync } from 'node:fs';
import path from 'node:path';
import { fetchDebianPackages } from '../../src/database/fetch/fetchDebianPackages.ts';
import { NotHereError } from './fetchMysql.ts';
import { engineCache } from './startTestServer.ts';

/**
 * Debian's cron daemon: the system's where it is installed, else fetched once into the cache of the
 * test engines, where nothing starts it.
 *
 * @throws NotHereError where it cannot be had.
 */
export async function findCron(): Promise<string> {
  const folder = path.join(engineCache(), 'cron');
  const found = ['/', folder].map((root) => path.join(root, 'usr/sbin/cron')).find(existsSync);
  if (found !== undefined) return found;
  const request = { packages: ['cron'], folder, installed: 'system', report: () => {} } as const;
  const outcome = await fetchDebianPackages(request);
  const fetched = path.join(folder, 'usr/sbin/cron');
  if (existsSync(fetched)) return fetched;
  const reason = outcome.fetched ? 'the package holds no daemon' : outcome.reason;
  throw new NotHereError(`cron: ${reason}`);
}
