import { existsSync } from 'node:fs';
import path from 'node:path';
import { findDebianFile } from './findDebianFile.ts';

/**
 * Debian's cron daemon, which nothing starts by itself.
 *
 * @throws NotHereError where it cannot be had.
 */
export function findCron(): Promise<string> {
  return findDebianFile('cron', (root) =>
    [path.join(root, 'usr/sbin/cron')].find((file) => existsSync(file)),
  );
}
