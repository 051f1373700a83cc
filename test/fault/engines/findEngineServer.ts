import path from 'node:path';
import { openDataFolder } from '../../../src/database/data/dataFolder.ts';
import { chooseServer } from '../../../src/database/server/chooseServer.ts';
import type { ServerBinary } from '../../../src/database/system/findServers.ts';
import { defaultSearchPath, findServers } from '../../../src/database/system/findServers.ts';
import type { Flavour } from '../../../src/database/system/serverVersion.ts';
import { fetchMysql, NotHereError } from '../../support/fetchMysql.ts';
import { engineCache } from '../../support/startTestServer.ts';

/**
 * A server program of the family: MariaDB installed or fetched as the product does it, MySQL always
 * the fetched one.
 *
 * @throws NotHereError where it cannot be had.
 */
export async function findEngineServer(
  flavour: Flavour,
  folder: string,
  report: (line: string) => void,
): Promise<ServerBinary> {
  if (flavour === 'mysql') {
    const unpacked = await fetchMysql(engineCache(), report);
    const found = await findServers([path.join(unpacked, 'usr/sbin')], unpacked);
    const server = found.servers.find((each) => each.flavour === 'mysql');
    if (server === undefined) throw new NotHereError(`real MySQL: ${found.rejected.join('; ')}`);
    return server;
  }
  const dataFolder = await openDataFolder(folder, path.join(engineCache(), 'mariadb'));
  const searchPath = defaultSearchPath();
  const choices = chooseServer(dataFolder, { madeBy: undefined, searchPath, report });
  for await (const { server } of choices) if (server.flavour === 'mariadb') return server;
  throw new Error('chooseServer ends by throwing');
}
