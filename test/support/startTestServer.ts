import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startPrivateServer } from '../../src/database/server/startPrivateServer.ts';
import { endWithUs } from './endWithUs.ts';
import { fetchMysql } from './fetchMysql.ts';

/** The two families that every statement must run on. */
export type Engine = 'mariadb' | 'mysql';

/** A server for tests, with its data in a temporary folder and the server's default durability. */
export interface TestServer {
  url: string;
  version: string;
  stop(): Promise<void>;
}

/** The variables by which a whole test run shares one server of each family. */
export const serverVariables = {
  mariadb: 'STATECRON_TEST_URL',
  mysql: 'STATECRON_TEST_MYSQL_URL',
} as const satisfies Record<Engine, string>;

/** Downloaded engines are kept here, outside of the checkout, so that they are fetched once. */
export function engineCache(): string {
  const { XDG_CACHE_HOME } = process.env;
  const base =
    XDG_CACHE_HOME !== undefined && path.isAbsolute(XDG_CACHE_HOME)
      ? XDG_CACHE_HOME
      : path.join(os.homedir(), '.cache');
  return path.join(base, 'statecron-test');
}

/** Starts a server; it never outlives this process, even when that is killed with SIGKILL. */
export async function startTestServer(engine: Engine = 'mariadb'): Promise<TestServer> {
  const folder = await mkdtemp(path.join(await folderForData(), `statecron-test-${engine}-`));
  const report = (line: string) => process.env.STATECRON_TEST_VERBOSE && console.error(line);
  const watcher = endWithUs(folder);
  const cleanUp = async () => {
    await watcher.dismiss();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = await startPrivateServer({
      dataDir: path.join(folder, 'd'),
      report,
      ...(engine === 'mysql'
        ? { engineDir: await fetchMysql(engineCache(), report), searchPath: [] }
        : { engineDir: path.join(engineCache(), 'mariadb') }),
    });
    return {
      url: server.url,
      version: `${server.flavour} ${server.version}`,
      async stop() {
        await server.stop();
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

const memoryFolder = '/dev/shm';
const memoryBytesMin = 4 * 1024 ** 3;

/**
 * In memory where there is room: what a test's server has said to be on disk need not outlive the
 * machine, and its flushes are half of the time of a test on MySQL.
 */
async function folderForData(): Promise<string> {
  try {
    await access(memoryFolder, constants.W_OK);
    const { bavail, bsize } = await statfs(memoryFolder);
    return bavail * bsize >= memoryBytesMin ? memoryFolder : os.tmpdir();
  } catch {
    return os.tmpdir();
  }
}
